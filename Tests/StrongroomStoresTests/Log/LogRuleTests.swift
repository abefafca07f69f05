@testable import StrongroomStores
import StrongroomSystem
import Testing

/// Holes in single rules of the log that a hostile reading found, each with what it let through.
struct LogRuleTests {
    let temporary: TemporaryDirectory
    private let owner = OwnerID(Array("owner  1".utf8))
    private var path: Path { temporary.path.appending("store") }

    init() throws { temporary = try TemporaryDirectory(inMemory: true) }

    private func create(isSealed: Bool = true) throws -> LogStore {
        try LogStore.create(
            at: path, owner: owner, keys: TestLogKeys(), isSealed: isSealed,
            fileSystem: RealFileSystem())
    }

    private func open() throws -> LogStore {
        try LogStore.open(at: path, keys: TestLogKeys(), fileSystem: RealFileSystem())
    }

    private func id(_ number: UInt8) -> EntryID {
        EntryID([number] + [UInt8](repeating: 9, count: 19))
    }

    private func put(_ store: LogStore, _ number: UInt8, _ bytes: [UInt8]) throws {
        try store.commit([.put(id(number), .bytes(bytes))], if: [:], owner: owner)
    }

    /// A payload in the shape of a sealed one.
    private func sealed(_ seed: UInt8, byteCount: Int = 64) -> [UInt8] {
        (0..<byteCount).map { UInt8(truncatingIfNeeded: $0) ^ seed }
    }

    private func write(_ bytes: [UInt8], at offset: Int64) throws {
        try temporary.file(["store", "log"], [.write]).write(bytes.span, at: offset)
    }

    private func isTampered(_ body: () throws -> Void) -> Bool {
        do {
            try body()
            return false
        } catch {
            if case .tampered? = error as? StoreError { return true }
            return false
        }
    }

    private func isRolledBack(_ body: () throws -> Void) -> Bool {
        do {
            try body()
            return false
        } catch {
            if case .rolledBack? = error as? StoreError { return true }
            return false
        }
    }

    @Test func `whoever asks for the owner of a newer log hears that it is newer`() throws {
        _ = try create()
        let bytes = try temporary.bytes("store", "log")
        try write([UInt8(ascii: "2")], at: 3)
        #expect(try open().ids() == [])
        try write([UInt8(ascii: "2")], at: 2051)
        let log = path.appending("log").description
        #expect(throws: StoreError.newerFormat(path: log)) { try open() }
        #expect(throws: StoreError.newerFormat(path: log)) {
            try LogStore.owner(at: path, fileSystem: RealFileSystem())
        }
        #expect(throws: StoreError.newerFormat(path: log)) { try create() }
        #expect(throws: StoreError.newerFormat(path: log)) {
            try LogStore.verify(at: path, keys: TestLogKeys(), fileSystem: RealFileSystem())
        }
        var newer = bytes
        newer[3] = UInt8(ascii: "2")
        newer[2051] = UInt8(ascii: "2")
        #expect(try temporary.bytes("store", "log") == newer)
    }

    @Test func `a log that cannot be read, or had commits in an older generation, is not replaced`()
        throws
    {
        let store = try create()
        try put(store, 1, [1])
        try store.commit([.remove(id(1))], if: [:], owner: owner)
        try store.compact()
        #expect(try temporary.bytes("store", "log").count == LogBlock.byteCount)
        #expect(throws: StoreError.exists(path: path.description)) { try create() }
        for byteCount in [0, 100, 4096] {
            let rest = [UInt8](repeating: 7, count: byteCount)
            try temporary.write(rest, to: "store", "log")
            #expect(throws: StoreError.self) { try create() }
            #expect(try temporary.bytes("store", "log") == rest)
        }
    }

    @Test func `an older commit in the place of an acknowledged one is tampering`() throws {
        let store = try create()
        for number in 1...4 as ClosedRange<UInt8> { try put(store, number, sealed(number)) }
        let bytes = try temporary.bytes("store", "log")
        let first = try Int(#require(try store.offset(ofCommit: 1)))
        let second = try Int(#require(try store.offset(ofCommit: 2)))
        let third = try #require(try store.offset(ofCommit: 3))
        try write(Array(bytes[first..<second]), at: third)
        #expect(isTampered { _ = try open() })
        // And without a hint, since another one comes behind it.
        try temporary.folder(["store"]).unlink("lock")
        #expect(isTampered { _ = try open() })
    }

    @Test
    func `an older sealing in the place of the newest is damage, also for who reads in parts`()
        throws
    {
        let store = try create()
        try put(store, 1, sealed(1))
        let old = try #require(try store.row(id(1)))
        try put(store, 1, sealed(2))
        let new = try #require(try store.row(id(1)))
        let payload = try temporary.file(["store", "log"], [.read]).read(at: old.offset, count: 64)
        #expect(payload == sealed(1))
        try write(payload, at: new.offset)
        let reader = try open()
        #expect(throws: StoreError.damaged(id(1))) { try reader.read(id(1)) }
        let entry = try #require(try reader.open(id(1)))
        #expect(throws: StoreError.damaged(id(1))) { try entry.read(at: 0, count: 30) }
        #expect(throws: StoreError.damaged(id(1))) { try entry.read(at: 30, count: 34) }
    }

    @Test func `a damaged payload stays damage through compaction when its head was set right`()
        throws
    {
        let store = try create()
        try put(store, 1, sealed(1))
        try put(store, 2, sealed(2))
        let row = try #require(try store.row(id(1)))
        let head = try #require(try store.offset(ofCommit: 1))
        let right = try temporary.file(["store", "log"], [.read]).read(at: head + 60, count: 1)
        try write([right[0] ^ 8], at: head + 60)
        try write([0xEE], at: row.offset + 40)
        let reader = try open()
        let version = try #require(try reader.read(id(1))?.version)
        #expect(try reader.isDamaged(id(1), version))
        try open().compact()
        #expect(try open().verify().findings == [.damaged(id(1))])
        #expect(try open().isDamaged(id(1), version))
    }

    @Test(arguments: [true, false], [40, 19, 12, 0] as [Int64])
    func `a payload that is cut off stops no compaction, and is damaged afterwards too`(
        isSealed: Bool, byteCount: Int64
    ) throws {
        let store = try create(isSealed: isSealed)
        try put(store, 1, sealed(1))
        try put(store, 2, sealed(2))
        let row = try #require(try store.row(id(2)))
        try temporary.file(["store", "log"], [.write]).truncate(to: row.offset + byteCount)
        try store.compact()
        let reader = try open()
        #expect(try reader.read(id(1))?.bytes == sealed(1))
        #expect(try reader.verify().findings == [.damaged(id(2))])
        do {
            let entry = try #require(try reader.read(id(2)))
            #expect(try isSealed && reader.isDamaged(id(2), entry.version))
        } catch let error as StoreError {
            #expect(error == .damaged(id(2)))
        }
    }

    @Test func `an index that turns out to be wrong under the lock fails no commit`() throws {
        let store = try create()
        for number in 0..<250 as Range<UInt8> { try put(store, number, sealed(number)) }
        try store.writeIndex(try store.look { (view) throws(StoreError) in view })
        var bytes = try temporary.bytes("store", "index")
        for place in stride(from: 104, to: bytes.count, by: 39) { bytes[place + 10] ^= 1 }
        try temporary.write(bytes, to: "store", "index")
        // Commits behind the index, and no hint that is current: all is read under the lock.
        try put(store, 7, sealed(99))
        let other = try open()
        try temporary.write([], to: "store", "lock")
        try put(other, 8, sealed(98))
        #expect(try open().read(id(7))?.bytes == sealed(99))
        #expect(try open().read(id(8))?.bytes == sealed(98))
        #expect(try open().ids().count == 250)
    }

    @Test func `what this process has seen is not taken back by a successor of an older state`()
        throws
    {
        let store = try create()
        try put(store, 1, sealed(1))
        let old = try temporary.bytes("store", "log")
        try put(store, 1, sealed(2))
        try temporary.write(old, to: "store", "log")
        try temporary.write([], to: "store", "lock")
        let other = try open()
        try other.compact()
        #expect(try other.read(id(1))?.bytes == sealed(1))
        #expect(isRolledBack { _ = try store.read(id(1)) })
    }

    @Test func `another history of the same length is seen by who knows the first`() throws {
        let store = try create()
        try put(store, 1, sealed(1))
        let old = try temporary.bytes("store", "log")
        try put(store, 1, sealed(2))
        try temporary.write(old, to: "store", "log")
        try temporary.write([], to: "store", "lock")
        try put(try open(), 1, sealed(3))
        #expect(isRolledBack { try put(store, 2, sealed(4)) })
    }

    /// How the lock that others have open goes out of use.
    enum LockLoss: CaseIterable, Sendable {
        case removed, removedAndMade, directoryMoved
    }

    @Test(arguments: LockLoss.allCases)
    func `who has a lock open that is gone reads nothing old once a commit was acknowledged`(
        loss: LockLoss
    ) throws {
        let store = try create()
        try put(store, 1, sealed(1))
        for round in 2..<30 as Range<UInt8> {
            // Just asked, so not asking again by itself.
            #expect(try store.read(id(1)) != nil)
            let folder = try temporary.folder(["store"])
            switch loss {
            case .removed: try folder.unlink("lock")
            case .removedAndMade:
                try folder.unlink("lock")
                try temporary.write([], to: "store", "lock")
            case .directoryMoved:
                for name in try temporary.paths(below: "store") where name != "lock" {
                    let bytes = try temporary.bytes("store", Path(name))
                    try temporary.write(bytes, to: "copy", Path(name))
                }
                try temporary.directory.rename("store", to: "old")
                try temporary.directory.rename("copy", to: "store")
            }
            try put(try open(), 1, sealed(round))
            #expect(try store.read(id(1))?.bytes == sealed(round), "round \(round)")
            if loss == .directoryMoved {
                for name in try temporary.paths(below: "old") {
                    try temporary.folder(["old"]).unlink(Path(name))
                }
                try temporary.directory.removeDirectory("old")
            }
        }
    }

    @Test func `a lock that is gone and not made again is done without`() throws {
        let store = try create()
        try put(store, 1, sealed(1))
        try temporary.folder(["store"]).unlink("lock")
        let later = Clock.monotonic() + 2 * LogReader.lockCheckNanoseconds
        while Clock.monotonic() < later { #expect(try store.read(id(1))?.bytes == sealed(1)) }
        #expect(try temporary.folder(["store"]).status(of: "lock") == nil)
        try put(store, 2, sealed(2))
        #expect(try open().read(id(2))?.bytes == sealed(2))
    }

    @Test func `numbers that no log has, in a hint or an anchor, count as none`() throws {
        let store = try create()
        try put(store, 1, sealed(1))
        let point = try store.point()
        let end = try store.usageEnd()
        // A torn commit, so that what is known of the end is asked for.
        try write(Array("SRT1 and no more".utf8), at: end)
        let bytes = try temporary.bytes("store", "lock")
        let hint = try #require(try LogHint(decoding: bytes.span))
        let wrong = LogHint(
            boot: hint.boot, log: hint.log, inode: hint.inode, end: end + 800, sequence: .max)
        try temporary.write(try wrong.encoded(), to: "store", "lock")
        let anchor = FixedAnchor(
            LogPoint(generation: point.generation, sequence: .max, tag: point.tag))
        let other = try LogStore.open(
            at: path, keys: TestLogKeys(), anchor: anchor, fileSystem: RealFileSystem())
        #expect(try other.read(id(1))?.bytes == sealed(1))
        try put(other, 2, sealed(2))
        #expect(try open().read(id(2))?.bytes == sealed(2))
    }

    @Test func `a payload of no bytes is found beside one that lies at the same place`() throws {
        let store = try create()
        let changes = (1...40 as ClosedRange<UInt8>).map { number in
            StoreChange.put(id(number), .bytes(number % 3 == 0 ? sealed(number) : []))
        }
        try store.commit(changes, if: [:], owner: owner)
        let row = try #require(try store.row(id(39)))
        try write([0xEE], at: row.offset + 50)
        try store.compact()
        #expect(try open().verify().findings == [.damaged(id(39))])
    }
}
