import StrongroomCrypto
@testable import StrongroomStores
import StrongroomSystem
import Testing

/// A log of format 1 that a second implementation made (`Fixtures/log-1/make.py`): it opens for ever.
struct LogFixtureTests {
    let temporary: TemporaryDirectory
    private let owner = OwnerID(Array("owner  1".utf8))
    private var path: Path { temporary.path.appending("store") }

    init() throws {
        temporary = try TemporaryDirectory(inMemory: true)
        for name in ["log", "index"] {
            try temporary.write(try Self.fixture(name), to: "store", Path(name))
        }
    }

    private static func fixture(_ name: String) throws -> [UInt8] {
        let tests = "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        let place = try OpenFile.open(
            Path("\(tests)/Fixtures/log-1"), [.read, .directory], fileSystem: RealFileSystem())
        return try place.openFile(Path(name), [.read]).readAll(limit: 1 << 20)
    }

    private func open() throws -> LogStore {
        try LogStore.open(at: path, keys: FixtureKeys(), fileSystem: RealFileSystem())
    }

    private func id(_ number: Int) -> EntryID {
        EntryID([UInt8(number >> 8), UInt8(number & 0xFF)] + [UInt8](repeating: 0xAB, count: 18))
    }

    private func payload(_ seed: Int, _ byteCount: Int) -> [UInt8] {
        (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 * 7 + seed) }
    }

    /// What is set or removed behind the lost range is known, all else is not: also what is set before it in its
    /// own commit (200).
    private func expectSettled(_ store: LogStore) throws {
        let settled: [(number: Int, value: [UInt8]?)] = [
            (2, payload(6, 65_536)), (3, payload(4, 13)), (4, nil), (201, payload(5, 20)),
        ]
        for (number, value) in settled {
            #expect(try store.read(id(number))?.bytes == value, "\(number)")
        }
        for number in [0, 1, 5, 109, 200, 300] {
            #expect(throws: StoreError.damaged(id(number)), "\(number)") {
                try store.read(id(number))
            }
        }
    }

    @Test func `it lists, reads, and says what was lost`() throws {
        let store = try open()
        #expect(try store.owner() == owner)
        #expect(try store.point().generation == 3 && store.point().sequence == 6)
        #expect(try #require(try store.indexedEnd()) > LogBlock.byteCount)
        try expectSettled(store)
        let known = try store.knownIDs()
        #expect(known.count == 110)
        #expect(known.contains(id(200)) && known.contains(id(201)) && known.contains(id(0)))
        #expect(!known.contains(id(1)) && !known.contains(id(4)))
        #expect(throws: StoreError.self) { try store.ids() }
        let findings = try store.verify().findings
        #expect(findings.count == 1)
        guard case .lost(_, 100)? = findings.first else {
            Issue.record("\(findings)")
            return
        }
        #expect(try temporary.paths(below: "store") == ["index", "log"])
        #expect(try temporary.bytes("store", "log") == Self.fixture("log"))
    }

    @Test func `without its index it says the same`() throws {
        try temporary.folder(["store"]).unlink("index")
        try expectSettled(try open())
        #expect(try open().knownIDs().count == 110)
    }

    @Test func `it is written to and rewritten`() throws {
        let store = try open()
        try store.commit(
            [.put(id(0), .bytes(payload(9, 40))), .remove(id(5))], if: [:], owner: owner)
        for round in 0..<3 {
            let reader = try open()
            #expect(try reader.read(id(0))?.bytes == payload(9, 40))
            #expect(try reader.read(id(5)) == nil)
            #expect(try reader.read(id(2))?.bytes == payload(6, 65_536))
            #expect(try reader.read(id(4)) == nil)
            #expect(throws: StoreError.damaged(id(109))) { try reader.read(id(109)) }
            #expect(try reader.point().generation == UInt64(3 + round))
            try reader.compact()
        }
        try open().dropLost()
        let reader = try open()
        #expect(try reader.read(id(109))?.bytes == payload(109, 30))
        #expect(try reader.read(id(200))?.bytes == payload(1, 65_537))
        #expect(try reader.read(id(1)) == nil)
        #expect(try reader.ids().count == 109)
        #expect(try reader.verify().findings == [])
    }

    @Test func `the hint is the one that would be written`() throws {
        let bytes = try Self.fixture("hint")
        let hint = try #require(try LogHint(decoding: bytes.span))
        let log = try Self.fixture("log")
        #expect(hint.boot.bytes == Array(0x70..<0x80) && hint.inode == 5)
        #expect(hint.end == Int64(log.count) && hint.sequence == 6)
        #expect(try hint.encoded() == bytes)
    }

    @Test func `the index is the one that would be written`() throws {
        let log = try Self.fixture("log")
        let block = try LogBlock(decoding: log, keys: FixtureKeys(), path: "log")
        let bytes = try Self.fixture("index")
        let file = try #require(
            try LogIndexFile(decoding: bytes, block: block, keys: FixtureKeys()))
        var index = file.index
        guard case .success(let rows?) = try index.allRows() else {
            Issue.record("no rows")
            return
        }
        let position = LogPosition(
            start: file.start, end: 0, sequence: file.sequence, sum: file.sum, tag: .zero)
        let again = try LogIndexFile.encode(
            rows, liveByteCount: index.liveByteCount, position, block, keys: FixtureKeys())
        #expect(again == bytes)
    }

    @Test func `a higher version is newer, and nothing is touched`() throws {
        let file = try temporary.file(["store", "log"], [.write])
        let digit = [UInt8(ascii: "2")]
        for offset in LogBlock.copyOffsets { try file.write(digit.span, at: Int64(offset + 3)) }
        let before = try temporary.bytes("store", "log")
        let log = path.appending("log").description
        #expect(throws: StoreError.newerFormat(path: log)) { try open() }
        #expect(throws: StoreError.newerFormat(path: log)) {
            try LogStore.verify(at: path, keys: FixtureKeys(), fileSystem: RealFileSystem())
        }
        #expect(try temporary.bytes("store", "log") == before)
        #expect(try temporary.paths(below: "store") == ["index", "log"])
    }
}

/// A vault's keyed hashes, under keys that everybody knows.
private struct FixtureKeys: LogKeys {
    func chainTag(of message: Span<UInt8>, owner: OwnerID) throws(StoreError) -> Bytes16 {
        try tag(of: message, key: 0x20..<0x40)
    }

    func indexTag(of message: Span<UInt8>, owner: OwnerID) throws(StoreError) -> Bytes16 {
        try tag(of: message, key: 0x40..<0x60)
    }

    private func tag(
        of message: Span<UInt8>, key: Range<UInt8>
    ) throws(StoreError) -> Bytes16 {
        do {
            let key = Array(key)
            let vault = Array(UInt8(0x10)..<0x20)
            var hash = try KeyedHash(key: key.span, byteCount: Bytes16.byteCount)
            hash.update(vault.span)
            hash.update(message)
            let tag = hash.finish()
            return Bytes16(tag.span)
        } catch {
            throw .system(operation: "hash", path: "libsodium", code: -1)
        }
    }
}
