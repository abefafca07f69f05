import CSodium

/// Secret bytes of a fixed length, at most 16 KiB, in locked memory between guard pages.
///
/// Keys and passphrases live here; the description shows no byte. They are wiped when the last
/// reference is gone, and no copy is then left in the process by what this module did with them,
/// nor on the stack (`ReleasedSecretTests`). One spill is out of reach: a dynamic linker that binds
/// lazily saves the vector registers to the stack at the first call of a function. A program that
/// is linked with `-z now`, or statically, has none of that.
@safe package final class SecretKey: @unchecked Sendable {
    // `@unchecked Sendable`: the bytes are written only before anyone else has `self`.
    let region: GuardedRegion
    let slot: Int
    /// How many bytes there are.
    package let byteCount: Int

    /// Bytes that `fill` writes into zeroed locked memory.
    ///
    /// Throws what `fill` throws, with nothing kept of what it had written, and otherwise
    /// `CryptoError`.
    package init<Failure: Error>(
        byteCount: Int, filledBy fill: (inout MutableSpan<UInt8>) throws(Failure) -> Void
    ) throws {
        (region, slot) = try GuardedRegion.allocate(byteCount: byteCount)
        self.byteCount = byteCount
        var span = unsafe MutableSpan(_unsafeStart: region.pointer(slot), count: byteCount)
        try fill(&span)
    }

    /// `byteCount` fresh random bytes (`randombytes_buf`).
    package init(randomByteCount byteCount: Int) throws(CryptoError) {
        (region, slot) = try GuardedRegion.allocate(byteCount: byteCount)
        self.byteCount = byteCount
        unsafe randombytes_buf(region.pointer(slot), byteCount)
    }

    /// A copy of `bytes`; the caller wipes the original.
    package init(copying bytes: Span<UInt8>) throws(CryptoError) {
        (region, slot) = try GuardedRegion.allocate(byteCount: bytes.count)
        byteCount = bytes.count
        let target = unsafe region.pointer(slot)
        unsafe bytes.withUnsafeBufferPointer { source in
            if let start = source.baseAddress {
                unsafe target.update(from: start, count: source.count)
            }
        }
    }

    /// A key of zeros, for functions of this module that fill it by pointer before they return it.
    init(zeroByteCount byteCount: Int) throws(CryptoError) {
        (region, slot) = try GuardedRegion.allocate(byteCount: byteCount)
        self.byteCount = byteCount
    }

    deinit {
        region.release(slot: slot, byteCount: byteCount)
    }

    /// The bytes, borrowed.
    package var bytes: Span<UInt8> {
        @_lifetime(borrow self) get {
            let span = unsafe Span<UInt8>(_unsafeStart: region.pointer(slot), count: byteCount)
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }

    @unsafe var pointer: UnsafeMutablePointer<UInt8> { unsafe region.pointer(slot) }
}

extension SecretKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Names the length alone.
    package var description: String { "SecretKey(\(byteCount) bytes, redacted)" }
    /// The same as `description`.
    package var debugDescription: String { description }
    /// A mirror without children.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
