import StrongroomSystem

/// The directory that everything measured lies in; it is removed at the end.
struct Workplace {
    let path: Path
    private let fileSystem = RealFileSystem()

    /// A new directory below `parent`.
    init(below parent: Path) throws {
        let name = "strongroom-bench." + String(UInt64.random(in: 0 ... .max), radix: 36)
        path = parent.appending(Path(name))
        _ = try DirectoryMaker.ensure(path, fileSystem: fileSystem)
    }

    /// A new directory in it.
    func directory(_ name: String) throws -> OpenFile {
        let path = path.appending(Path(name))
        try remove(name)
        return try DirectoryMaker.ensure(path, fileSystem: fileSystem)
    }

    /// Removes a directory in it, if it is there.
    func remove(_ name: String) throws {
        let base = try OpenFile.open(path, [.read, .directory], fileSystem: fileSystem)
        if try base.status(of: Path(name)) != nil { try Self.remove(Path(name), in: base) }
    }

    /// Removes everything.
    func remove() throws {
        let parent = try OpenFile.open(
            path.parent, [.read, .directory, .followLink], fileSystem: fileSystem)
        try Self.remove(path.lastComponent, in: parent)
    }

    private static func remove(_ name: Path, in directory: OpenFile) throws {
        let inner = try directory.openFile(name, [.read, .directory])
        for item in try inner.list() {
            if item.kind == .directory {
                try remove(item.name, in: inner)
            } else {
                try inner.unlink(item.name)
            }
        }
        try directory.removeDirectory(name)
    }
}
