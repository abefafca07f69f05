import StrongroomCrypto
import StrongroomSystem

/// A key file in a place that the user named: 0600, durable, and never over another file.
enum NewKeyFile {
    /// Makes the file, whose directory is there; `.exists` if the name is taken.
    static func write(
        _ text: SecretKey, at path: Path, fileSystem: any FileSystem
    ) throws(VaultError) {
        do {
            let name = try path.fileName()
            let directory = try OpenFile.open(
                path.parent, [.read, .directory, .followLink], fileSystem: fileSystem)
            try AtomicFile.replace(
                name, in: directory, with: text.bytes,
                temporaryName: name.with(KeyFilePlace.temporarySuffix), exclusive: true)
        } catch {
            if error.code == ErrorCode.exists {
                throw .exists(path: path.description, what: "a file is there already")
            }
            throw VaultError(error)
        }
    }
}
