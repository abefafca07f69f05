import StrongroomCrypto

/// What a process knows of its vault, beside the disk.
struct VaultState: Sendable {
    /// A sealed key file's text and the key that was in it: what costs a second is done once.
    struct UnsealedKey: Sendable {
        let text: SecretBytes
        let key: MasterKey
    }

    /// The vault as it was opened last.
    var opened: OpenVault?
    /// What opened the sealed key, kept to open its successor.
    var passphrase: SecretKey?
    var unsealed: UnsealedKey?

    /// Forgets what opens keys, after it did not.
    mutating func forgetPassphrase() {
        passphrase = nil
        unsealed = nil
    }
}
