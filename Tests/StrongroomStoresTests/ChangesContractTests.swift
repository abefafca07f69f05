import StrongroomStores
import StrongroomSystem
import Testing

/// What every store promises of telling what changes.
///
/// The limit is for what is never told. A task that waits goes on only when one of the few threads is free that all
/// tests share, and some of those keep them for minutes.
@Suite(.timeLimit(.minutes(20))) struct ChangesContractTests {
    let temporary: TemporaryDirectory

    init() throws { temporary = try TemporaryDirectory() }

    /// Reads until `id` was told, or that anything may have changed.
    private func waits(
        for id: String, _ changes: inout AsyncStream<[EntryID]>.Iterator
    ) async -> Bool {
        while let batch = await changes.next() {
            if batch.isEmpty || batch.contains(EntryID(id)) { return true }
        }
        return false
    }

    @Test(arguments: StoreKind.allCases)
    func `a commit of one's own is told at once and once`(kind: StoreKind) async throws {
        let store = try kind.make(in: temporary)
        try store.put("old", "gone")
        var changes = try store.changes().makeAsyncIterator()
        try store.commit(
            [
                .put(EntryID("b/c"), .bytes([])), .put(EntryID("a"), .bytes([])),
                .remove(EntryID("gone")), .remove(EntryID("never there")),
            ],
            if: [:], owner: kind.owner)
        #expect(await changes.next() == [EntryID("a"), EntryID("b/c"), EntryID("gone")])
        try store.put("2", "a")
        #expect(await changes.next() == [EntryID("a")])
    }

    @Test(arguments: StoreKind.onDisk)
    func `what is told at once is not told again by the kernel`(kind: StoreKind) async throws {
        let store = try kind.make(in: temporary)
        try store.put("old", "key")
        var changes = try store.changes().makeAsyncIterator()
        for number in 0..<200 {
            try store.put("\(number)", "key")
            #expect(await changes.next() == [EntryID("key")])
        }
        try kind.reopen(in: temporary).put("last", "last")
        #expect(await changes.next() == [EntryID("last")])
    }

    @Test(arguments: StoreKind.allCases)
    func `a commit that fails is not told`(kind: StoreKind) async throws {
        let store = try kind.make(in: temporary)
        try store.put("old", "key")
        var changes = try store.changes().makeAsyncIterator()
        #expect(throws: StoreError.self) {
            try store.commit(
                [.put(EntryID("key"), .bytes([]))], if: [EntryID("key"): Version(number: 1)],
                owner: kind.owner)
        }
        try store.put("new", "other")
        #expect(await changes.next() == [EntryID("other")])
    }

    @Test(arguments: StoreKind.onDisk)
    func `another's commits are told`(kind: StoreKind) async throws {
        let store = try kind.make(in: temporary)
        try store.put("old", "deep/down/old")
        let other = try kind.reopen(in: temporary)
        var changes = try store.changes().makeAsyncIterator()
        try other.put("new", "new")
        #expect(await waits(for: "new", &changes))
        try other.put("new", "deep/down/old")
        #expect(await waits(for: "deep/down/old", &changes))
        try other.put("new", "far/below")
        #expect(await waits(for: "far/below", &changes))
        try other.remove("new")
        #expect(await waits(for: "new", &changes))
    }

    @Test(arguments: StoreKind.allCases)
    func `a rewrite may have changed anything`(kind: StoreKind) async throws {
        let store = try kind.make(in: temporary)
        try store.put("old", "key")
        let other: any Store = kind == .memory ? store : try kind.reopen(in: temporary)
        var changes = try store.changes().makeAsyncIterator()
        for round in 0..<4 {
            try other.rewrite(owner: kind.nextOwner) { id, _, _ in .put(id, .bytes([1])) }
            #expect(await waits(for: "key", &changes))
            try other.put("later", "\(round)")
            // What the rewrite did may still be told in pieces, and one of them stands for this commit too.
            var text: String?
            while text == nil, await waits(for: "\(round)", &changes) {
                text = try store.text("\(round)")
            }
            #expect(text == "later")
        }
    }

    @Test(arguments: [StoreKind.plainArea, .areaWithoutSyncs])
    func `an area that is not there yet is watched for, and nothing is made`(
        kind: StoreKind
    ) async throws {
        let place = temporary.path.appending("not/here/yet")
        func store() -> DirectoryStore {
            DirectoryStore(
                areaAt: place, durable: kind == .plainArea, fileSystem: RealFileSystem())
        }
        let reading = store()
        var changes = try reading.changes().makeAsyncIterator()
        #expect(try temporary.directory.list() == [])
        try store().put("1", "first")
        #expect(await waits(for: "first", &changes))
        try store().put("2", "second")
        #expect(await waits(for: "second", &changes))
    }

    @Test(arguments: [StoreKind.plainArea, .areaWithoutSyncs])
    func `an area that is removed and made again is still watched`(kind: StoreKind) async throws {
        let store = try kind.make(in: temporary)
        try store.put("1", "first")
        var changes = try store.changes().makeAsyncIterator()
        try temporary.directory.rename("store", to: "gone")
        #expect(await waits(for: "first", &changes))
        let other = try kind.reopen(in: temporary)
        try other.put("1", "second")
        #expect(await waits(for: "second", &changes))
        try other.put("1", "third")
        #expect(await waits(for: "third", &changes))
    }

    @Test(arguments: StoreKind.onDisk)
    func `a stream goes on when its store is let go, and ends with its reader`(
        kind: StoreKind
    ) async throws {
        var store: (any Store)? = try kind.make(in: temporary)
        try store?.put("old", "key")
        weak let object = (store as? SealedShape)?.log ?? store as AnyObject?
        do {
            var changes = try #require(store).changes().makeAsyncIterator()
            store = nil
            try kind.reopen(in: temporary).put("new", "key")
            #expect(await waits(for: "key", &changes))
            #expect(object != nil)
        }
        // The thread that watches lets go of it when it has noticed.
        for _ in 0..<2000 where object != nil { try await Task.sleep(for: .milliseconds(10)) }
        #expect(object == nil)
    }
}
