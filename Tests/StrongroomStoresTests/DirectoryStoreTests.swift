import Glibc
import StrongroomStores
import StrongroomSystem
import Testing

/// What a directory store does with the disk: names, conflicts, other people's files.
struct DirectoryStoreTests {
    let temporary: TemporaryDirectory

    init() throws { temporary = try TemporaryDirectory() }

    private func area() throws -> DirectoryStore {
        try StoreKind.plainArea.reopenDirectory(in: temporary)
    }

    private func vault() throws -> DirectoryStore {
        _ = try StoreKind.vault.make(in: temporary)
        return try StoreKind.vault.reopenDirectory(in: temporary)
    }

    @Test(arguments: KeyEscapingTests.rows)
    func `a key's value lies at its path and nowhere else`(row: KeyEscapingTests.Row) throws {
        let store = try area()
        let id = EntryID(try #require(KeyText(row.key)).bytes)
        try store.commit([.put(id, .bytes([7]))], if: [:], owner: nil)
        #expect(try store.read(id)?.bytes == [7])
        #expect(try store.ids() == [id])
        let files = try temporary.paths(below: "store").filter { !$0.hasSuffix("/") }
        #expect(files == ["%gate", "%lock", row.path].sorted())
        #expect(try temporary.directory.list().map(\.name) == ["store"])
        try store.commit([.remove(id)], if: [:], owner: nil)
        #expect(try temporary.paths(below: "store") == ["%gate", "%lock"])
    }

    @Test func `all those keys live beside each other`() throws {
        for kind in StoreKind.inDirectories {
            let place = try TemporaryDirectory()
            let store = try kind.make(in: place)
            var expected: [EntryID: [UInt8]] = [:]
            for (index, row) in KeyEscapingTests.rows.enumerated() {
                guard row.key != "folder/image.png", row.key != "/etc/x" else { continue }
                let id = EntryID(try #require(KeyText(row.key)).bytes)
                // `//`, `https:/…` and `https://…` cross each other only in an area without folders' names.
                let bytes = [UInt8(index)]
                do {
                    try store.commit([.put(id, .bytes(bytes))], if: [:], owner: try store.owner())
                    expected[id] = bytes
                } catch {
                    #expect(error == .conflict(id))
                }
            }
            #expect(try store.ids() == expected.keys.sorted())
            for (id, bytes) in expected { #expect(try store.read(id)?.bytes == bytes) }
        }
    }

    @Test(arguments: [1, 200, 240, 250, 254, 255, 256, 511, 1024])
    func `long keys with one beginning stay apart`(byteCount: Int) throws {
        let store = try area()
        let keys = ["x", "y"].map { String(repeating: "k", count: byteCount - 1) + $0 }
        for key in keys { try store.put(key, key) }
        #expect(try store.names() == keys)
        for key in keys { #expect(try store.text(key) == key) }
        for key in keys { try store.remove(key) }
        #expect(try temporary.paths(below: "store") == ["%gate", "%lock"])
    }

    @Test func `a key of 1,024 slashes lies 1,025 names deep`() throws {
        let store = try StoreKind.areaWithoutSyncs.make(in: temporary)
        let key = String(repeating: "/", count: 1024)
        try store.put("deep", key)
        #expect(try store.text(key) == "deep")
        #expect(try store.names() == [key])
        try store.remove(key)
        #expect(try store.names() == [])
        #expect(try temporary.paths(below: "store") == ["%gate", "%lock"])
    }

    @Test func `what is no key in normal form is no id`() throws {
        let store = try area()
        for bytes in [
            [], [0xFF], Array("cafe\u{301}".utf8), [0], [UInt8](repeating: 0x61, count: 1025),
        ] as [[UInt8]] {
            let id = EntryID(bytes)
            #expect(throws: StoreError.invalidID(id)) {
                try store.commit([.put(id, .bytes([1]))], if: [:], owner: nil)
            }
        }
        try store.put("value", "key")
        #expect(throws: StoreError.invalidID(EntryID([0xFF]))) { try store.read(EntryID([0xFF])) }
    }

    @Test func `a vault's ids are any bytes, to a limit`() throws {
        let store = try vault()
        let owner = try store.owner()
        for bytes in [
            [0], [0, 0], [255], [UInt8](repeating: 1, count: 20),
            [UInt8](repeating: 2, count: 150),
        ] as [[UInt8]] {
            try store.commit([.put(EntryID(bytes), .bytes(bytes))], if: [:], owner: owner)
            #expect(try store.read(EntryID(bytes))?.bytes == bytes)
        }
        #expect(try store.ids().count == 5)
        let long = EntryID([UInt8](repeating: 3, count: 151))
        #expect(throws: StoreError.invalidID(long)) {
            try store.commit([.put(long, .bytes([]))], if: [:], owner: owner)
        }
    }

    @Test func `a file cannot be a folder too, in either order, and nothing is lost`() throws {
        let store = try area()
        try store.put("1", "a")
        #expect(throws: StoreError.conflict(EntryID("a/b"))) { try store.put("2", "a/b") }
        #expect(throws: StoreError.conflict(EntryID("a/b/c"))) { try store.put("2", "a/b/c") }
        try store.put("3", "x/y/z")
        #expect(throws: StoreError.conflict(EntryID("x/y"))) { try store.put("4", "x/y") }
        #expect(throws: StoreError.conflict(EntryID("x"))) { try store.put("4", "x") }
        #expect(try store.contents() == ["a": "1", "x/y/z": "3"])
        #expect(try store.text("a/b") == nil)
        #expect(try store.text("x") == nil)
        // Once the one is gone the other has its place.
        try store.remove("a")
        try store.put("5", "a/b")
        try store.remove("x/y/z")
        try store.put("6", "x")
        #expect(try store.contents() == ["a/b": "5", "x": "6"])
    }

    @Test func `a conflict within one commit stops it before anything is written`() throws {
        let store = try area()
        try store.put("old", "other")
        let before = try temporary.paths(below: "store")
        #expect(throws: StoreError.conflict(EntryID("a/b"))) {
            try store.commit(
                [
                    .put(EntryID("other"), .bytes([1])), .put(EntryID("a/b"), .bytes([])),
                    .put(EntryID("a"), .bytes([])),
                ], if: [:], owner: nil)
        }
        #expect(throws: StoreError.conflict(EntryID("other/x"))) {
            try store.commit(
                [.put(EntryID("new"), .bytes([1])), .put(EntryID("other/x"), .bytes([]))],
                if: [:], owner: nil)
        }
        #expect(try store.contents() == ["other": "old"])
        #expect(try temporary.paths(below: "store") == before)
    }

    @Test func `one commit may put a folder in the place of a file, and the reverse`() throws {
        let store = try area()
        try store.put("1", "a")
        try store.commit(
            [
                .put(EntryID("a/b"), .bytes([1])), .remove(EntryID("a")),
                .put(EntryID("a/c/d"), .bytes([2])),
            ], if: [:], owner: nil)
        #expect(try store.names() == ["a/b", "a/c/d"])
        try store.commit(
            [.remove(EntryID("a/b")), .put(EntryID("a"), .bytes([3])), .remove(EntryID("a/c/d"))],
            if: [:], owner: nil)
        #expect(try store.names() == ["a"])
        #expect(throws: StoreError.conflict(EntryID("a/b/c"))) { try store.put("", "a/b/c") }
    }

    @Test func `an empty folder is in nobody's way, a folder with somebody's file is`() throws {
        let store = try area()
        _ = try temporary.folder(["store", "empty", "and", "deep"])
        try temporary.write([1], to: "store", "full", ".DS_Store")
        #expect(try store.ids() == [])
        try store.put("value", "empty")
        #expect(try store.text("empty") == "value")
        #expect(throws: StoreError.conflict(EntryID("full"))) { try store.put("value", "full") }
        #expect(try temporary.bytes("store", "full", ".DS_Store") == [1])
    }

    @Test func `other people's files are ignored and left alone`() throws {
        let store = try area()
        try store.put("value", "key")
        let junk: [[Path]] = [
            [".DS_Store"], [".k.swp"], ["k~"], ["#k#"], ["a:b"], ["%41"], ["folder", ".hidden"],
        ]
        for names in junk {
            let names = ["store"] + names
            let folder = try temporary.folder(Array(names.dropLast()))
            _ = try folder.openFile(names[names.count - 1], [.write, .create])
        }
        _ = try temporary.folder(["store", "empty folder"])
        #expect(try store.names() == ["key"])
        try store.rewrite(owner: nil) { id, _, _ in .put(id, .bytes([1])) }
        try store.remove("key")
        let left = try temporary.paths(below: "store")
        #expect(
            left == [
                "#k#", "%41", "%gate", "%lock", ".DS_Store", ".k.swp", "a:b", "empty folder/",
                "folder/", "folder/.hidden", "k~",
            ])
    }

    @Test func `a vault's directories keep other people's files`() throws {
        let store = try vault()
        try store.put("value", "key")
        let junk = ["README.md", ".DS_Store", "k~"]
        for name in junk { try temporary.write([9], to: "store", "entries.1", Path(name)) }
        try temporary.write([9], to: "store", "entries.old")
        _ = try temporary.folder(["store", "entries.01"])
        #expect(try store.names() == ["key"])
        try store.rewrite(owner: StoreKind.vault.nextOwner) { id, _, _ in .keep(id) }
        #expect(try store.names() == ["key"])
        for name in junk { #expect(try temporary.bytes("store", "entries.1", Path(name)) == [9]) }
        #expect(try temporary.folder(["store", "entries.1"]).list().count == junk.count)
        #expect(try temporary.bytes("store", "entries.old") == [9])
        // The directory that stays does not stop the next rewrites.
        for _ in 0..<2 {
            try store.rewrite(owner: StoreKind.vault.nextOwner) { id, _, _ in .keep(id) }
        }
        #expect(try store.text("key") == "value")
        #expect(try store.generation() == 4)
    }

    @Test(arguments: StoreKind.inDirectories)
    func `keys named like our own files are keys like others`(kind: StoreKind) throws {
        let store = try kind.make(in: temporary)
        let names = [
            "%lock", "%gate", "%commit", "%staged", "%new.0.0", "%entries", "lock", "gate", "job",
            "entries", "entries.1", "keyring", "master.key", ".lock", "index.json", ".tmp-1",
        ]
        for name in names { try store.put(name, name) }
        #expect(try store.names() == names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        for name in names { #expect(try store.text(name) == name) }
        for name in names { try store.remove(name) }
        #expect(try store.ids() == [])
        try store.put("still works", "key")
    }

    @Test(arguments: StoreKind.inDirectories)
    func `a file that somebody removed is absent`(kind: StoreKind) throws {
        let store = try kind.make(in: temporary)
        try store.put("value", "key")
        let name: Path = kind == .vault ? Path(bytes: Base32.encode(Array("key".utf8))) : "key"
        let folder = try temporary.folder(kind == .vault ? ["store", "entries.1"] : ["store"])
        try folder.unlink(name)
        #expect(try store.text("key") == nil)
        #expect(try store.ids() == [])
        try store.remove("key")
        try store.put("again", "key")
        #expect(try store.text("key") == "again")
    }

    @Test(arguments: StoreKind.inDirectories)
    func `a file of no bytes is there and empty`(kind: StoreKind) throws {
        let store = try kind.make(in: temporary)
        try store.put("value", "key")
        let name: Path = kind == .vault ? Path(bytes: Base32.encode(Array("key".utf8))) : "key"
        let folder: [Path] = kind == .vault ? ["store", "entries.1"] : ["store"]
        try temporary.file(folder + [name], [.write]).truncate(to: 0)
        #expect(try store.text("key") == "")
    }

    /// Things that are no regular files.
    enum Thing: CaseIterable, Sendable {
        case link, danglingLink, fifo, socket

        func make(at path: Path) throws {
            let path = path.description
            let result: Int32 =
                switch self {
                case .link: unsafe symlink("/etc/hostname", path)
                case .danglingLink: unsafe symlink("nowhere", path)
                case .fifo: unsafe mkfifo(path, 0o600)
                case .socket: unsafe mknod(path, S_IFSOCK | 0o600, 0)
                }
            try #require(result == 0)
        }
    }

    @Test(arguments: [StoreKind.plainArea, .areaWithoutSyncs], Thing.allCases)
    func `in a plain area what is no regular file is somebody's, and left alone`(
        kind: StoreKind, thing: Thing
    ) throws {
        let store = try kind.make(in: temporary)
        try store.put("value", "other")
        let path = temporary.path.appending("store/key")
        try thing.make(at: path)
        let before = try RealFileSystem().status(path, at: nil, followLink: false)
        #expect(try store.text("key") == nil)
        #expect(try store.open(EntryID("key")) == nil)
        #expect(try store.names() == ["other"])
        #expect(throws: StoreError.obstructed(path: path.description)) {
            try store.put("value", "key")
        }
        #expect(throws: StoreError.obstructed(path: path.description)) {
            try store.commit(
                [.put(EntryID("other"), .bytes([])), .put(EntryID("key"), .bytes([]))], if: [:],
                owner: nil)
        }
        try store.remove("key")
        try store.rewrite(owner: nil) { id, _, _ in .put(id, .bytes([1])) }
        #expect(try store.contents() == ["other": "\u{1}"])
        #expect(try RealFileSystem().status(path, at: nil, followLink: false) == before)
    }

    @Test func `a link in the place of a folder is not followed`() throws {
        let store = try area()
        try store.put("value", "real/key")
        let path = temporary.path.appending("store/link").description
        try #require(unsafe symlink("real", path) == 0)
        #expect(try store.text("link/key") == nil)
        #expect(throws: StoreError.obstructed(path: path)) { try store.put("value", "link/x") }
        #expect(try store.names() == ["real/key"])
    }

    @Test(arguments: StoreKind.inDirectories)
    func `the directory itself may be reached through a link, which stays`(
        kind: StoreKind
    ) throws {
        try temporary.directory.makeDirectory("real")
        let path = temporary.path.appending("store").description
        try #require(unsafe symlink("real", path) == 0)
        let store = try kind.make(in: temporary)
        try store.put("1", "a/b")
        try store.put("2", "a/b")
        try store.rewrite(owner: kind.nextOwner) { id, _, _ in .keep(id) }
        try store.remove("a/b")
        try store.put("3", "c")
        #expect(try temporary.directory.status(of: "store")?.kind == .symbolicLink)
        #expect(try temporary.paths(below: "real").count > 2)
        #expect(try store.contents() == ["c": "3"])
    }

    @Test(arguments: StoreKind.inDirectories)
    func `one file a key, however often it is set`(kind: StoreKind) throws {
        let store = try kind.make(in: temporary)
        for number in 0..<5 { try store.put("\(number)", "key") }
        #expect(try temporary.paths(below: "store").count == (kind == .vault ? 5 : 3))
    }

    @Test func `emptying an area leaves its neighbours`() throws {
        let stores = ["a", "ab", "a/b"].map { name in
            DirectoryStore(
                areaAt: temporary.path.appending(Path(name)), fileSystem: RealFileSystem())
        }
        for store in stores.dropLast() { try store.put("value", "folder/key") }
        let ids = try stores[0].ids()
        try stores[0].commit(ids.map { .remove($0) }, if: [:], owner: nil)
        #expect(try stores[0].ids() == [])
        #expect(try stores[1].names() == ["folder/key"])
    }

    @Test(arguments: StoreKind.inDirectories)
    func `reading makes, writes and syncs nothing`(kind: StoreKind) throws {
        let store = try kind.make(in: temporary)
        try store.put("value", "a/b")
        // Only calls that could change something are counted, and the first of them fails.
        let faulty = FaultyFileSystem(.noSpace)
        faulty.arm(at: 1)
        let reader = try kind.reopenDirectory(in: temporary, fileSystem: faulty)
        #expect(try reader.contents() == ["a/b": "value"])
        #expect(try reader.open(EntryID("a/b"))?.byteCount == 5)
        #expect(try reader.text("absent") == nil)
        #expect(try reader.owner() == kind.owner)
        #expect(!faulty.hasFailed)
        #expect(throws: StoreError.self) { try reader.put("value", "c") }
        #expect(faulty.hasFailed)
    }

    @Test func `a store that is for reading only refuses every write`() throws {
        try area().put("value", "key")
        let store = DirectoryStore(
            areaAt: temporary.path.appending("store"), fileSystem: RealFileSystem(), readOnly: true)
        #expect(try store.text("key") == "value")
        for write in [
            { try store.put("new", "key") }, { try store.remove("key") },
            { _ = try store.stage() }, { try store.rewrite(owner: nil) { id, _, _ in .drop } },
        ] as [() throws -> Void] {
            let error = #expect(throws: StoreError.self) { try write() }
            guard case .system(_, _, ErrorCode.readOnly)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        #expect(try store.contents() == ["key": "value"])
    }

    @Test func `an area that need not last is never synced, one that must is`() throws {
        let faulty = FaultyFileSystem(.error)
        for (durable, place) in [(false, "cache"), (true, "storage")] {
            let store = DirectoryStore(
                areaAt: temporary.path.appending(Path(place)), durable: durable, fileSystem: faulty)
            let before = faulty.syncCount
            try store.put("1", "a/b/c")
            try store.commit(
                [.put(EntryID("d"), .bytes([])), .remove(EntryID("a/b/c"))], if: [:], owner: nil)
            try store.rewrite(owner: nil) { id, _, _ in .put(id, .bytes([1])) }
            #expect((faulty.syncCount > before) == durable)
        }
    }
}
