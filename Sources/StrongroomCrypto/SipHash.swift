import CSodium

/// SipHash-2-4 with a 64-bit result (libsodium's `crypto_shorthash`): a sum that finds damage.
///
/// It is no protection from somebody who knows its key.
package enum SipHash {
    /// The sum of `message` under a 16-byte key, as a little-endian number.
    package static func sum(
        _ message: Span<UInt8>, key: Span<UInt8>
    ) throws(CryptoError) -> UInt64 {
        try Sodium.requireReady()
        guard key.count == Int(crypto_shorthash_KEYBYTES) else {
            throw .wrongLength(what: "SipHash key", byteCount: key.count)
        }
        var sum: UInt64 = 0
        let status = unsafe withUnsafeMutableBytes(of: &sum) { out in
            unsafe message.withUnsafeBufferPointer { message in
                unsafe key.withUnsafeBufferPointer { key in
                    var none: UInt8 = 0
                    guard let key = key.baseAddress,
                        let out = unsafe out.assumingMemoryBound(to: UInt8.self).baseAddress
                    else { return Int32(-1) }
                    guard let base = message.baseAddress else {
                        return unsafe crypto_shorthash(out, &none, 0, key)
                    }
                    return unsafe crypto_shorthash(out, base, UInt64(message.count), key)
                }
            }
        }
        guard status == 0 else { throw .unavailable(operation: "crypto_shorthash") }
        return UInt64(littleEndian: sum)
    }
}
