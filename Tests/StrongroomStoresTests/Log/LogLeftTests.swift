import StrongroomStores
import StrongroomSystem
import Testing

/// What a killed writer left whole behind the end: whoever has read that it is not there does not meet it later.
@Suite struct LogLeftTests {
    private static let owner = OwnerID(Array("owner  1".utf8))

    private static func open(
        _ temporary: TemporaryDirectory, readOnly: Bool = false,
        _ fileSystem: any FileSystem = RealFileSystem()
    ) throws -> LogStore {
        try LogStore.open(
            at: temporary.path.appending("store"), keys: TestLogKeys(), readOnly: readOnly,
            fileSystem: fileSystem)
    }

    /// Kills writers before each of their calls, and tells how often a commit was left that `body` finds.
    private func kill(
        _ body: (TemporaryDirectory, _ reader: LogStore) throws -> Bool
    ) throws -> Int {
        var foundCount = 0
        var call = 0
        var hasFailed = true
        while hasFailed {
            call += 1
            let temporary = try TemporaryDirectory(inMemory: true)
            let reader = try LogStore.create(
                at: temporary.path.appending("store"), owner: Self.owner, keys: TestLogKeys(),
                isSealed: false, fileSystem: RealFileSystem())
            try reader.put("old", "key")
            let faulty = FaultyFileSystem(.killed)
            do {
                let killed = try Self.open(temporary, faulty)
                faulty.arm(at: call)
                try killed.put("new", "key")
            } catch {
                #expect(error is StoreError)
            }
            hasFailed = faulty.hasFailed
            guard hasFailed else { break }
            if try body(temporary, reader) { foundCount += 1 }
        }
        return foundCount
    }

    @Test func `who opens the log finds it`() throws {
        let foundCount = try kill { temporary, _ in
            let found = try Self.open(temporary).text("key")
            try Self.open(temporary).put("x", "other")
            #expect(try Self.open(temporary).text("key") == found)
            return found == "new"
        }
        // The sync, the hint, the unlocking: at each of them it is there.
        #expect(foundCount > 1)
    }

    @Test func `who has the log open finds it before long`() throws {
        let foundCount = try kill { temporary, reader in
            let wait = Clock.monotonic() + 11_000_000
            while Clock.monotonic() < wait { _ = try reader.text("key") }
            let found = try reader.text("key")
            try Self.open(temporary).put("x", "other")
            #expect(try reader.text("key") == found)
            return found == "new"
        }
        #expect(foundCount > 1)
    }

    @Test func `who may not write leaves it, and says the old value until somebody writes`() throws
    {
        var comesLater = 0
        _ = try kill { temporary, _ in
            let reader = try Self.open(temporary, readOnly: true)
            let found = try reader.text("key")
            try Self.open(temporary).put("x", "other")
            let later = try reader.text("key")
            if later != found { comesLater += 1 }
            #expect(found != "new" || later == "new")
            return false
        }
        #expect(comesLater > 0)
    }

    @Test func `while somebody has the lock it is left alone`() throws {
        let foundCount = try kill { temporary, _ in
            let directory = try OpenFile.open(
                temporary.path.appending("store"), [.read, .directory],
                fileSystem: RealFileSystem())
            let lock = FileLock(directory: directory, name: "lock", gate: "gate")
            let held = try lock.acquire(waitSeconds: 10)
            let before = try Self.open(temporary).text("key")
            held.release()
            let after = try Self.open(temporary).text("key")
            return before == "old" && after == "new"
        }
        #expect(foundCount > 0)
    }
}
