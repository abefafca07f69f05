import StrongroomStores
import StrongroomSystem
import Synchronization
import Testing

/// What every store promises of rewriting.
struct RewriteContractTests {
    let temporary: TemporaryDirectory

    init() throws { temporary = try TemporaryDirectory() }

    private struct Refusal: Error {}

    private static func text(_ entry: any EntryReader) throws -> String {
        String(decoding: try entry.read(at: 0, count: Int(entry.byteCount)), as: UTF8.self)
    }

    @Test(arguments: StoreKind.allCases)
    func `every entry goes through the transform and the owner changes`(kind: StoreKind) throws {
        let store = try kind.make(in: temporary)
        for name in ["changed", "renamed", "kept", "kept and renamed", "dropped", "staged"] {
            try store.put("old \(name)", name)
        }
        try store.rewrite(owner: kind.nextOwner) { id, entry, stage in
            let text = try Self.text(entry)
            switch String(decoding: id.bytes, as: UTF8.self) {
            case "changed": return .put(id, .bytes(Array("new \(text)".utf8)))
            case "renamed": return .put(EntryID("now/here"), .bytes(Array("new \(text)".utf8)))
            case "kept and renamed": return .keep(EntryID("kept 2"))
            case "dropped": return .drop
            case "staged":
                let staged = try stage()
                let bytes = Array("staged \(text)".utf8)
                try staged.write(bytes.span, at: 0)
                return .put(id, .staged(staged))
            default: return .keep(id)
            }
        }
        #expect(try store.owner() == kind.nextOwner)
        #expect(
            try store.contents() == [
                "changed": "new old changed", "now/here": "new old renamed", "kept": "old kept",
                "kept 2": "old kept and renamed", "staged": "staged old staged",
            ])
        try store.put("later", "kept")
        #expect(try store.text("kept") == "later")
    }

    @Test(arguments: StoreKind.allCases)
    func `ids may change places`(kind: StoreKind) throws {
        let store = try kind.make(in: temporary)
        try store.put("1", "a")
        try store.put("2", "b")
        try store.rewrite(owner: kind.nextOwner) { id, entry, _ in
            .keep(id == EntryID("a") ? EntryID("b") : EntryID("a"))
        }
        #expect(try store.contents() == ["a": "2", "b": "1"])
    }

    @Test(arguments: StoreKind.allCases)
    func `a transform that throws leaves everything as it was`(kind: StoreKind) throws {
        let store = try kind.make(in: temporary)
        for name in ["a", "b", "c"] { try store.put("old", name) }
        let before = kind == .memory ? [] : try temporary.paths(below: "store")
        #expect(throws: Refusal.self) {
            try store.rewrite(owner: kind.nextOwner) { id, _, _ in
                if id == EntryID("c") { throw Refusal() }
                return .put(id, .bytes([1]))
            }
        }
        #expect(try store.owner() == kind.owner)
        #expect(try store.contents() == ["a": "old", "b": "old", "c": "old"])
        if kind != .memory { #expect(try temporary.paths(below: "store") == before) }
    }

    @Test(arguments: StoreKind.allCases)
    func `two entries that would become one stop the rewrite`(kind: StoreKind) throws {
        let store = try kind.make(in: temporary)
        try store.put("1", "a")
        try store.put("2", "b")
        #expect(throws: StoreError.conflict(EntryID("same"))) {
            try store.rewrite(owner: kind.nextOwner) { _, _, _ in .keep(EntryID("same")) }
        }
        #expect(try store.contents() == ["a": "1", "b": "2"])
    }

    @Test(arguments: StoreKind.allCases)
    func `what is committed meanwhile is carried over through the transform`(
        kind: StoreKind
    ) throws {
        let store = try kind.make(in: temporary)
        let other: any Store = kind == .memory ? store : try kind.reopen(in: temporary)
        for name in ["a", "b", "c", "d"] { try store.put("old", name) }
        let hasWritten = Mutex(false)
        try store.rewrite(owner: kind.nextOwner) { id, entry, _ in
            let isFirst = hasWritten.withLock { hasWritten in
                defer { hasWritten = true }
                return !hasWritten
            }
            if isFirst {
                try other.put("newer", "a")
                try other.put("newer", "c")
                try other.remove("d")
                try other.put("new", "e")
            }
            return .put(id, .bytes(Array("\(try Self.text(entry))!".utf8)))
        }
        #expect(try store.contents() == ["a": "newer!", "b": "old!", "c": "newer!", "e": "new!"])
    }

    @Test(arguments: StoreKind.allCases)
    func `a writer of the old owner comes late`(kind: StoreKind) throws {
        guard let owner = kind.owner, let next = kind.nextOwner else {
            let store = try kind.make(in: temporary)
            #expect(throws: StoreError.ownerChanged(now: nil)) {
                try store.rewrite(owner: OwnerID(Array("somebody".utf8))) { id, _, _ in .keep(id) }
            }
            return
        }
        let store = try kind.make(in: temporary)
        let late: any Store = kind == .memory ? store : try kind.reopen(in: temporary)
        try late.put("old", "key")
        try store.rewrite(owner: next) { id, _, _ in .keep(id) }
        #expect(throws: StoreError.ownerChanged(now: next)) {
            try late.commit([.put(EntryID("key"), .bytes([1]))], if: [:], owner: owner)
        }
        #expect(try late.text("key") == "old")
        try late.commit([.put(EntryID("key"), .bytes([1]))], if: [:], owner: next)
        #expect(try store.read(EntryID("key"))?.bytes == [1])
    }

    @Test(arguments: StoreKind.allCases)
    func `an open reader keeps its entry through a rewrite`(kind: StoreKind) throws {
        let store = try kind.make(in: temporary)
        try store.put("old", "key")
        let reader = try #require(try store.open(EntryID("key")))
        try store.rewrite(owner: kind.nextOwner) { id, _, _ in .put(id, .bytes([1])) }
        #expect(try Self.text(reader) == "old")
    }
}
