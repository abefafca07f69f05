import StrongroomStores
import StrongroomSystem
import Testing

/// What a vault asks of its directory of entries.
struct VaultDirectoryTests {
    let temporary: TemporaryDirectory
    private let owner = OwnerID(Array("owner  1".utf8))
    private let next = OwnerID(Array("owner  2".utf8))

    init() throws { temporary = try TemporaryDirectory() }

    private var path: Path { temporary.path.appending("store") }

    private func create(_ owner: OwnerID) throws(StoreError) -> DirectoryStore {
        try DirectoryStore.create(
            vaultAt: path, owner: owner, fileSystem: RealFileSystem(),
            idByteCounts: StoreKind.idByteCounts)
    }

    private func open() throws(StoreError) -> DirectoryStore {
        try DirectoryStore.open(
            vaultAt: path, fileSystem: RealFileSystem(), idByteCounts: StoreKind.idByteCounts)
    }

    private func exists() throws(StoreError) -> Bool {
        try DirectoryStore.exists(
            vaultAt: path, fileSystem: RealFileSystem(), idByteCounts: StoreKind.idByteCounts)
    }

    private func expectDamage(_ error: StoreError?) {
        if case .storeDamaged? = error { return }
        Issue.record("\(String(describing: error))")
    }

    @Test func `where nothing is there is no store, and looking makes nothing`() throws {
        #expect(try !exists())
        let error = #expect(throws: StoreError.self) { try open() }
        #expect(
            error == .absent(path: path.appending("entries").description)
                || error == .absent(path: path.description))
        #expect(try temporary.directory.list() == [])
        try temporary.write([1], to: "store", "log")
        #expect(try !exists())
        #expect(throws: StoreError.absent(path: path.appending("entries").description)) {
            try open()
        }
    }

    @Test func `a store that was made is there and empty`() throws {
        let store = try create(owner)
        #expect(try exists())
        #expect(try store.generation() == 1)
        #expect(try open().owner() == owner)
        #expect(try temporary.paths(below: "store") == ["entries", "entries.1/", "gate", "lock"])
        #expect(try store.usage().entryCount == 0)
    }

    @Test func `an empty store is made again, one with entries never`() throws {
        _ = try create(owner)
        let again = try create(next)
        #expect(try again.owner() == next)
        #expect(try again.generation() == 2)
        #expect(try temporary.paths(below: "store") == ["entries", "entries.2/", "gate", "lock"])
        try again.put("value", "key")
        #expect(throws: StoreError.exists(path: path.description)) { try create(owner) }
        #expect(try open().contents() == ["key": "value"])
    }

    @Test func `entries without the file that names them are damage, never no store`() throws {
        try create(owner).put("value", "key")
        try temporary.folder(["store"]).unlink("entries")
        #expect(try exists())
        expectDamage(#expect(throws: StoreError.self) { try open() })
        #expect(throws: StoreError.exists(path: path.description)) { try create(owner) }
    }

    @Test func `a generation without its directory is damage, never empty`() throws {
        let store = try create(owner)
        try store.put("value", "key")
        try temporary.folder(["store"]).rename("entries.1", to: "elsewhere")
        expectDamage(#expect(throws: StoreError.self) { try store.text("key") })
        expectDamage(#expect(throws: StoreError.self) { try store.ids() })
        expectDamage(#expect(throws: StoreError.self) { try store.put("value", "key") })
        expectDamage(#expect(throws: StoreError.self) { try store.usage() })
    }

    @Test func `a file of generations that is cut or changed is damage or newer`() throws {
        let store = try create(owner)
        try store.put("value", "key")
        let bytes = try temporary.bytes("store", "entries")
        for count in 0..<bytes.count {
            try temporary.write(Array(bytes[..<count]), to: "store", "entries")
            expectDamage(#expect(throws: StoreError.self) { try store.text("key") })
            expectDamage(#expect(throws: StoreError.self) { try open() })
        }
        try temporary.write(bytes + [0], to: "store", "entries")
        expectDamage(#expect(throws: StoreError.self) { try store.ids() })
        var newer = bytes
        newer[3] = UInt8(ascii: "2")
        try temporary.write(newer, to: "store", "entries")
        #expect(throws: StoreError.newerFormat(path: path.appending("entries").description)) {
            try store.put("new", "key")
        }
        try temporary.write(bytes, to: "store", "entries")
        #expect(try store.contents() == ["key": "value"])
    }

    @Test func `leftovers of killed writers are told and swept, entries and others' files stay`()
        throws
    {
        let store = try create(owner)
        try store.put("value", "key")
        #expect(try store.leftovers() == [])
        let id = Path(bytes: Base32.encode(Array("other".utf8)))
        try temporary.write([1], to: "store", "entries.1", "%new.abc.0")
        try temporary.write([1], to: "store", "entries.2", id)
        try temporary.write([1], to: "store", "entries.7", "notes.txt")
        try temporary.write([1], to: "store", "%entries")
        try temporary.write([1], to: "store", "keyring")
        #expect(
            try store.leftovers() == [
                path.appending("%entries"), path.appending("entries.1/%new.abc.0"),
                path.appending("entries.2"),
            ])
        try store.sweepLeftovers()
        #expect(
            try temporary.paths(below: "store") == [
                "entries", "entries.1/",
                "entries.1/\(Path(bytes: Base32.encode(Array("key".utf8))))", "entries.7/",
                "entries.7/notes.txt", "gate", "keyring", "lock",
            ])
    }

    @Test func `usage counts entries and bytes`() throws {
        let store = try create(owner)
        try store.put("12345", "a")
        try store.put("", "b")
        let usage = try store.usage()
        #expect(usage.entryCount == 2)
        #expect(usage.byteCount == 5)
        #expect(usage.allocatedByteCount >= 0)
    }

    @Test func `a lock that is held is busy after the wait, and reading goes on`() throws {
        let store = try create(owner)
        try store.put("value", "key")
        let folder = try temporary.folder(["store"])
        let held = try FileLock(directory: folder, name: "lock", gate: "gate")
            .acquire(waitSeconds: 5)
        let impatient = try StoreKind.vault.reopenDirectory(in: temporary, waitSeconds: 0.05)
        #expect(throws: StoreError.busy(path: path.appending("lock").description)) {
            try impatient.put("new", "key")
        }
        #expect(try impatient.text("key") == "value")
        held.release()
        try impatient.put("new", "key")
        #expect(try store.text("key") == "new")
    }
}
