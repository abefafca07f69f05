import StrongroomCrypto
import StrongroomSystem
import StrongroomVault

/// Where a container's vault finds its master key.
public enum MasterKeyChoice: Sendable {
    /// The places of the platform: `$CREDENTIALS_DIRECTORY/strongroom.key` with systemd, else
    /// `master.key` in the app's configuration directory, or below the root that was given.
    case standard
    /// A key file, which a rotation replaces; made if there is neither vault nor key.
    case file(String)
    /// The text of a key file, got elsewhere; a rotation cannot replace it.
    case text(Secret)
}

extension MasterKeyChoice {
    /// What the vault is to open.
    func source(in directories: AppDirectories) throws(StrongroomError) -> MasterKeySource {
        switch self {
        case .standard:
            return .file(
                directories.masterKey.path, isCredential: directories.masterKeyIsCredential)
        case .file(let path):
            guard let whole = WorkingDirectory.absolute(Path(path)) else {
                throw .notPossible(what: "the working directory is gone: give a whole path")
            }
            let credentials = Environment.current.absolutePath("CREDENTIALS_DIRECTORY")
            return .file(whole, isCredential: whole.parent == credentials)
        case .text(let secret):
            do {
                let text = try secret.withBytes { bytes in try SecretKey(copying: bytes) }
                return .text(text, name: Self.textName)
            } catch {
                throw .masterKeyMalformed(path: Self.textName, reason: "too long for a key file")
            }
        }
    }

    /// What messages call a key that was given as text.
    private static let textName = "the key given"
}
