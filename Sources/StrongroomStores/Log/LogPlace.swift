import StrongroomSystem

/// Where a log is, and what goes with it.
struct LogPlace: Sendable {
    /// The vault's directory, which may be reached through links.
    let path: Path
    let fileSystem: any FileSystem
    let keys: any LogKeys
    let anchor: (any LogAnchor)?
    /// This boot of the machine.
    let boot: Bytes16
    /// True if a log older than the anchor, or than what was seen, is read all the same.
    var acceptsRollback: Bool
    /// False where calls are simulated, and so is time.
    let checksLockName: Bool

    /// The log in the directory at `path`, which must be there and on a disk and a host that fit.
    static func at(
        _ path: Path, keys: any LogKeys, anchor: (any LogAnchor)?, acceptsRollback: Bool,
        fileSystem: any FileSystem
    ) throws(StoreError) -> LogPlace {
        let directory = try openDirectory(path, fileSystem)
        return LogPlace(
            path: path, fileSystem: fileSystem, keys: keys, anchor: anchor,
            boot: try boot(directory, fileSystem), acceptsRollback: acceptsRollback,
            checksLockName: fileSystem is RealFileSystem)
    }

    /// The directory, opened anew: it may have been replaced.
    func openDirectory() throws(StoreError) -> OpenFile {
        try Self.openDirectory(path, fileSystem)
    }

    /// What has the directory's path now; nil if nothing has.
    func status() throws(StoreError) -> FileStatus? { try status(path, followLink: true) }

    /// What has that name in the directory that has the path now, a link as such; nil if nothing has.
    func status(of name: Path) throws(StoreError) -> FileStatus? {
        try status(path.appending(name), followLink: false)
    }

    private func status(_ path: Path, followLink: Bool) throws(StoreError) -> FileStatus? {
        do {
            return try fileSystem.status(ofPath: path, followLink: followLink)
        } catch {
            if error.code == ErrorCode.noEntry { return nil }
            throw StoreError(error)
        }
    }

    private static func openDirectory(
        _ path: Path, _ fileSystem: any FileSystem
    ) throws(StoreError) -> OpenFile {
        do {
            return try OpenFile.open(
                path, [.read, .directory, .followLink], fileSystem: fileSystem)
        } catch {
            guard error.code == ErrorCode.noEntry else { throw StoreError(error) }
            throw .absent(path: path.description)
        }
    }

    /// This boot, on a host that says which it is; a disk that is shared by machines is refused.
    static func boot(
        _ directory: OpenFile, _ fileSystem: any FileSystem
    ) throws(StoreError) -> Bytes16 {
        let advice = "keep the vault in the layout of files (--layout files)"
        guard try !system(try directory.isOnNetwork()) else {
            throw .unsuitable(
                path: directory.path.description,
                what: "a log cannot be kept on a network file system; " + advice)
        }
        guard let text = try system(try Identity.bootID(fileSystem: fileSystem)),
            let boot = LogHint.boot(text)
        else {
            throw .unsuitable(
                path: directory.path.description,
                what: "a log needs a kernel that names its boots; " + advice)
        }
        return boot
    }
}
