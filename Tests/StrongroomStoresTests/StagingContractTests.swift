import StrongroomStores
import StrongroomSystem
import Testing

/// What every store promises of staged payloads.
struct StagingContractTests {
    let temporary: TemporaryDirectory

    init() throws { temporary = try TemporaryDirectory() }

    private func stage(_ text: String, in store: any Store) throws -> any StagedPayload {
        let staged = try store.stage()
        let bytes = Array(text.utf8)
        try staged.write(bytes.span, at: 0)
        return staged
    }

    @Test(arguments: StoreKind.allCases)
    func `a staged payload is out of sight until it is committed`(kind: StoreKind) throws {
        let store = try kind.make(in: temporary)
        let staged = try stage("head, tail", in: store)
        let bytes = Array("HEAD".utf8)
        try staged.write(bytes.span, at: 0)
        #expect(try staged.byteCount == 10)
        #expect(try staged.read(at: 2, count: 4) == Array("AD, ".utf8))
        #expect(try store.ids() == [])
        try store.commit([.put(EntryID("a/b"), .staged(staged))], if: [:], owner: kind.owner)
        #expect(try store.text("a/b") == "HEAD, tail")
    }

    @Test(arguments: StoreKind.allCases)
    func `a hole in a staged payload is refused`(kind: StoreKind) throws {
        let store = try kind.make(in: temporary)
        let staged = try stage("abc", in: store)
        let bytes: [UInt8] = [1]
        #expect(throws: StoreError.self) { try staged.write(bytes.span, at: 4) }
        #expect(throws: StoreError.self) { try staged.write(bytes.span, at: -1) }
        #expect(throws: StoreError.self) { try staged.read(at: 2, count: 2) }
        #expect(try staged.byteCount == 3)
    }

    @Test(arguments: StoreKind.allCases)
    func `a staged payload that is not committed leaves nothing`(kind: StoreKind) throws {
        let store = try kind.make(in: temporary)
        try store.put("value", "key")
        let before = kind == .memory ? [] : try temporary.paths(below: "store")
        do { _ = try stage("dropped", in: store) }
        #expect(try store.names() == ["key"])
        if kind != .memory { #expect(try temporary.paths(below: "store") == before) }
    }

    @Test(arguments: StoreKind.allCases)
    func `a staged payload can be committed again after a commit that failed`(
        kind: StoreKind
    ) throws {
        let store = try kind.make(in: temporary)
        let staged = try stage("value", in: store)
        let change = StoreChange.put(EntryID("key"), .staged(staged))
        #expect(throws: StoreError.conditionFailed(EntryID("key"))) {
            try store.commit(
                [change], if: [EntryID("key"): Version(number: 5)], owner: kind.owner)
        }
        try store.commit([change], if: [:], owner: kind.owner)
        #expect(try store.text("key") == "value")
    }

    @Test(arguments: StoreKind.allCases)
    func `one staged payload makes two entries, and another one after they are gone`(
        kind: StoreKind
    ) throws {
        let store = try kind.make(in: temporary)
        let staged = try stage("value", in: store)
        try store.commit(
            [.put(EntryID("one"), .staged(staged)), .put(EntryID("two"), .staged(staged))], if: [:],
            owner: kind.owner)
        #expect(try store.contents() == ["one": "value", "two": "value"])
        try store.put("other", "one")
        #expect(try store.text("two") == "value")
        try store.remove("two")
        try store.commit([.put(EntryID("three"), .staged(staged))], if: [:], owner: kind.owner)
        #expect(try store.text("three") == "value")
    }

    @Test(arguments: StoreKind.allCases)
    func `a staged payload takes no more once it is committed`(
        kind: StoreKind
    ) throws {
        let store = try kind.make(in: temporary)
        let staged = try stage("value", in: store)
        try store.commit([.put(EntryID("key"), .staged(staged))], if: [:], owner: kind.owner)
        let bytes = Array("VALUE".utf8)
        #expect(throws: StoreError.self) { try staged.write(bytes.span, at: 0) }
        #expect(try store.text("key") == "value")
    }

    @Test(arguments: StoreKind.allCases, StoreKind.allCases)
    func `a payload that was staged in another store is copied`(
        kind: StoreKind, other: StoreKind
    ) throws {
        let store = try kind.make(in: temporary)
        let elsewhere = try TemporaryDirectory()
        let staged = try stage("value", in: try other.make(in: elsewhere))
        try store.commit([.put(EntryID("key"), .staged(staged))], if: [:], owner: kind.owner)
        #expect(try store.text("key") == "value")
    }
}
