import StrongroomCrypto
import Synchronization

extension Vault {
    /// A key file's text, sealed if there is a passphrase.
    ///
    /// This process will open it without asking, and without taking the time again.
    func keyText(
        of key: MasterKey, vaultID: [UInt8]?, passphrase: SecretKey?
    ) throws(VaultError) -> SecretKey {
        guard let passphrase else { return try MasterKeyFile.text(of: key, vaultID: vaultID) }
        let text = try MasterKeyFile.sealedText(
            of: key, vaultID: vaultID, passphrase: passphrase,
            cost: configuration.passphraseCost)
        let copy = SecretBytes(SecretBuffer(copying: text.bytes))
        state.withLock { state in
            state.passphrase = passphrase
            state.unsealed = VaultState.UnsealedKey(text: copy, key: key)
        }
        return text
    }

    /// The master key in a sound key file, with the passphrase that this process has, or asks for now.
    func unsealed(
        _ candidate: KeyCandidate, _ file: MasterKeyFile
    ) throws(VaultError) -> MasterKey {
        let reading = reading
        return try state.withLock { (state: inout VaultState) throws(VaultError) -> MasterKey in
            try reading.open(candidate, file, &state)
        }
    }

    /// The passphrase that opened the key in use; its successor gets the same.
    func keptPassphrase(_ name: String) throws(VaultError) -> SecretKey {
        guard let passphrase = state.withLock({ $0.passphrase }) else {
            throw .passphraseMissing(path: name)
        }
        return passphrase
    }

    /// Throws `.exists` if a key file beside the one in use belongs to another vault.
    func refuseForeignKeys(_ opened: OpenVault) throws(VaultError) {
        for candidate in try keys.candidates() {
            if let vaultID = candidate.vaultID, vaultID != opened.keyring.vaultID {
                throw .exists(path: candidate.name, what: "it is a key of another vault")
            }
        }
    }
}
