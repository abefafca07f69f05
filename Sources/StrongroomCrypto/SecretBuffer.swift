import CSodium

/// A value in flight: plain memory of a fixed length, zeroed at first, wiped when released.
///
/// `sodium_memzero` wipes it, which the compiler cannot leave out (`ReleasedSecretTests`). It
/// cannot be copied by accident; `[UInt8]` and `String` are copies that a caller asks for.
@safe package struct SecretBuffer: ~Copyable, @unchecked Sendable {
    // `@unchecked Sendable`: the one owner of its memory; mutation needs exclusive access to it.
    let base: UnsafeMutablePointer<UInt8>
    private let capacity: Int
    /// How many bytes there are.
    package private(set) var byteCount: Int

    /// `byteCount` zero bytes.
    package init(byteCount: Int) {
        precondition(byteCount >= 0, "a negative byte count")
        self.byteCount = byteCount
        capacity = byteCount
        unsafe base = .allocate(capacity: max(1, byteCount))
        unsafe base.initialize(repeating: 0, count: max(1, byteCount))
    }

    /// `byteCount` bytes that are whatever was there: the caller fills all of them before anybody reads one.
    ///
    /// To zero first what is about to be filled takes a twentieth of the time of opening a box.
    package init(unfilledByteCount byteCount: Int) {
        precondition(byteCount >= 0, "a negative byte count")
        self.byteCount = byteCount
        capacity = byteCount
        unsafe base = .allocate(capacity: max(1, byteCount))
    }

    /// A copy of `bytes`.
    package init(copying bytes: Span<UInt8>) {
        byteCount = bytes.count
        capacity = bytes.count
        unsafe base = .allocate(capacity: max(1, bytes.count))
        let target = unsafe base
        unsafe bytes.withUnsafeBufferPointer { source in
            if let start = source.baseAddress {
                unsafe target.initialize(from: start, count: source.count)
            }
        }
    }

    deinit {
        unsafe sodium_memzero(base, capacity)
        unsafe base.deallocate()
    }

    /// The bytes, borrowed.
    package var bytes: Span<UInt8> {
        @_lifetime(borrow self) get {
            let span = unsafe Span<UInt8>(_unsafeStart: base, count: byteCount)
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }

    /// The bytes, to be written in place.
    package var mutableBytes: MutableSpan<UInt8> {
        @_lifetime(&self) mutating get {
            let span = unsafe MutableSpan<UInt8>(_unsafeStart: base, count: byteCount)
            return unsafe _overrideLifetime(span, mutating: &self)
        }
    }

    /// Writes `bytes` at `offset`, all at once.
    package mutating func write(_ bytes: Span<UInt8>, at offset: Int) {
        precondition(
            offset >= 0 && bytes.count <= byteCount - offset, "more bytes than there is room for")
        let target = unsafe base + offset
        unsafe bytes.withUnsafeBufferPointer { source in
            if let start = source.baseAddress {
                unsafe target.update(from: start, count: source.count)
            }
        }
    }

    /// Cuts the buffer to its first `count` bytes; what is cut off is wiped at once.
    package mutating func shorten(to count: Int) {
        precondition(count >= 0 && count <= byteCount, "shorten only shortens")
        unsafe sodium_memzero(base + count, byteCount - count)
        byteCount = count
    }

    /// A plain copy that nobody wipes.
    package func copyToArray() -> [UInt8] {
        unsafe [UInt8](UnsafeBufferPointer(start: base, count: byteCount))
    }
}
