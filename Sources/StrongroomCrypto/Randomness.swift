import CSodium

/// Random bytes that are no secret: salts, ids, file names (libsodium's `randombytes_buf`, that is
/// `getrandom(2)`; libsodium ends the process if the kernel has none to give).
package enum Randomness {
    /// `byteCount` fresh random bytes.
    package static func bytes(_ byteCount: Int) throws(CryptoError) -> [UInt8] {
        guard byteCount >= 0 else { throw .wrongLength(what: "randomness", byteCount: byteCount) }
        var bytes = [UInt8](repeating: 0, count: byteCount)
        var span = bytes.mutableSpan
        try fill(&span)
        return bytes
    }

    /// Overwrites all of `bytes` with fresh random ones.
    static func fill(_ bytes: inout MutableSpan<UInt8>) throws(CryptoError) {
        try Sodium.requireReady()
        unsafe bytes.withUnsafeMutableBytes { buffer in
            if let base = buffer.baseAddress { unsafe randombytes_buf(base, buffer.count) }
        }
    }
}
