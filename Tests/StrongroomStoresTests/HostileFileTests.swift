import SimulatedDisk
@testable import StrongroomStores
import StrongroomSystem
import Synchronization
import Testing

/// Files of the store's own that are whole, sums and all, and say what no version of ours writes.
struct HostileFileTests {
    let temporary: TemporaryDirectory
    private let owner = OwnerID(Array("owner  1".utf8))

    init() throws { temporary = try TemporaryDirectory(inMemory: true) }

    private var path: Path { temporary.path.appending("store") }

    private func put(_ text: String) -> CommitRecord.Change {
        CommitRecord.Change(id: EntryID(Array(text.utf8)), kind: .put(depth: 0))
    }

    @Test func `a record that names an entry twice is damage`() throws {
        let record = CommitRecord(number: 1, changes: [put("a"), put("b"), put("a")])
        let bytes = try record.encoded()
        let error = #expect(throws: StoreError.self) {
            try CommitRecord(decoding: bytes, path: "p")
        }
        guard case .storeDamaged? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    static let noKeys: [(name: String, bytes: [UInt8])] = [
        ("not UTF-8", [0xFF]), ("NUL", [0x61, 0]),
        ("too long", [UInt8](repeating: 0x61, count: 1025)),
        ("not normal", Array("cafe\u{301}".utf8)),
    ]

    @Test(arguments: [true, false], noKeys.map(\.name))
    func `a record of what can be no entry is damage for reader and writer`(
        isDurable: Bool, what: String
    ) throws {
        let bytes = try #require(Self.noKeys.first { $0.name == what }).bytes
        let kind: StoreKind = isDurable ? .plainArea : .areaWithoutSyncs
        try kind.make(in: temporary).put("value", "key")
        let record = CommitRecord(
            number: 1, changes: [put("key"), .init(id: EntryID(bytes), kind: .put(depth: 0))])
        try temporary.write(try record.encoded(), to: "store", "%commit")
        let store = try kind.reopenDirectory(in: temporary)
        let damage = StoreError.storeDamaged(
            path: path.appending("%commit").description, what: "not a record of a commit")
        #expect(throws: damage) { try store.names() }
        #expect(throws: damage) { try store.text("key") }
        if isDurable {
            #expect(throws: damage) { try store.put("new", "other") }
            return
        }
        // Where nothing has to last, what a crash may have cut goes.
        try store.put("new", "other")
        #expect(try store.contents() == ["key": "value", "other": "new"])
    }

    @Test(arguments: noKeys.map(\.name))
    func `a lock file that notes what can be no entry keeps nobody from writing`(
        what: String
    ) throws {
        let bytes = try #require(Self.noKeys.first { $0.name == what }).bytes
        try StoreKind.plainArea.make(in: temporary).put("value", "key")
        var mark = StoreMark(bootID: try StoreMark.bootID(RealFileSystem()))
        mark.isWriting = true
        try temporary.write(
            try mark.encoded(note: EntryID(bytes)), to: "store", "%lock")
        let store = try StoreKind.plainArea.reopenDirectory(in: temporary)
        try store.put("new", "other")
        #expect(try store.contents() == ["key": "value", "other": "new"])
    }

    @Test(
        arguments: [StoreKind.plainArea, .areaWithoutSyncs, .vault],
        DirectoryStoreTests.Thing.allCases)
    func `what is no file in the place of a lock or a record is damage at once`(
        kind: StoreKind, thing: DirectoryStoreTests.Thing
    ) throws {
        try kind.make(in: temporary).put("value", "key")
        let names: [Path] = kind == .vault ? ["lock", "gate"] : ["%lock", "%gate", "%commit"]
        for name in names {
            let file = path.appending(name)
            let folder = try temporary.folder(["store"])
            let isThere = try folder.status(of: name) != nil
            if isThere { try folder.rename(name, to: "moved") }
            try thing.make(at: file)
            do {
                let store = try kind.reopenDirectory(in: temporary)
                try store.put("value", "key")
                // A FIFO can be locked; and a record of what need not last is not missed.
                #expect(thing == .fifo && name != "%lock" && name != "lock" || name == "%commit")
                #expect(name != "%commit" || kind == .areaWithoutSyncs)
            } catch let error as StoreError {
                guard case .storeDamaged(file.description, _) = error else { throw error }
            }
            if try folder.status(of: name) != nil { try folder.unlink(name) }
            if isThere { try folder.rename("moved", to: name) }
        }
        let store = try kind.reopenDirectory(in: temporary)
        #expect(try store.contents() == ["key": "value"])
    }

    @Test(arguments: StoreKind.onDisk)
    func `a lock file of two names is not written`(kind: StoreKind) throws {
        try kind.make(in: temporary).put("value", "key")
        let folder = try temporary.folder(["store"])
        let name: Path = [.plainArea, .areaWithoutSyncs].contains(kind) ? "%lock" : "lock"
        try folder.link(try folder.openFile(name, [.read]), as: "%other")
        let before = try temporary.bytes("store", "%other")
        let error = #expect(throws: StoreError.self) {
            try kind.reopen(in: temporary).put("new", "key")
        }
        guard case .unsuitable(path.appending(name).description, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try temporary.bytes("store", "%other") == before)
        #expect(try kind.reopen(in: temporary).contents() == ["key": "value"])
        try folder.unlink("%other")
        try kind.reopen(in: temporary).put("new", "key")
    }

    @Test func `folders deeper than any key's are not gone into`() throws {
        let disk = SimulatedDisk()
        let store = DirectoryStore(areaAt: "/area", durable: false, fileSystem: disk)
        try store.put("value", "d/key")
        let depth = KeyText.byteCountLimit + 500
        var folder = try OpenFile.open("/area/d", [.read, .directory], fileSystem: disk)
        for _ in 1..<depth { folder = try folder.makeDirectory("d") }
        let counting = CountingFileSystem(disk)
        let reader = DirectoryStore(areaAt: "/area", durable: false, fileSystem: counting)
        #expect(try reader.names() == ["d/key"])
        #expect(counting.listCount == KeyText.byteCountLimit + 1)
        let other = DirectoryStore(areaAt: "/area", durable: false, fileSystem: disk)
        try other.put("new", "other")
        #expect(try other.contents() == ["d/key": "value", "other": "new"])
    }

    @Test func `a hint or a commit of an end that no row can name is none`() throws {
        for (end, isHint) in [
            (LogCommit.endLimit, true), (LogCommit.endLimit + 8, false), (1 << 61, false),
        ] {
            let hint = LogHint(boot: .zero, log: .zero, inode: 1, end: end, sequence: 1)
            let bytes = try hint.encoded()
            let decoded = try LogHint(decoding: bytes.span)
            #expect(decoded == (isHint ? hint : nil))
        }
    }

    @Test func `an index of places and byte counts that no log has is none`() throws {
        let block = LogBlock(
            isSealed: true, generation: 1, log: .zero, owner: owner, base: .none)
        func index(start: Int64, liveByteCount: Int64) throws -> LogIndexFile? {
            let position = LogPosition(start: start, end: 0, sequence: 1, sum: 0, tag: .zero)
            let bytes = try LogIndexFile.encode(
                LogRows(), liveByteCount: liveByteCount, position, block, keys: TestLogKeys())
            return try LogIndexFile(decoding: bytes, block: block, keys: TestLogKeys())
        }
        #expect(try index(start: 4096, liveByteCount: 0) != nil)
        for start in [Int64.max, LogCommit.endLimit + 1] {
            #expect(try index(start: start, liveByteCount: 0) == nil)
        }
        for byteCount in [Int64.max, LogCommit.endLimit + 1] {
            #expect(try index(start: 4096, liveByteCount: byteCount) == nil)
        }
    }

    @Test func `lengths of gigabytes that a small log claims take no memory`() throws {
        try StoreKind.log.make(in: temporary).put("value", "key")
        let log = try StoreKind.log.reopenLog(in: temporary)
        let view = try log.look { (view) throws(StoreError) in view }
        let position = view.position
        let huge = EntryID([UInt8](repeating: 1, count: 20))
        var cases: [(name: String, bytes: [UInt8], end: Int64)] = []
        for byteCount in [2 << 30, LogEntry.byteCountLimit] {
            let entry = LogEntry(
                kind: .put, id: huge, offset: 0, byteCount: byteCount, stamp: 0, sum: 7)
            let (front, head) = try LogHead.encode(
                [entry], after: position, block: view.log.block, keys: TestLogKeys())
            cases.append(("a payload", front, position.end + head.alignedByteCount))
        }
        var table = cases[0].bytes
        table.replaceSubrange(16..<20, with: [0, 0, 0, 0x40])
        cases.append(("a table", table, cases[0].end))
        for (name, bytes, end) in cases {
            let file = try temporary.file(["store", "log"], [.write])
            try file.write(bytes.span, at: position.end)
            let hint = LogHint(
                boot: log.place.boot, log: view.log.block.log, inode: view.log.inode, end: end,
                sequence: position.sequence + 1)
            let hintBytes = try hint.encoded()
            try temporary.file(["store", "lock"], [.write]).write(hintBytes.span, at: 0)
            let counting = CountingFileSystem(RealFileSystem())
            let store = try StoreKind.log.reopenLog(in: temporary, fileSystem: counting)
            #expect(throws: StoreError.damaged(huge), "\(name)") { try store.read(huge) }
            if name == "a payload" {
                let reader = try #require(try store.open(huge))
                #expect(throws: StoreError.damaged(huge), "\(name)") {
                    try reader.read(at: 0, count: 100)
                }
            }
            #expect(try store.verify().findings != [])
            #expect(counting.longestRead <= 2 << 20, "\(name)")
        }
    }

    @Test
    func `a log full of what looks like commits is refused before all is read again and again`()
        throws
    {
        try StoreKind.log.make(in: temporary).put("value", "key")
        var fakes: [UInt8] = []
        let byteCount = 1 << 20
        while fakes.count < byteCount {
            // Magic, one row; so many bytes; so many of the table, zeros; a number; over and over, each head in the
            // one before it.
            let rest = UInt64(byteCount - fakes.count)
            fakes.append(LogHead.magic, byteCount: 4)
            fakes.append(1, byteCount: 4)
            fakes.append(rest, byteCount: 8)
            fakes.append(max(104, rest) - 80, byteCount: 4)
            fakes.append(0, byteCount: 4)
            fakes.append(7, byteCount: 8)
        }
        let size = try temporary.bytes("store", "log").count
        let file = try temporary.file(["store", "log"], [.write])
        try file.write(fakes.span, at: Int64(size))
        try temporary.folder(["store"]).unlink("lock")
        let counting = CountingFileSystem(RealFileSystem())
        let error = #expect(throws: StoreError.self) {
            try StoreKind.log.reopen(in: temporary, fileSystem: counting).put("new", "other")
        }
        guard case .tampered? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(counting.byteCount < 40 * byteCount)
    }
}

/// Files, where it is counted how many directories are listed and how many bytes are read.
private final class CountingFileSystem: FileSystemWrapper {
    let inner: any FileSystem
    private let counts = Mutex((lists: 0, bytes: 0, longest: 0))

    init(_ inner: any FileSystem) { self.inner = inner }

    var listCount: Int { counts.withLock { $0.lists } }
    var byteCount: Int { counts.withLock { $0.bytes } }
    /// The most room that was made for one reading.
    var longestRead: Int { counts.withLock { $0.longest } }

    func list(_ directory: Descriptor) throws(SystemError) -> [DirectoryItem] {
        counts.withLock { $0.lists += 1 }
        return try inner.list(directory)
    }

    func read(
        _ file: Descriptor, into buffer: inout MutableSpan<UInt8>, at offset: Int64
    ) throws(SystemError) -> Int {
        let count = try inner.read(file, into: &buffer, at: offset)
        let room = buffer.count
        counts.withLock { counts in
            counts.bytes += count
            counts.longest = max(counts.longest, room)
        }
        return count
    }
}
