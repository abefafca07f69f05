package import StrongroomCrypto
import Synchronization

// The passphrase of the key file. Keyring and entries stay as they are; older copies of the file stay
// valid until a rotation.
extension Vault {
    /// Seals the key file with a passphrase, or with another one.
    ///
    /// `.notPossible` for the empty passphrase or a key that is not written here, `.exists` if a key
    /// of another vault lies beside it.
    package func setPassphrase(_ new: SecretKey) throws(VaultError) {
        guard new.byteCount > 0 else {
            throw .notPossible(what: "an empty passphrase protects nothing; give one")
        }
        try replaceKey(passphrase: new)
    }

    /// Leaves the key file in clear, for whoever may read the file.
    package func removePassphrase() throws(VaultError) {
        try replaceKey(passphrase: nil)
        state.withLock { $0.forgetPassphrase() }
    }

    private func replaceKey(passphrase: SecretKey?) throws(VaultError) {
        guard keys.isWritable else {
            throw .notPossible(
                what: "the master key comes from \(keys.name), which is not written here")
        }
        try exclusively { () throws(VaultError) in
            let opened = try tidied(try openedForChange())
            try refuseForeignKeys(opened)
            try keys.replace(
                try keyText(
                    of: opened.masterKey, vaultID: opened.keyring.vaultID,
                    passphrase: passphrase))
        }
    }
}
