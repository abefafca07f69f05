import Glibc
import StrongroomSystem
import Testing

@testable import StrongroomVault

/// What lies in the place of one of the vault's own files and is no file of ours.
@Suite(.bothLayouts) struct MisplacedFileTests {
    enum Thing: String, CaseIterable, Sendable {
        case link, danglingLink, hardLink, fifo, socket, device, directory

        /// Puts it at `path`; a link leads to `victim`.
        func make(at path: Path, victim: Path) throws {
            let name = path.description
            let result: Int32 =
                switch self {
                case .link: unsafe symlink(victim.description, name)
                case .danglingLink: unsafe symlink("nowhere", name)
                case .hardLink: unsafe Glibc.link(victim.description, name)
                case .fifo: unsafe mkfifo(name, 0o600)
                case .socket: unsafe mknod(name, S_IFSOCK | 0o600, 0)
                // The one of zeros without end.
                case .device: unsafe mknod(name, S_IFCHR | 0o600, 0x105)
                case .directory: unsafe mkdir(name, 0o700)
                }
            try #require(result == 0)
        }
    }

    /// The vault's files, the store's own by both its layouts' names.
    enum Place: String, CaseIterable, Sendable {
        case keyring, log, entries, lock, gate, job, index, anchor

        func path(in place: TemporaryVault) throws -> Path? {
            guard self == .anchor else {
                let path = place.directory.appending(Path(rawValue))
                return try Tree.exists(path) ? path : nil
            }
            let root = try OpenFile.open(
                place.root, [.read, .directory], fileSystem: RealFileSystem())
            for item in try root.list() where item.name.description.hasSuffix(".anchor") {
                return place.root.appending(item.name)
            }
            return nil
        }
    }

    private static func expect<Value: Equatable>(_ value: Value, _ right: Value) {
        #expect(value == right)
    }

    @Test(arguments: Place.allCases, Thing.allCases)
    func `it is refused or passed over at once, never written through, and nothing is lost`(
        file: Place, thing: Thing
    ) throws {
        if thing == .device, !Identity.isRoot { return }
        let place = try TemporaryVault()
        for key in ["a", "b"] { try place.vault().set(key, "value of \(key)") }
        _ = try place.vault().rotate(RotationOptions())
        guard let path = try file.path(in: place) else { return }
        let (aside, victim) = (place.root.appending("aside"), place.root.appending("victim"))
        let bytes = try Tree.read(path)
        // Sound bytes behind a link are no more ours than others.
        try Tree.write(bytes, to: victim)
        try Tree.move(path, to: aside)
        try thing.make(at: path, victim: victim)
        let start = Clock.monotonic()
        let uses: [(name: String, use: () throws -> Void)] = [
            ("get", { try Self.expect(place.vault().get("a"), "value of a") }),
            ("list", { try Self.expect(place.vault().list().entries.count, 2) }),
            ("status", { _ = try place.vault().status() }),
            ("check", { _ = try place.vault().check(progress: nil) }),
            ("set", { try place.vault().set("b", "value of b") }),
            ("rotate", { _ = try place.vault().rotate(RotationOptions()) }),
        ]
        for (name, use) in uses {
            switch failure(use) {
            case nil, .vaultDamaged, .notPossible: continue
            case let error?: Issue.record("\(name): \(error)")
            }
        }
        #expect(Clock.monotonic() - start < 20_000_000_000)
        #expect(try Tree.read(victim) == bytes)
        // With what was put by in its right place, where no file of ours has been made anew since, and all is as it was.
        let found = try RealFileSystem().status(path, at: nil, followLink: false)
        if found.kind != .regular || found.linkCount > 1 {
            if found.kind == .directory {
                try RealFileSystem().removeDirectory(path, at: nil)
            } else {
                try Tree.unlink(path)
            }
            try Tree.move(aside, to: path)
        }
        try place.vault().set("b", "new")
        _ = try place.vault().rotate(RotationOptions())
        #expect(try place.vault().get("a") == "value of a")
        #expect(try place.vault().get("b") == "new")
        #expect(try place.vault().check(progress: nil).findings == [])
    }

    @Test(arguments: [Place.log, .lock, .entries])
    func `a file of two names is read, and not written where it lies`(file: Place) throws {
        let place = try TemporaryVault()
        try place.vault().set("a", "1")
        guard let path = try file.path(in: place) else { return }
        let other = place.root.appending("other")
        try #require(unsafe Glibc.link(path.description, other.description) == 0)
        let bytes = try Tree.read(other)
        let error = failure { try place.vault().set("a", "2") }
        #expect(try Tree.read(other) == bytes)
        if file == .entries {
            // It is only ever replaced.
            #expect(error == nil)
            return
        }
        guard case .notPossible(let what)? = error, what.contains("put a copy in its place") else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try place.vault().get("a") == "1")
        // As the message says.
        try Tree.unlink(path)
        try Tree.write(bytes, to: path)
        try place.vault().set("a", "2")
        #expect(try place.vault().get("a") == "2")
    }
}
