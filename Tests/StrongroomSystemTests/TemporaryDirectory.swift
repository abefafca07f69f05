import Glibc
import StrongroomSystem
import Synchronization
import Testing

/// A directory of one test's own, removed with its last reference.
final class TemporaryDirectory: Sendable {
    private static let count = Mutex(0)

    let path: Path
    let directory: OpenFile

    init() throws {
        let number = Self.count.withLock { count in
            count += 1
            return count
        }
        path = Path("/tmp/strongroom-system-\(Identity.process)-\(number)")
        let parent = try OpenFile.open(
            "/tmp", [.read, .directory, .followLink], fileSystem: RealFileSystem())
        directory = try parent.makeDirectory(path.lastComponent)
    }

    deinit {
        // A test that fails says why; what it leaves in /tmp says no more.
        try? Self.remove(path.lastComponent, in: path.parent)
    }

    /// The text of the file `name`.
    func text(_ name: Path) throws -> String {
        let file = try directory.openFile(name, [.read])
        return String(decoding: try file.readAll(limit: 1 << 20), as: UTF8.self)
    }

    /// Makes or replaces the file `name`.
    func write(_ text: String, to name: Path) throws {
        let file = try directory.openFile(name, [.write, .create])
        try file.truncate(to: 0)
        let bytes = Array(text.utf8)
        try file.write(bytes.span, at: 0)
    }

    /// The names in the directory, sorted.
    func names() throws -> [String] {
        try directory.list().map(\.name.description).sorted()
    }

    private static func remove(_ name: Path, in parent: Path) throws {
        let system = RealFileSystem()
        let directory = try OpenFile.open(
            parent.appending(name), [.read, .directory], fileSystem: system)
        for item in try directory.list() {
            if item.kind == .directory {
                try remove(item.name, in: directory.path)
            } else {
                try directory.unlink(item.name)
            }
        }
        try system.removeDirectory(directory.path, at: nil)
    }
}

extension TemporaryDirectory {
    /// Makes the symbolic link `name` to `target`.
    func link(to target: Path, as name: Path) throws {
        let place = path.appending(name).description
        try #require(unsafe symlink(target.description, place) == 0)
    }
}
