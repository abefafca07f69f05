@testable import StrongroomStores
import StrongroomSystem
import Synchronization
import Testing

/// What is particular to a log: garbage and compaction, the index, hints, read-only use, hosts that do not fit.
@Suite struct LogStoreTests {
    let temporary: TemporaryDirectory

    init() throws { temporary = try TemporaryDirectory(inMemory: true) }

    private var path: Path { temporary.path.appending("store") }
    private let owner = OwnerID(Array("owner  1".utf8))

    private func make(isSealed: Bool = false) throws -> LogStore {
        try LogStore.create(
            at: path, owner: owner, keys: TestLogKeys(), isSealed: isSealed,
            fileSystem: RealFileSystem())
    }

    private func open(
        readOnly: Bool = false, compactsByItself: Bool = true,
        fileSystem: any FileSystem = RealFileSystem()
    ) throws -> LogStore {
        try LogStore.open(
            at: path, keys: TestLogKeys(), readOnly: readOnly, compactsByItself: compactsByItself,
            fileSystem: fileSystem)
    }

    /// An id of 20 bytes, as a vault's are.
    private func id(_ number: Int) -> EntryID {
        EntryID([UInt8(number >> 8), UInt8(number & 0xFF)] + [UInt8](repeating: 9, count: 18))
    }

    private func fill(_ store: LogStore, _ numbers: Range<Int>, byteCount: Int) throws {
        for number in numbers {
            let bytes = [UInt8](repeating: UInt8(number & 0xFF), count: byteCount)
            try store.commit([.put(id(number), .bytes(bytes))], if: [:], owner: owner)
        }
    }

    @Test func `where nothing is there is no log, and looking makes nothing`() throws {
        #expect(try !LogStore.exists(at: path, fileSystem: RealFileSystem()))
        #expect(throws: StoreError.absent(path: path.description)) { try open() }
        #expect(try temporary.directory.list() == [])
        _ = try temporary.folder(["store"])
        #expect(throws: StoreError.absent(path: path.appending("log").description)) {
            try open()
        }
    }

    @Test func `an empty log is made again in the next generation, one with commits never`() throws
    {
        #expect(try make().point().generation == 1)
        let store = try make()
        #expect(try store.point().generation == 2)
        try store.put("value", "key")
        #expect(throws: StoreError.exists(path: path.description)) { try make() }
        #expect(try open().contents() == ["key": "value"])
        #expect(try LogStore.owner(at: path, fileSystem: RealFileSystem()) == owner)
    }

    @Test func `bytes of what was removed or replaced are gone from all files after compaction`()
        throws
    {
        let store = try make()
        for number in 0..<20 {
            try store.put("a secret that is replaced \(number)", "key \(number)")
            try store.put("kept \(number)", "key \(number)")
            try store.put("a secret that is removed \(number)", "gone")
            try store.remove("gone")
        }
        #expect(try holds("a secret that is"))
        #expect(try store.usage().garbageByteCount > 0)
        let before = try store.contents()
        try store.compact()
        #expect(try !holds("a secret that is"))
        #expect(try store.contents() == before)
        #expect(try open().contents() == before)
        #expect(try store.owner() == owner)
        try store.put("later", "key 0")
        #expect(try open().text("key 0") == "later")
    }

    private func holds(_ text: String) throws -> Bool {
        for name in try temporary.paths(below: "store") {
            let bytes = try temporary.bytes("store", Path(name))
            if String(decoding: bytes, as: UTF8.self).contains(text) { return true }
        }
        return false
    }

    @Test func `a log that is mostly garbage is compacted by itself`() throws {
        let store = try make()
        for _ in 0..<40 { try fill(store, 0..<10, byteCount: 4096) }
        #expect(try store.usage().garbageByteCount < 400_000)
        #expect(try store.ids().count == 10)
        #expect(try store.leftovers() == [])
        let patient = try open(compactsByItself: false)
        for _ in 0..<40 { try fill(patient, 0..<10, byteCount: 4096) }
        #expect(try patient.usage().garbageByteCount > 1_000_000)
    }

    @Test func `while somebody holds job nothing is compacted by itself`() throws {
        let store = try make()
        let job = FileLock(
            directory: try temporary.folder(["store"]), name: "job", gate: nil)
        let held = try job.acquire(waitSeconds: 5)
        for _ in 0..<40 { try fill(store, 0..<10, byteCount: 4096) }
        #expect(try store.usage().garbageByteCount > 1_000_000)
        held.release()
        try fill(store, 0..<1, byteCount: 1)
        #expect(try store.usage().garbageByteCount < 400_000)
    }

    @Test func `the index is written, used, and as good as none when it is damaged`() throws {
        let store = try make()
        try fill(store, 0..<300, byteCount: 5000)
        let bytes = try temporary.bytes("store", "index")
        #expect(bytes.count > 80)
        let end = try open().usageEnd()
        #expect(try #require(try open().indexedEnd()) > 1 << 20)
        #expect(try #require(try open().indexedEnd()) <= end)
        for offset in stride(from: 0, to: bytes.count, by: 97) {
            var wrong = bytes
            wrong[offset] ^= 0x20
            try temporary.write(wrong, to: "store", "index")
            let reader = try open()
            for number in [0, 7, 150, 299] {
                #expect(try reader.read(id(number))?.bytes.first == UInt8(number & 0xFF))
            }
            #expect(try reader.ids().count == 300)
        }
        for count in stride(from: 0, to: bytes.count, by: 501) {
            try temporary.write(Array(bytes[..<count]), to: "store", "index")
            #expect(try open().ids().count == 300)
        }
        try temporary.folder(["store"]).unlink("index")
        #expect(try open().ids().count == 300)
    }

    @Test func `an index of before is brought up to date, one of another log is ignored`() throws {
        let store = try make()
        try fill(store, 0..<300, byteCount: 5000)
        let old = try temporary.bytes("store", "index")
        try store.commit([.remove(id(7)), .put(id(8), .bytes([1]))], if: [:], owner: owner)
        #expect(try open().read(id(7)) == nil)
        #expect(try open().read(id(8))?.bytes == [1])
        try store.compact()
        try temporary.write(old, to: "store", "index")
        #expect(try open().ids().count == 299)
        #expect(try open().read(id(8))?.bytes == [1])
    }

    @Test func `what an index settles is known in spite of damage before it`() throws {
        let store = try make()
        try fill(store, 0..<300, byteCount: 5000)
        let offset = try #require(try store.offset(ofCommit: 3))
        let file = try temporary.file(["store", "log"], [.write])
        let garbage: [UInt8] = [1, 2, 3, 4]
        try file.write(garbage.span, at: offset + 30)
        let reader = try open()
        #expect(try reader.ids().count == 300)
        #expect(try reader.read(id(2))?.bytes.count == 5000)
        try temporary.folder(["store"]).unlink("index")
        #expect(throws: StoreError.damaged(id(1))) { try open().read(id(1)) }
        #expect(try open().read(id(250))?.bytes.count == 5000)
    }

    /// What may become of the hint.
    enum Hint: CaseIterable, Sendable {
        case gone, empty, zeros, garbage, otherBoot, otherLog, older
    }

    @Test(arguments: Hint.allCases)
    func `a hint that is lost or of something else is done without`(hint: Hint) throws {
        let store = try make()
        try store.put("1", "a")
        let old = try temporary.bytes("store", "lock")
        try store.put("2", "a")
        let lock = try temporary.bytes("store", "lock")
        let now = try #require(try LogHint(decoding: lock.span))
        switch hint {
        case .gone: try temporary.folder(["store"]).unlink("lock")
        case .empty: try temporary.write([], to: "store", "lock")
        case .zeros: try temporary.write([UInt8](repeating: 0, count: 64), to: "store", "lock")
        case .garbage: try temporary.write(Array(0..<64), to: "store", "lock")
        case .otherBoot:
            let other = LogHint(
                boot: .zero, log: now.log, inode: now.inode, end: now.end, sequence: now.sequence)
            try temporary.write(try other.encoded(), to: "store", "lock")
        case .otherLog:
            let other = LogHint(
                boot: now.boot, log: .zero, inode: now.inode, end: now.end, sequence: now.sequence)
            try temporary.write(try other.encoded(), to: "store", "lock")
        case .older:
            // Of another boot: of this one it would be what a killed writer left.
            let early = try #require(try LogHint(decoding: old.span))
            let other = LogHint(
                boot: .zero, log: early.log, inode: early.inode, end: early.end,
                sequence: early.sequence)
            try temporary.write(try other.encoded(), to: "store", "lock")
        }
        let reader = try open(readOnly: true)
        #expect(try reader.text("a") == "2")
        #expect(try reader.text("a") == "2")
        let writer = try open()
        try writer.put("3", "b")
        #expect(try writer.contents() == ["a": "2", "b": "3"])
        #expect(try reader.contents() == ["a": "2", "b": "3"])
        #expect(try store.contents() == ["a": "2", "b": "3"])
        try store.put("4", "c")
        #expect(try store.contents() == ["a": "2", "b": "3", "c": "4"])
        #expect(try open().contents() == ["a": "2", "b": "3", "c": "4"])
    }

    @Test func `a reader of a read-only store writes nothing and makes nothing`() throws {
        try make().put("value", "key")
        try temporary.folder(["store"]).unlink("lock")
        try temporary.folder(["store"]).unlink("gate")
        let before = try temporary.paths(below: "store")
        let reader = try open(readOnly: true)
        #expect(try reader.contents() == ["key": "value"])
        #expect(throws: StoreError.self) { try reader.put("new", "key") }
        #expect(throws: StoreError.self) { try reader.compact() }
        #expect(throws: StoreError.self) { try reader.stage() }
        #expect(try temporary.paths(below: "store") == before)
    }

    @Test func `a copy of the files opens`() throws {
        try make().put("value", "key")
        for name in try temporary.paths(below: "store") {
            try temporary.write(
                try temporary.bytes("store", Path(name)), to: "copy", Path(name))
        }
        let copy = try LogStore.open(
            at: temporary.path.appending("copy"), keys: TestLogKeys(),
            fileSystem: RealFileSystem())
        #expect(try copy.contents() == ["key": "value"])
        try copy.put("other", "key")
        #expect(try copy.text("key") == "other")
        #expect(try open().text("key") == "value")
    }

    @Test func `threads that wait together lose nothing and fail alone`() throws {
        let store = try make()
        let crew = Crew()
        let refused = Mutex(0)
        for thread in 0..<8 {
            crew.start {
                for round in 0..<50 {
                    try store.put("\(round)", "thread \(thread)")
                    do {
                        try store.commit(
                            [.put(EntryID("wrong"), .bytes([1]))],
                            if: [EntryID("wrong"): Version(number: 1)], owner: owner)
                    } catch let error as StoreError
                        where error == .conditionFailed(EntryID("wrong"))
                    {
                        refused.withLock { $0 += 1 }
                    }
                }
            }
        }
        try crew.join()
        #expect(refused.withLock { $0 } == 400)
        #expect(try store.ids().count == 8)
        for thread in 0..<8 { #expect(try open().text("thread \(thread)") == "49") }
        // Fewer commits than puts: some went out together.
        #expect(try store.point().sequence <= 400)
    }

    @Test func `payloads larger than what is written in one call come back`() throws {
        let store = try make(isSealed: true)
        let byteCount = 5 << 20
        let bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 11) }
        try store.commit([.put(id(1), .bytes(bytes))], if: [:], owner: owner)
        let staged = try store.stage()
        try staged.write(bytes.span, at: 0)
        try store.commit(
            [.put(id(2), .staged(staged)), .put(id(3), .bytes([1]))], if: [:], owner: owner)
        try store.compact()
        let reader = try open()
        #expect(try reader.read(id(1))?.bytes == bytes)
        #expect(try reader.read(id(2))?.bytes == bytes)
        #expect(try reader.read(id(3))?.bytes == [1])
    }

    @Test func `a network disk, or a host that names no boots, is refused and nothing is made`()
        throws
    {
        for host in [FaultyFileSystem.Host.network, .withoutBoots] {
            let system = FaultyFileSystem(.error, host: host)
            let error = #expect(throws: StoreError.self) {
                try LogStore.create(
                    at: path, owner: owner, keys: TestLogKeys(), isSealed: false,
                    fileSystem: system)
            }
            guard case .unsuitable(_, let what)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(what.contains("--layout files"))
            #expect(try temporary.paths(below: "store") == [])
        }
    }

    @Test
    func `a process that may open no more files is told that, and not that its kernel is odd`()
        throws
    {
        try fill(try make(), 0..<3, byteCount: 10)
        var refusedCount = 0
        for call in 1...20 {
            let limited = LastingFault(.fileLimit)
            limited.begin(at: call)
            do throws(any Error) {
                _ = try open(readOnly: true, fileSystem: limited).owner()
            } catch StoreError.system(_, let path, let code) {
                #expect(code == ErrorCode.tooManyOpen)
                #expect(!path.isEmpty)
                refusedCount += 1
            }
            let making = LastingFault(.fileLimit)
            making.begin(at: call)
            do throws(any Error) {
                try LogStore.checkSuitable(at: path, fileSystem: making)
            } catch StoreError.system(_, _, let code) {
                #expect(code == ErrorCode.tooManyOpen)
            }
        }
        #expect(refusedCount > 2)
    }
}

extension LogStore {
    /// Where the index that was read ends.
    func indexedEnd() throws -> Int64? {
        try look { (view) throws(StoreError) in view.indexedEnd }
    }
}
