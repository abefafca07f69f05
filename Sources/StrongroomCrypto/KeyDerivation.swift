import CSodium

/// Subkeys of a 32-byte key (libsodium's `crypto_kdf`: BLAKE2b with salt and context).
package enum KeyDerivation {
    /// Subkey `number` of `key` in `context` (8 ASCII bytes), 16 to 64 bytes, in locked memory.
    package static func subkey(
        _ number: UInt64, byteCount: Int = 32, context: String, of key: Span<UInt8>
    ) throws(CryptoError) -> SecretKey {
        let context = Array(context.utf8)
        guard key.count == Int(crypto_kdf_KEYBYTES) else {
            throw .wrongLength(what: "key to derive from", byteCount: key.count)
        }
        guard context.count == Int(crypto_kdf_CONTEXTBYTES) else {
            throw .wrongLength(what: "key derivation context", byteCount: context.count)
        }
        guard (Int(crypto_kdf_BYTES_MIN)...Int(crypto_kdf_BYTES_MAX)).contains(byteCount) else {
            throw .wrongLength(what: "subkey", byteCount: byteCount)
        }
        let subkey = try SecretKey(zeroByteCount: byteCount)
        let status = unsafe key.withUnsafeBufferPointer { key in
            unsafe context.withUnsafeBytes { context in
                guard let key = key.baseAddress,
                    let context = unsafe context.assumingMemoryBound(to: CChar.self).baseAddress
                else { return Int32(-1) }
                return unsafe crypto_kdf_derive_from_key(
                    subkey.pointer, byteCount, number, context, key)
            }
        }
        guard status == 0 else { throw .unavailable(operation: "crypto_kdf_derive_from_key") }
        return subkey
    }
}
