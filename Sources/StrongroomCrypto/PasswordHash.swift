import CSodium

/// Argon2id version 1.3 (RFC 9106; libsodium's `crypto_pwhash`) at a cost within fixed limits.
package enum PasswordHash {
    /// Bytes of a salt.
    package static let saltByteCount = 16

    /// How much a guess costs.
    package struct Cost: Equatable, Sendable {
        /// Passes over the memory.
        package let passes: UInt64
        /// Bytes of memory.
        package let memoryByteCount: UInt64

        /// What this version writes: 3 passes over 256 MiB.
        package static let written = Cost(passes: 3, memoryByteCount: 256 << 20)

        /// A cost, unchecked; `isAllowed` says whether it will be paid.
        package init(passes: UInt64, memoryByteCount: UInt64) {
            self.passes = passes
            self.memoryByteCount = memoryByteCount
        }

        /// 8 MiB to 1 GiB, 1 to 16 passes, their product at most 4 GiB.
        package var isAllowed: Bool {
            (8 << 20...1 << 30).contains(memoryByteCount) && (1...16).contains(passes)
                && memoryByteCount * passes <= 4 << 30
        }
    }

    /// `byteCount` bytes from a passphrase and a salt of 16 bytes.
    ///
    /// The cost is checked before any memory is taken. Throws `.costOutOfRange`, `.wrongLength`
    /// (also for an empty passphrase), and `.unavailable` if the memory cannot be had.
    package static func derive(
        _ passphrase: Span<UInt8>, salt: Span<UInt8>, cost: Cost, byteCount: Int
    ) throws(CryptoError) -> SecretKey {
        guard cost.isAllowed else { throw .costOutOfRange }
        guard salt.count == saltByteCount else {
            throw .wrongLength(what: "salt", byteCount: salt.count)
        }
        guard (16...1024).contains(byteCount) else {
            throw .wrongLength(what: "password hash", byteCount: byteCount)
        }
        guard passphrase.count > 0, passphrase.count <= 1 << 20 else {
            throw .wrongLength(what: "passphrase", byteCount: passphrase.count)
        }
        let key = try SecretKey(zeroByteCount: byteCount)
        let status = unsafe passphrase.withUnsafeBytes { passphrase in
            unsafe salt.withUnsafeBufferPointer { salt in
                guard
                    let text = unsafe passphrase.assumingMemoryBound(to: CChar.self).baseAddress,
                    let salt = salt.baseAddress
                else { return Int32(-1) }
                return unsafe crypto_pwhash(
                    key.pointer, UInt64(byteCount), text, UInt64(passphrase.count), salt,
                    cost.passes, Int(cost.memoryByteCount), crypto_pwhash_ALG_ARGON2ID13)
            }
        }
        guard status == 0 else { throw .unavailable(operation: "crypto_pwhash") }
        return key
    }
}
