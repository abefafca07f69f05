import Strongroom
import StrongroomCrypto
import StrongroomVault

extension VaultArea {
    /// Seals the key file with a passphrase, as the command does.
    func seal(with passphrase: String) throws {
        let bytes = Array(passphrase.utf8)
        try vault.setPassphrase(try SecretKey(copying: bytes.span))
    }
}
