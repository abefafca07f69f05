import Glibc
import StrongroomCrypto
import StrongroomStores
import StrongroomSystem
import Testing

/// What has the name of a vault's entry and is no regular file; and names that are nearly an entry's.
struct MisplacedEntryTests {
    /// Things that are no regular files.
    enum Thing: CaseIterable, Sendable {
        case link, danglingLink, fifo, socket, emptyDirectory, fullDirectory

        func make(at path: Path) throws {
            let name = path.description
            let result: Int32 =
                switch self {
                case .link: unsafe symlink("/etc/hostname", name)
                case .danglingLink: unsafe symlink("nowhere", name)
                case .fifo: unsafe mkfifo(name, 0o600)
                case .socket: unsafe mknod(name, S_IFSOCK | 0o600, 0)
                case .emptyDirectory, .fullDirectory: unsafe mkdir(name, 0o700)
                }
            try #require(result == 0)
            if self == .fullDirectory {
                try #require(unsafe symlink("x", path.appending("notes").description) == 0)
            }
        }
    }

    let temporary: TemporaryDirectory
    private let id = EntryID(Array("twenty bytes of an id".utf8.prefix(20)))
    private let other = EntryID([UInt8](repeating: 7, count: 20))
    private let owner = OwnerID(Array("owner  1".utf8))

    init() throws { temporary = try TemporaryDirectory() }

    private var generation: Path { temporary.path.appending("store/entries.1") }
    private var path: Path { generation.appending(Path(bytes: Base32.encode(id.bytes))) }

    /// A store with one sound entry, and with `thing` in the place of another.
    private func made(_ thing: Thing?) throws -> DirectoryStore {
        let store = try DirectoryStore.create(
            vaultAt: temporary.path.appending("store"), owner: owner, fileSystem: RealFileSystem())
        try store.commit([.put(other, .bytes([1]))], if: [:], owner: owner)
        if let thing { try thing.make(at: path) }
        return store
    }

    private func kind(_ path: Path) throws -> FileStatus.Kind {
        try RealFileSystem().status(path, at: nil, followLink: false).kind
    }

    @Test(arguments: Thing.allCases)
    func `it is listed and damaged, never absent`(_ thing: Thing) throws {
        let store = try made(thing)
        #expect(try store.ids().count == 2)
        #expect(try store.ids().contains(id))
        #expect(throws: StoreError.damaged(id)) { try store.read(id) }
        let reader = try #require(try store.open(id))
        #expect(reader.byteCount == 0)
        #expect(throws: StoreError.damaged(id)) { try reader.read(at: 0, count: 0) }
        #expect(throws: StoreError.damaged(id)) { try reader.version }
        #expect(try store.usage().entryCount == 2)
        #expect(try store.leftovers() == [])
        #expect(throws: StoreError.damaged(id)) {
            try store.commit([.put(id, .bytes([]))], if: [id: nil], owner: owner)
        }
        try store.sweepLeftovers()
        #expect(throws: StoreError.damaged(id)) { try store.read(id) }
    }

    @Test(arguments: Thing.allCases, [true, false])
    func `a put takes its place`(_ thing: Thing, alone: Bool) throws {
        let store = try made(thing)
        var changes = [StoreChange.put(id, .bytes([2]))]
        if !alone { changes.append(.put(other, .bytes([3]))) }
        if thing == .fullDirectory {
            #expect(throws: StoreError.obstructed(path: path.description)) {
                try store.commit(changes, if: [:], owner: owner)
            }
            #expect(try kind(path.appending("notes")) == .symbolicLink)
            #expect(try store.read(other)?.bytes == [1])
            return
        }
        try store.commit(changes, if: [:], owner: owner)
        #expect(try store.read(id)?.bytes == [2])
        #expect(try kind(path) == .regular)
    }

    @Test(arguments: Thing.allCases, [true, false])
    func `a remove takes it away`(_ thing: Thing, alone: Bool) throws {
        let store = try made(thing)
        var changes = [StoreChange.remove(id)]
        if !alone { changes.append(.remove(other)) }
        if thing == .fullDirectory {
            #expect(throws: StoreError.obstructed(path: path.description)) {
                try store.commit(changes, if: [:], owner: owner)
            }
            #expect(try kind(path.appending("notes")) == .symbolicLink)
            #expect(try store.ids().count == 2)
            return
        }
        try store.commit(changes, if: [:], owner: owner)
        #expect(try store.read(id) == nil)
        #expect(try store.ids() == (alone ? [other] : []))
        #expect(try Tree.names(generation).count == (alone ? 1 : 0))
    }

    @Test(arguments: Thing.allCases)
    func `a rewrite leaves it where it is and carries damage over`(_ thing: Thing) throws {
        let store = try made(thing)
        let before = try RealFileSystem().status(path, at: nil, followLink: false)
        for number in 0..<3 {
            try store.rewrite(owner: OwnerID(Array("owner \(number)!".utf8))) { id, reader, _ in
                .keep(id)
            }
            #expect(try store.ids() == [other, id].sorted())
            // What the vault, which seals nothing of no bytes, finds damaged.
            #expect(try store.read(id)?.bytes == [])
            #expect(try store.read(other)?.bytes == [1])
            #expect(try store.leftovers() == [])
        }
        let after = try RealFileSystem().status(path, at: nil, followLink: false)
        #expect(after.inode == before.inode && after.kind == before.kind)
    }

    @Test func `words of everyday are no entries, and stay in a generation that goes`() throws {
        let store = try made(nil)
        let words: [Path] = [
            "notes", "untitled", "a", "ba", Path(bytes: Base32.encode([UInt8](0..<19))),
            Path(bytes: Base32.encode([UInt8](0..<21))),
        ]
        for word in words { try temporary.write([9], to: "store", "entries.1", word) }
        try temporary.write([9], to: "store", "entries.7", "notes")
        #expect(try store.ids() == [other])
        #expect(try store.leftovers() == [])
        try store.sweepLeftovers()
        try store.rewrite(owner: OwnerID(Array("owner  2".utf8))) { id, _, _ in .keep(id) }
        #expect(try store.ids() == [other])
        #expect(try store.leftovers() == [])
        try store.sweepLeftovers()
        #expect(try Tree.names(generation) == Set(words))
        #expect(try temporary.bytes("store", "entries.7", "notes") == [9])
        let short = EntryID([1])
        #expect(throws: StoreError.invalidID(short)) { try store.read(short) }
        // Without entries it is still nobody's vault but ours.
        try temporary.folder(["store"]).unlink("entries")
        try store.commitless(remove: other, in: temporary.path.appending("store/entries.2"))
        #expect(
            try !DirectoryStore.exists(
                vaultAt: temporary.path.appending("store"), fileSystem: RealFileSystem()))
    }
}

extension DirectoryStore {
    /// Removes an entry's file past the store.
    fileprivate func commitless(remove id: EntryID, in generation: Path) throws {
        try RealFileSystem().unlink(
            generation.appending(Path(bytes: Base32.encode(id.bytes))), at: nil)
    }
}

private enum Tree {
    static func names(_ path: Path) throws -> Set<Path> {
        let folder = try OpenFile.open(path, [.read, .directory], fileSystem: RealFileSystem())
        return Set(try folder.list().map(\.name))
    }
}
