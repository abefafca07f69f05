import StrongroomSystem

/// A directory of one test's own, removed with its last reference.
final class TemporaryDirectory: Sendable {
    let path: Path
    let directory: OpenFile

    /// A fresh directory; with `inMemory` where syncing costs nothing, if there is such a place.
    init(inMemory: Bool = false) throws {
        let system = RealFileSystem()
        let shared = try? system.status("/dev/shm", at: nil, followLink: true)
        let place: Path = inMemory && shared?.kind == .directory ? "/dev/shm" : "/tmp"
        let number = UInt64.random(in: 0 ... .max)
        path = place.appending(
            Path("strongroom-stores-\(Identity.process)-\(String(number, radix: 36))"))
        let parent = try OpenFile.open(
            place, [.read, .directory, .followLink], fileSystem: system)
        directory = try parent.makeDirectory(path.lastComponent)
    }

    deinit {
        // A test that fails says why; what it leaves in /tmp says no more.
        try? Self.removeAll(in: directory)
        try? RealFileSystem().removeDirectory(path, at: nil)
    }

    /// Every file and folder below the directory `name`, by its path from there, folders with a slash, sorted.
    func paths(below name: Path) throws -> [String] {
        try Self.paths(in: try directory.openFile(name, [.read, .directory])).sorted()
    }

    /// The bytes of the file at a path of names.
    func bytes(_ names: Path...) throws -> [UInt8] {
        try file(names, [.read]).readAll(limit: 1 << 30)
    }

    /// Makes the file at a path of names, and its folders; an old one is replaced.
    func write(_ bytes: [UInt8], to names: Path...) throws {
        let folder = try folder(Array(names.dropLast()))
        let file = try folder.openFile(names[names.count - 1], [.write, .create])
        try file.truncate(to: 0)
        try file.write(bytes.span, at: 0)
    }

    /// Opens the file at a path of names.
    func file(_ names: [Path], _ options: OpenOptions) throws -> OpenFile {
        try folder(Array(names.dropLast())).openFile(names[names.count - 1], options)
    }

    /// Opens the folder at a path of names, made if it is missing.
    func folder(_ names: [Path]) throws -> OpenFile {
        var folder = directory
        for name in names {
            if try folder.status(of: name) == nil { try folder.makeDirectory(name) }
            folder = try folder.openFile(name, [.read, .directory])
        }
        return folder
    }

    private static func paths(in folder: OpenFile) throws -> [String] {
        var paths: [String] = []
        for item in try folder.list() {
            if item.kind == .directory {
                let below = try folder.openFile(item.name, [.read, .directory])
                paths.append("\(item.name)/")
                paths += try Self.paths(in: below).map { "\(item.name)/\($0)" }
            } else {
                paths.append(item.name.description)
            }
        }
        return paths
    }

    private static func removeAll(in folder: OpenFile) throws {
        for item in try folder.list() {
            if item.kind == .directory {
                try folder.openFile(item.name, [.read, .directory]).changeMode(to: 0o700)
                try removeAll(in: try folder.openFile(item.name, [.read, .directory]))
                try folder.removeDirectory(item.name)
            } else {
                try folder.unlink(item.name)
            }
        }
    }
}
