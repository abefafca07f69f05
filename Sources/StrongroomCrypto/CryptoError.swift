/// What can go wrong below the wall of libsodium; no case holds a byte of a key or a value.
package enum CryptoError: Error, Equatable, Sendable {
    /// `what` had `byteCount` bytes, which libsodium's function does not take.
    case wrongLength(what: String, byteCount: Int)
    /// A box does not open: another key, another nonce, or altered bytes.
    case cannotOpen
    /// A password-hashing cost lies outside the limits that this product reads or writes.
    case costOutOfRange
    /// libsodium, or the system behind it, had no memory or no randomness.
    case unavailable(operation: String)
    /// A sealing was asked for twice of one nonce, or after the last box.
    case sealingFinished
}
