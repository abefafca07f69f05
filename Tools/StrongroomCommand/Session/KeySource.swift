import StrongroomCrypto
import StrongroomSystem
import StrongroomVault

/// The master key's source: what was named, else its usual place.
enum KeySource {
    /// The longest text of a key, in bytes.
    static let byteCountLimit = 65_536

    /// The source for a run.
    ///
    /// A named one that gives nothing is found here, before anything is made: a file that is not there is made only by
    /// the commands that are asked for a key.
    static func source(for session: Session) throws(Failure) -> MasterKeySource {
        let directories = try session.settings().directories
        guard
            let named = try SecretSource.named(
                .masterKey, session.invocation, session.environment)
        else {
            return .file(
                directories.masterKey.path, isCredential: directories.masterKeyIsCredential)
        }
        if named.kind == .file { return try file(Path(bytes: named.value), session) }
        let text = try session.secrets.read(named, limit: byteCountLimit)
        guard text.byteCount > 0 else { throw Failure(.masterKey, named.name, "gives nothing") }
        return .text(try locked(text, from: named.name), name: named.name)
    }

    private static func file(
        _ path: Path, _ session: Session
    ) throws(Failure) -> MasterKeySource {
        let credentials = session.environment.absolutePath("CREDENTIALS_DIRECTORY")
        let source = MasterKeySource.file(path, isCredential: path.parent == credentials)
        if session.invocation.command == .initialize { return source }
        if session.invocation.command == .keyImport { return source }
        do throws(SystemError) {
            _ = try session.fileSystem.status(path, at: nil, followLink: false)
        } catch {
            guard error.code == ErrorCode.noEntry || error.code == ErrorCode.notDirectory else {
                return source
            }
            throw Failure(.masterKeyMissing(path: path.description))
        }
        return source
    }

    /// A key's text in locked memory.
    static func locked(
        _ text: borrowing SecretBuffer, from name: String
    ) throws(Failure) -> SecretKey {
        do throws(CryptoError) {
            return try SecretKey(copying: text.bytes)
        } catch {
            if case .wrongLength = error {
                throw Failure(.masterKey, name, "the text is longer than that of any key")
            }
            throw Failure(.failed, name, "no locked memory can be had")
        }
    }
}
