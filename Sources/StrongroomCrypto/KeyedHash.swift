import CSodium

/// Keyed BLAKE2b (RFC 7693; libsodium's `crypto_generichash`), keys of 16 to 64 bytes only:
/// libsodium takes 1 to 15 without a word and is unkeyed at 0.
///
/// With the lengths checked libsodium does not fail; if it did all the same the process would end,
/// since a hash of zeros must never be taken for one.
@safe package struct KeyedHash: ~Copyable {
    private let state: UnsafeMutableRawPointer
    private let byteCount: Int

    /// A hash of `byteCount` bytes, 16 to 64, fed piece by piece.
    package init(key: Span<UInt8>, byteCount: Int) throws(CryptoError) {
        try Self.check(key: key.count, byteCount: byteCount)
        // Aligned as `crypto_generichash_state` is declared.
        unsafe state = .allocate(byteCount: crypto_generichash_statebytes(), alignment: 64)
        self.byteCount = byteCount
        let target = unsafe state
        let status = unsafe key.withUnsafeBufferPointer { key in
            unsafe crypto_generichash_init(
                OpaquePointer(target), key.baseAddress, key.count, byteCount)
        }
        precondition(status == 0, "crypto_generichash_init")
    }

    deinit {
        unsafe sodium_memzero(state, crypto_generichash_statebytes())
        unsafe state.deallocate()
    }

    /// Adds `bytes` to what is hashed.
    package mutating func update(_ bytes: Span<UInt8>) {
        let target = unsafe state
        let status = unsafe bytes.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return Int32(0) }
            return unsafe crypto_generichash_update(
                OpaquePointer(target), base, UInt64(bytes.count))
        }
        precondition(status == 0, "crypto_generichash_update")
    }

    /// The hash of all that was added.
    package consuming func finish() -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: byteCount)
        let target = unsafe state
        let status = unsafe hash.withUnsafeMutableBufferPointer { hash in
            guard let base = hash.baseAddress else { return Int32(-1) }
            return unsafe crypto_generichash_final(OpaquePointer(target), base, hash.count)
        }
        precondition(status == 0, "crypto_generichash_final")
        return hash
    }

    /// The hash of `message` under `key` into all of `hash`, 16 to 64 bytes.
    package static func hash(
        _ message: Span<UInt8>, key: Span<UInt8>, into hash: inout MutableSpan<UInt8>
    ) throws(CryptoError) {
        try check(key: key.count, byteCount: hash.count)
        let status = unsafe hash.withUnsafeMutableBufferPointer { hash in
            unsafe message.withUnsafeBufferPointer { message in
                unsafe key.withUnsafeBufferPointer { key in
                    guard let base = hash.baseAddress else { return Int32(-1) }
                    return unsafe crypto_generichash(
                        base, hash.count, message.baseAddress, UInt64(message.count),
                        key.baseAddress, key.count)
                }
            }
        }
        guard status == 0 else { throw .unavailable(operation: "crypto_generichash") }
    }

    /// The hash of `message` under `key`, `byteCount` bytes (16 to 64).
    package static func hash(
        _ message: Span<UInt8>, key: Span<UInt8>, byteCount: Int
    ) throws(CryptoError) -> [UInt8] {
        try check(key: key.count, byteCount: byteCount)
        var result = [UInt8](repeating: 0, count: byteCount)
        var span = result.mutableSpan
        try hash(message, key: key, into: &span)
        return result
    }

    private static func check(key: Int, byteCount: Int) throws(CryptoError) {
        try Sodium.requireReady()
        guard (16...64).contains(key) else { throw .wrongLength(what: "hash key", byteCount: key) }
        guard (16...64).contains(byteCount) else {
            throw .wrongLength(what: "hash", byteCount: byteCount)
        }
    }
}
