import StrongroomStores
import StrongroomSystem
import Testing

/// What every store promises (STORE.md, "The protocol"): reading and committing.
struct StoreContractTests {
    let temporary: TemporaryDirectory

    init() throws { temporary = try TemporaryDirectory() }

    /// Payloads by name, since raw bytes as arguments would be printed.
    enum Size: Int, CaseIterable, Sendable {
        case empty = 0
        case oneByte = 1
        case onePiece = 65_536
        case onePieceAndAByte = 65_537
        case oneMebibyte = 1_048_576

        var bytes: [UInt8] {
            (0..<rawValue).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
        }
    }

    @Test(arguments: StoreKind.allCases, Size.allCases)
    func `a payload comes back as it was put`(kind: StoreKind, size: Size) throws {
        let store = try kind.make(in: temporary)
        let id = EntryID("folder/key")
        try store.commit([.put(id, .bytes(size.bytes))], if: [:], owner: kind.owner)
        let entry = try #require(try store.read(id))
        #expect(entry.bytes == size.bytes)
        let reader = try #require(try store.open(id))
        #expect(reader.byteCount == Int64(size.rawValue))
        #expect(try reader.version == entry.version)
        let tail = min(size.rawValue, 7)
        let offset = size.rawValue - tail
        #expect(try reader.read(at: Int64(offset), count: tail) == Array(size.bytes[offset...]))
        #expect(throws: StoreError.damaged(id)) {
            try reader.read(at: Int64(offset), count: tail + 1)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `what was never put is absent, and reading it makes nothing`(kind: StoreKind) throws {
        let store = try kind.make(in: temporary)
        #expect(try store.read(EntryID("absent")) == nil)
        #expect(try store.open(EntryID("absent")) == nil)
        #expect(try store.ids() == [])
        try store.commit([.remove(EntryID("absent"))], if: [:], owner: kind.owner)
        if kind == .memory || kind == .plainArea || kind == .areaWithoutSyncs {
            #expect(try temporary.directory.list() == [])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `the last value put is the value`(kind: StoreKind) throws {
        let store = try kind.make(in: temporary)
        for value in ["1", "22", ""] {
            try store.put(value, "key")
            #expect(try store.text("key") == value)
        }
        #expect(try store.names() == ["key"])
        try store.remove("key")
        #expect(try store.text("key") == nil)
        #expect(try store.names() == [])
        try store.put("again", "key")
        #expect(try store.text("key") == "again")
    }

    @Test(arguments: StoreKind.allCases)
    func `ids are sorted by their bytes`(kind: StoreKind) throws {
        let store = try kind.make(in: temporary)
        for name in ["b", "a/c", "ab", "Z", "é", "a b", "~"] { try store.put("value", name) }
        #expect(try store.names() == ["Z", "a b", "a/c", "ab", "b", "~", "é"])
    }

    @Test(arguments: StoreKind.allCases)
    func `a version tells contents apart and outlives the object`(kind: StoreKind) throws {
        let store = try kind.make(in: temporary)
        try store.put("one", "key")
        let first = try store.read(EntryID("key"))?.version
        try store.put("two", "key")
        let second = try store.read(EntryID("key"))?.version
        #expect(first != nil)
        #expect(first != second)
        if StoreKind.onDisk.contains(kind) {
            #expect(try kind.reopen(in: temporary).read(EntryID("key"))?.version == second)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `an empty id is refused and nothing else is done`(kind: StoreKind) throws {
        let store = try kind.make(in: temporary)
        #expect(throws: StoreError.invalidID(EntryID([]))) {
            try store.commit(
                [.put(EntryID("key"), .bytes([1])), .put(EntryID([]), .bytes([2]))], if: [:],
                owner: kind.owner)
        }
        #expect(try store.ids() == [])
    }

    @Test(arguments: StoreKind.allCases)
    func `a commit of several changes makes all of them`(kind: StoreKind) throws {
        let store = try kind.make(in: temporary)
        try store.put("old", "gone")
        try store.put("old", "replaced")
        try store.put("old", "kept")
        try store.commit(
            [
                .put(EntryID("new/one"), .bytes([1])), .remove(EntryID("gone")),
                .put(EntryID("replaced"), .bytes([2])), .remove(EntryID("never there")),
                .put(EntryID("new/two"), .bytes([])),
            ], if: [:], owner: kind.owner)
        #expect(try store.names() == ["kept", "new/one", "new/two", "replaced"])
        #expect(try store.read(EntryID("replaced"))?.bytes == [2])
        #expect(try store.read(EntryID("new/two"))?.bytes == [])
    }

    @Test(arguments: StoreKind.allCases)
    func `of two changes for one id the later counts`(kind: StoreKind) throws {
        let store = try kind.make(in: temporary)
        let (kept, gone) = (EntryID("kept"), EntryID("gone"))
        try store.commit(
            [
                .put(kept, .bytes([1])), .put(gone, .bytes([1])), .remove(kept),
                .put(kept, .bytes([2])), .remove(gone),
            ], if: [:], owner: kind.owner)
        #expect(try store.ids() == [kept])
        #expect(try store.read(kept)?.bytes == [2])
    }

    @Test(arguments: StoreKind.allCases)
    func `a commit whose conditions hold is made`(kind: StoreKind) throws {
        let store = try kind.make(in: temporary)
        try store.put("old", "key")
        let version = try store.read(EntryID("key"))?.version
        try store.commit(
            [.put(EntryID("key"), .bytes([1])), .put(EntryID("other"), .bytes([2]))],
            if: [EntryID("key"): version, EntryID("other"): nil], owner: kind.owner)
        #expect(try store.names() == ["key", "other"])
    }

    /// Conditions that do not hold on a store that has `key`.
    enum Failing: CaseIterable, Sendable {
        case otherVersion, absentButThere, thereButAbsent

        var condition: [EntryID: Version?] {
            switch self {
            case .otherVersion: [EntryID("key"): Version(number: 1)]
            case .absentButThere: [EntryID("key"): nil]
            case .thereButAbsent: [EntryID("absent"): Version(number: 1)]
            }
        }
    }

    @Test(arguments: StoreKind.allCases, Failing.allCases)
    func `a commit with a condition that fails changes nothing`(
        kind: StoreKind, failing: Failing
    ) throws {
        let store = try kind.make(in: temporary)
        try store.put("old", "key")
        let id = try #require(failing.condition.keys.first)
        var conditions = failing.condition
        conditions[EntryID("new")] = .some(.none)
        #expect(throws: StoreError.conditionFailed(id)) {
            try store.commit(
                [.put(EntryID("new"), .bytes([1])), .remove(EntryID("key"))], if: conditions,
                owner: kind.owner)
        }
        #expect(try store.contents() == ["key": "old"])
    }

    @Test(arguments: StoreKind.allCases)
    func `a commit sealed for another owner writes nothing`(kind: StoreKind) throws {
        let store = try kind.make(in: temporary)
        #expect(try store.owner() == kind.owner)
        for owner in [OwnerID(Array("somebody".utf8)), kind.owner == nil ? kind.nextOwner : nil]
        where owner != kind.owner {
            #expect(throws: StoreError.ownerChanged(now: kind.owner)) {
                try store.commit([.put(EntryID("key"), .bytes([1]))], if: [:], owner: owner)
            }
        }
        #expect(try store.ids() == [])
    }

    @Test(arguments: StoreKind.allCases)
    func `a reader keeps the content that it opened`(kind: StoreKind) throws {
        let store = try kind.make(in: temporary)
        try store.put("old", "key")
        let reader = try #require(try store.open(EntryID("key")))
        try store.put("newer", "key")
        #expect(try reader.read(at: 0, count: 3) == Array("old".utf8))
        try store.remove("key")
        #expect(try reader.read(at: 1, count: 2) == Array("ld".utf8))
        #expect(reader.byteCount == 3)
    }

    @Test(arguments: StoreKind.onDisk)
    func `another object finds all that was committed`(kind: StoreKind) throws {
        let store = try kind.make(in: temporary)
        try store.put("1", "a/b")
        try store.put("2", "c")
        let again = try kind.reopen(in: temporary)
        #expect(try again.contents() == ["a/b": "1", "c": "2"])
        try again.put("3", "c")
        #expect(try store.text("c") == "3")
    }
}
