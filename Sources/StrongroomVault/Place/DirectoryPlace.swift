import StrongroomStores
import StrongroomSystem

/// A vault in a directory: `keyring`, `job`, and a ``LogStore`` or a ``DirectoryStore``.
///
/// The directory may be reached through symbolic links; below it none is followed.
struct DirectoryPlace: VaultPlace {
    static let keyringFile: Path = "keyring"
    static let jobFile: Path = "job"
    static let lockFiles: [Path] = [jobFile, "lock", "gate"]
    static let logFile: Path = "log"
    /// The file by which a store in the `.files` layout names its current generation.
    static let generationFile: Path = "entries"
    /// The file that a new keyring is first written to; the bare `%` marks it as ours.
    static let temporaryFile: Path = "keyring.%new"

    let path: Path
    let waitSeconds: Double
    let fileSystem: any FileSystem

    var name: String { path.description }
    var keepsAnchors: Bool { true }
    var keyringName: String { path.appending(Self.keyringFile).description }

    func readKeyring() throws(VaultError) -> [UInt8]? {
        guard let directory = try directory() else { return nil }
        do throws(SystemError) {
            let file = try directory.openFile(Self.keyringFile, [.read, .nonBlocking])
            if try file.status().kind == .regular {
                return try file.readAll(limit: KeyringFile.byteCountLimit)
            }
        } catch {
            switch error.code {
            case ErrorCode.noEntry: return nil
            case ErrorCode.link, ErrorCode.noDevice: break
            case ErrorCode.fileTooLarge:
                throw .vaultDamaged(
                    path: keyringName, what: "the keyring is larger than 64 KiB")
            default: throw VaultError(error)
            }
        }
        throw .vaultDamaged(path: keyringName, what: "the keyring is no regular file")
    }

    func replaceKeyring(_ bytes: [UInt8]) throws(VaultError) {
        let directory = try writableDirectory(try requiredDirectory())
        do {
            try AtomicFile.replace(
                Self.keyringFile, in: directory, with: bytes.span,
                temporaryName: Self.temporaryFile)
        } catch {
            throw VaultError(error)
        }
    }

    func syncKeyring() throws(VaultError) { try sync(Self.keyringFile) }

    func holdingJob<Result>(
        making: Bool, waitSeconds: Double, _ body: () throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        let directory: OpenFile
        let before = try self.directory()
        let isNew = making && before == nil
        if making {
            do {
                directory = try DirectoryMaker.ensure(path, fileSystem: fileSystem)
            } catch {
                throw VaultError(error)
            }
        } else {
            guard let found = try self.directory() else { return try body() }
            directory = found
        }
        let lock = FileLock(
            directory: try writableDirectory(directory), name: Self.jobFile, gate: nil)
        let held: HeldLock
        do {
            held = try lock.acquire(waitSeconds: waitSeconds)
        } catch {
            switch error.code {
            case ErrorCode.link, ErrorCode.isDirectory, ErrorCode.noDevice:
                throw .vaultDamaged(path: error.path, what: "it is no regular file")
            default: throw VaultError(error)
            }
        }
        defer { held.release() }
        do {
            return try body()
        } catch {
            if isNew { removeUnused(directory) }
            throw error
        }
    }

    /// Removes the directory that a first use which failed has made, if it left nothing in it but files to lock.
    private func removeUnused(_ directory: OpenFile) {
        do throws(SystemError) {
            let names = try directory.list().map(\.name)
            guard names.allSatisfy({ Self.lockFiles.contains($0) }) else { return }
            for name in names { try directory.unlink(name) }
            try fileSystem.removeDirectory(path, at: nil)
        } catch {
            // The error in hand says more; what is left is empty and in nobody's way.
        }
    }

    func sweep() throws(VaultError) {
        guard let directory = try directory() else { return }
        do {
            try directory.unlink(Self.temporaryFile)
        } catch {
            guard error.code == ErrorCode.noEntry else { throw VaultError(error) }
        }
    }

    /// The vault's directory, open; nil if there is none.
    func directory() throws(VaultError) -> OpenFile? {
        do {
            return try OpenFile.open(
                path, [.read, .directory, .followLink], fileSystem: fileSystem)
        } catch {
            if error.code == ErrorCode.noEntry { return nil }
            throw VaultError(error)
        }
    }

    private func requiredDirectory() throws(VaultError) -> OpenFile {
        guard let directory = try directory() else {
            throw .system(operation: "open", path: name, code: ErrorCode.noEntry)
        }
        return directory
    }

    /// The same directory; `.notOwner` if it is not ours to write in.
    private func writableDirectory(_ directory: OpenFile) throws(VaultError) -> OpenFile {
        let mayWrite: Bool
        do {
            mayWrite = DirectoryMaker.mayWrite(try directory.status())
        } catch {
            throw VaultError(error)
        }
        guard mayWrite else { throw .notOwner(path: name) }
        return directory
    }

    /// Syncs a file that somebody else may have left, then the directory that names it.
    func sync(_ file: Path) throws(VaultError) {
        let directory = try requiredDirectory()
        do {
            try directory.openFile(file, [.read, .nonBlocking]).sync()
            try directory.sync()
        } catch {
            throw VaultError(error)
        }
    }
}
