import CSodium

/// Overwrites `bytes` with zeros in a way that the compiler cannot leave out (libsodium's
/// `sodium_memzero`), and empties it.
///
/// It reaches this array's own storage: an array that shares it keeps its bytes, and what an array
/// left behind when it grew is out of reach. Secrets that can choose live in `SecretBuffer`.
package func wipe(_ bytes: inout [UInt8]) {
    unsafe bytes.withUnsafeMutableBytes { buffer in
        if let base = buffer.baseAddress { unsafe sodium_memzero(base, buffer.count) }
    }
    bytes = []
}
