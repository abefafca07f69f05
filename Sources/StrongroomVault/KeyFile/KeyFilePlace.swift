import StrongroomCrypto
import StrongroomSystem

/// A key file, which may be reached through symbolic links; its successor and temporary files lie beside the
/// file that its path ends at.
struct KeyFilePlace: KeyPlace {
    /// What stands after the key file's name in its successor's.
    static let nextSuffix = Path(".next")
    /// The same of the file that a new key is first written to; the bare `%` marks it as ours.
    static let temporarySuffix = Path(".%new")

    let path: Path
    let isCredential: Bool
    /// The directory whose owner may own the key too.
    let container: Path?
    let fileSystem: any FileSystem

    var name: String { path.description }
    var isWritable: Bool { !isCredential }

    func candidates() throws(VaultError) -> [KeyCandidate] {
        let reader = KeyFileAccess(
            isCredential: isCredential, container: container, fileSystem: fileSystem)
        let target: Path
        do {
            target = try KeyFileLink.end(of: path, fileSystem: fileSystem)
        } catch {
            guard case .masterKeyMalformed = error else { throw error }
            return [KeyCandidate(slot: .current, name: name, failure: error)]
        }
        var found: [KeyCandidate] = []
        if let key = try reader.read(target, slot: .current) { found.append(key) }
        if isWritable, let next = try reader.read(target.with(Self.nextSuffix), slot: .next) {
            found.append(next)
        }
        return found
    }

    func holdingLock<Result>(
        making: Bool, waitSeconds: Double, _ body: () throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        guard isWritable else { return try body() }
        let target = try KeyFileLink.end(of: path, fileSystem: fileSystem)
        let lock: DirectoryLock
        do throws(SystemError) {
            if making { _ = try DirectoryMaker.ensure(target.parent, fileSystem: fileSystem) }
            lock = try DirectoryLock(
                target.parent, waitSeconds: waitSeconds, fileSystem: fileSystem)
        } catch {
            // Without its directory there is no key to be changed.
            if error.code == ErrorCode.noEntry, !making { return try body() }
            throw VaultError(error)
        }
        defer { lock.release() }
        return try body()
    }

    func checkMaking() throws(VaultError) {
        guard isWritable else { throw .masterKeyMissing(path: name) }
        let directory = try KeyFileLink.end(of: path, fileSystem: fileSystem).parent
        let mayWrite: Bool
        do {
            mayWrite = DirectoryMaker.mayWrite(
                try fileSystem.status(ofPath: directory, followLink: true))
        } catch {
            // It will be made, and be ours.
            if error.code == ErrorCode.noEntry { return }
            throw VaultError(error)
        }
        guard mayWrite else { throw .notOwner(path: directory.description) }
    }

    func make(_ text: SecretKey) throws(VaultError) {
        try changing { (directory, name) throws(SystemError) in
            try AtomicFile.replace(
                name, in: directory, with: text.bytes,
                temporaryName: name.with(Self.temporarySuffix),
                exclusive: true)
        }
    }

    func replace(_ text: SecretKey) throws(VaultError) {
        try changing { (directory, name) throws(SystemError) in
            try AtomicFile.replace(
                name, in: directory, with: text.bytes,
                temporaryName: name.with(Self.temporarySuffix))
        }
    }

    func makeNext(_ text: SecretKey) throws(VaultError) {
        try changing { (directory, name) throws(SystemError) in
            let next = try directory.openFile(
                name.with(Self.nextSuffix), [.write, .create, .exclusive])
            do throws(SystemError) {
                try next.write(text.bytes, at: 0)
                try next.sync()
            } catch {
                // The error in hand says more than one of tidying up.
                try? directory.unlink(name.with(Self.nextSuffix))
                throw error
            }
            try directory.sync()
        }
    }

    func moveNext() throws(VaultError) {
        try changing { (directory, name) throws(SystemError) in
            try directory.rename(name.with(Self.nextSuffix), to: name)
            try directory.sync()
        }
    }

    func removeNext() throws(VaultError) {
        try changing { (directory, name) throws(SystemError) in
            try directory.unlink(name.with(Self.nextSuffix))
            try directory.sync()
        }
    }

    func sync() throws(VaultError) {
        // A credential's bytes are the business of who delivers it.
        guard isWritable else { return }
        let target = try KeyFileLink.end(of: path, fileSystem: fileSystem)
        do {
            let directory = try OpenFile.open(
                target.parent, [.read, .directory, .followLink], fileSystem: fileSystem)
            for each in [target.lastComponent, target.lastComponent.with(Self.nextSuffix)] {
                guard try directory.status(of: each)?.kind == .regular else { continue }
                try directory.openFile(each, [.read, .nonBlocking]).sync()
            }
            try directory.sync()
        } catch {
            // A disk that takes no writes has nothing to sync.
            if error.code == ErrorCode.readOnly { return }
            throw VaultError(error)
        }
    }

    func sweep() throws(VaultError) {
        guard isWritable else { return }
        let target = try KeyFileLink.end(of: path, fileSystem: fileSystem)
        do throws(SystemError) {
            let directory = try OpenFile.open(
                target.parent, [.read, .directory, .followLink], fileSystem: fileSystem)
            let leftover = target.lastComponent.with(Self.temporarySuffix)
            guard try directory.status(of: leftover) != nil else { return }
            try directory.unlink(leftover)
        } catch {
            if error.code == ErrorCode.noEntry { return }
            throw VaultError(error)
        }
    }

    /// Runs `change` on the directory and the name that the key's path ends at.
    private func changing(
        _ change: (OpenFile, Path) throws(SystemError) -> Void
    ) throws(VaultError) {
        guard isWritable else { throw .keyIsNotWritable(name) }
        let target = try KeyFileLink.end(of: path, fileSystem: fileSystem)
        let name: Path
        let directory: OpenFile
        let status: FileStatus
        do throws(SystemError) {
            name = try target.fileName()
            directory = try OpenFile.open(
                target.parent, [.read, .directory, .followLink], fileSystem: fileSystem)
            status = try directory.status()
        } catch {
            throw VaultError(error)
        }
        guard DirectoryMaker.mayWrite(status) else {
            throw .notOwner(path: target.parent.description)
        }
        do {
            try change(directory, name)
        } catch {
            if error.code == ErrorCode.exists {
                throw .exists(path: error.path, what: "a file of that name is there already")
            }
            throw VaultError(error)
        }
    }
}

extension Path {
    /// The path with `suffix` put to its last component.
    func with(_ suffix: Path) -> Path { Path(bytes: bytes + suffix.bytes) }
}
