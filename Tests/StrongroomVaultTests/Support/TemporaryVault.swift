import StrongroomCrypto
import StrongroomStores
import StrongroomSystem

@testable import StrongroomVault

/// A directory of its own for one test, with a vault's place in it, removed with the last reference.
final class TemporaryVault: Sendable {
    /// What a vault here has if a test does not say; ``BothLayouts`` runs tests with either.
    @TaskLocal static var defaultLayout = VaultLayout.files

    let root: Path
    let layout: VaultLayout
    let fileSystem: any FileSystem

    init(
        _ layout: VaultLayout = defaultLayout,
        fileSystem: any FileSystem = KillingFileSystem.unsynced
    ) throws {
        self.layout = layout
        self.fileSystem = fileSystem
        root = Path("/tmp/strongroom-vault-" + Hexadecimal.text(of: try Randomness.bytes(8)))
        _ = try DirectoryMaker.ensure(root, syncs: false, fileSystem: RealFileSystem())
    }

    deinit { Tree.remove(root) }

    var directory: Path { root.appending("vault") }
    var key: Path { root.appending("master.key") }
    var nextKey: Path { root.appending("master.key.next") }
    var keyring: Path { directory.appending("keyring") }

    /// A vault as a process of its own would open it.
    func vault(
        _ change: (inout VaultConfiguration) -> Void = { _ in }
    ) -> Vault {
        var configuration = VaultConfiguration(
            app: "com.example.app", location: .directory(directory),
            masterKey: .file(key, isCredential: false), fileSystem: fileSystem,
            now: { Clock.now() })
        configuration.waitSeconds = 20
        configuration.ownDirectories = [root]
        configuration.layout = layout
        change(&configuration)
        return Vault(configuration)
    }
}

/// Files as tests look at them, past every wrapper.
enum Tree {
    static func read(_ path: Path) throws -> [UInt8] {
        try OpenFile.open(path, [.read], fileSystem: RealFileSystem()).readAll(limit: 1 << 26)
    }

    static func write(_ bytes: [UInt8], to path: Path, mode: UInt16 = 0o600) throws {
        let file = try OpenFile.open(
            path, [.write, .create], mode: mode, fileSystem: RealFileSystem())
        try file.truncate(to: 0)
        try file.write(bytes.span, at: 0)
    }

    static func exists(_ path: Path) throws -> Bool {
        do {
            _ = try RealFileSystem().status(path, at: nil, followLink: false)
            return true
        } catch {
            if error.code == ErrorCode.noEntry { return false }
            throw error
        }
    }

    static func unlink(_ path: Path) throws {
        try RealFileSystem().unlink(path, at: nil)
    }

    static func move(_ path: Path, to other: Path) throws {
        try RealFileSystem().rename(path, at: nil, to: other, at: nil, .replace)
    }

    /// Every file below `path`, by its path from there.
    static func files(_ path: Path) throws -> [Path: [UInt8]] {
        var found: [Path: [UInt8]] = [:]
        let directory = try OpenFile.open(
            path, [.read, .directory], fileSystem: RealFileSystem())
        for item in try directory.list() {
            let status = try directory.status(of: item.name)
            if status?.kind == .directory {
                for (name, bytes) in try files(path.appending(item.name)) {
                    found[item.name.appending(name)] = bytes
                }
            } else if status?.kind == .regular {
                found[item.name] = try read(path.appending(item.name))
            }
        }
        return found
    }

    /// Makes `path` a directory of exactly these files.
    static func restore(_ files: [Path: [UInt8]], to path: Path) throws {
        remove(path)
        _ = try DirectoryMaker.ensure(path, syncs: false, fileSystem: RealFileSystem())
        for (name, bytes) in files {
            let file = path.appending(name)
            _ = try DirectoryMaker.ensure(
                file.parent, syncs: false, fileSystem: RealFileSystem())
            try write(bytes, to: file)
        }
    }

    static func remove(_ path: Path) {
        let system = RealFileSystem()
        do {
            let directory = try OpenFile.open(path, [.read, .directory], fileSystem: system)
            for item in try directory.list() {
                if try directory.status(of: item.name)?.kind == .directory {
                    remove(path.appending(item.name))
                } else {
                    try directory.unlink(item.name)
                }
            }
            try system.removeDirectory(path, at: nil)
        } catch {
            // A test may have removed it already.
        }
    }
}
