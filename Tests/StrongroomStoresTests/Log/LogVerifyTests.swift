@testable import StrongroomStores
import StrongroomSystem
import Testing

/// What the verification of a whole log finds, and what it does not.
struct LogVerifyTests {
    let temporary: TemporaryDirectory
    private let owner = OwnerID(Array("owner  1".utf8))

    init() throws { temporary = try TemporaryDirectory(inMemory: true) }

    private func id(_ number: UInt8) -> EntryID {
        EntryID([number] + [UInt8](repeating: 9, count: 19))
    }

    /// Five commits: 1 and 2 set, 1 replaced, 3 set and removed.
    private func make() throws -> LogStore {
        let store = try LogStore.create(
            at: temporary.path.appending("store"), owner: owner, keys: TestLogKeys(),
            isSealed: true, fileSystem: RealFileSystem())
        for (number, byteCount) in [(1, 40), (2, 50), (1, 61), (3, 1)] {
            let bytes = (0..<byteCount).map { UInt8($0 + number) }
            try store.commit([.put(id(UInt8(number)), .bytes(bytes))], if: [:], owner: owner)
        }
        try store.commit([.remove(id(3))], if: [:], owner: owner)
        return store
    }

    private func verify() throws -> LogReport {
        try LogStore.verify(
            at: temporary.path.appending("store"), keys: TestLogKeys(),
            fileSystem: RealFileSystem())
    }

    private func write(_ bytes: [UInt8], at offset: Int64) throws {
        try temporary.file(["store", "log"], [.write]).write(bytes.span, at: offset)
    }

    private func flip(_ bit: UInt8, at offset: Int64) throws {
        let old = try temporary.file(["store", "log"], [.read]).read(at: offset, count: 1)
        try write([old[0] ^ bit], at: offset)
    }

    private func offsets(_ store: LogStore) throws -> [Int64] {
        var offsets: [Int64] = []
        for number in 1...5 as ClosedRange<UInt64> {
            offsets.append(try #require(try store.offset(ofCommit: number)))
        }
        return offsets
    }

    @Test func `a sound log has no findings, and verifying it writes nothing`() throws {
        let store = try make()
        let before = try temporary.paths(below: "store")
        var progress: [Int64] = []
        let end = try store.usageEnd()
        let report = try store.verify { done, all in
            progress.append(done)
            #expect(all == end)
        }
        #expect(report.findings == [])
        #expect(report.commitCount == 5 && report.entryCount == 2 && report.byteCount == end)
        #expect(progress.count == 5 && progress.last == end && progress == progress.sorted())
        #expect(try temporary.paths(below: "store") == before)
        #expect(try verify() == report)
    }

    @Test func `damage of a payload is that entry's, and none if it was replaced`() throws {
        let store = try make()
        let offsets = try offsets(store)
        try flip(0x41, at: offsets[1] + 80 + 44 + 30)
        #expect(try verify().findings == [.damaged(id(2))])
        try flip(1, at: offsets[0] + 80 + 44 + 3)
        try flip(1, at: offsets[3] + 80 + 44)
        #expect(try verify().findings == [.damaged(id(2))])
        try store.commit([.put(id(2), .bytes([1]))], if: [:], owner: owner)
        #expect(try verify().findings == [])
    }

    @Test func `one bit of a head is told, more are a lost range`() throws {
        let store = try make()
        let offsets = try offsets(store)
        try flip(4, at: offsets[2] + 17)
        #expect(try verify().findings == [.corrected(at: offsets[2])])
        try flip(5, at: offsets[2] + 33)
        #expect(
            try verify().findings == [
                .lost(at: offsets[2], byteCount: offsets[3] - offsets[2])
            ])
        try LogStore.open(
            at: temporary.path.appending("store"), keys: TestLogKeys(),
            fileSystem: RealFileSystem()
        ).compact()
        let carried = try verify().findings
        #expect(carried.map(\.isLoss) == [true])
        try store.dropLost()
        #expect(try verify().findings == [])
    }

    @Test func `a lost newest commit is told, and a torn tail is another thing`() throws {
        let store = try make()
        let end = try store.usageEnd()
        let last = try offsets(store)[4]
        try write([1, 2, 3], at: end + 8)
        #expect(try verify().findings == [.tail(at: end, byteCount: 16)])
        #expect(try verify().findings.map(\.isLoss) == [false])
        try write([1, 2, 3], at: last + 60)
        #expect(
            try verify().findings == [
                .lost(at: last, byteCount: end - last), .tail(at: end, byteCount: 16),
            ])
    }

    @Test func `spare bytes that are wrong are told and harm nothing`() throws {
        let store = try make()
        let offsets = try offsets(store)
        try flip(1, at: 40)
        try flip(1, at: 4000)
        // 80 and 44 and 61 bytes, then 7 zeros.
        try flip(1, at: offsets[3] - 1)
        #expect(
            try verify().findings == [
                .spare(at: 0), .spare(at: 2048), .spare(at: offsets[2] + 80 + 44 + 61),
            ])
        #expect(try verify().findings.contains { $0.isLoss } == false)
    }

    @Test func `a commit that was taken out or put elsewhere is told with what comes behind it`()
        throws
    {
        let store = try make()
        let offsets = try offsets(store)
        let bytes = try temporary.bytes("store", "log")
        let third = Array(bytes[Int(offsets[2])..<Int(offsets[3])])
        try write(third, at: offsets[1])
        let found = try verify().findings
        let tampering = LogFinding.tampered(
            at: offsets[1], ids: [id(1)], what: "a commit stands where another one belongs")
        #expect(found.first == tampering)
        #expect(!found.map(\.isLoss).contains(false))
        #expect(try verify().findings == found)
        // Without the hint too.
        try temporary.folder(["store"]).unlink("lock")
        #expect(try verify().findings.first == tampering)
    }

    @Test func `a forged block 0 is told`() throws {
        _ = try make()
        var bytes = try temporary.bytes("store", "log")
        for offset in LogBlock.copyOffsets {
            bytes[offset + 32] ^= 1
            let key = Array(bytes[(offset + 16)..<(offset + 32)])
            let copy = Array(bytes[offset..<(offset + 88)])
            bytes.set(try LogSum.sum(copy.span, key: key), at: offset + 88)
        }
        try write(Array(bytes[..<4096]), at: 0)
        let found = try verify().findings
        guard found.count == 1, case .tampered(0, [], _)? = found.first else {
            Issue.record("\(found)")
            return
        }
    }

    @Test func `an index that is wrong, of another log, or of before`() throws {
        let store = try make()
        let view = try store.look { (view) throws(StoreError) in view }
        try store.writeIndex(view)
        #expect(try verify().findings == [])
        let bytes = try temporary.bytes("store", "index")
        for offset in [0, 20, 30, 50, 70, 85, bytes.count - 1] {
            var wrong = bytes
            wrong[offset] ^= 1
            try temporary.write(wrong, to: "store", "index")
            // Another log id is another log's, which says nothing.
            #expect(try verify().findings == (offset == 20 ? [] : [.index]), "\(offset)")
        }
        // Right tags, wrong rows: who has the key is wrong himself.
        var rows = LogRows()
        rows.append(id(1), LogRow(offset: 4096, byteCount: 1, version: 1))
        let wrong = try LogIndexFile.encode(
            rows, liveByteCount: 45, view.position, view.log.block, keys: TestLogKeys())
        try temporary.write(wrong, to: "store", "index")
        #expect(try verify().findings == [.index])
        try temporary.write(bytes, to: "store", "index")
        try store.commit([.put(id(4), .bytes([1]))], if: [:], owner: owner)
        #expect(try verify().findings == [])
        try store.compact()
        try temporary.write(bytes, to: "store", "index")
        #expect(try verify().findings == [])
    }

    @Test func `a log that is rolled back is told, and walked all the same`() throws {
        let store = try make()
        let point = try store.point()
        let anchor = FixedAnchor(
            LogPoint(
                generation: point.generation, sequence: point.sequence + 1, tag: point.tag))
        let report = try LogStore.verify(
            at: temporary.path.appending("store"), keys: TestLogKeys(), anchor: anchor,
            fileSystem: RealFileSystem())
        guard case .rolledBack? = report.findings.first else {
            Issue.record("\(report)")
            return
        }
        #expect(report.findings.count == 1 && report.commitCount == 5)
    }
}

/// An anchor that is what it is.
struct FixedAnchor: LogAnchor {
    let fixed: LogPoint?

    init(_ point: LogPoint?) { fixed = point }

    func point() throws(StoreError) -> LogPoint? { fixed }
    func note(_ point: LogPoint) {}
    func settle(_ point: LogPoint) throws(StoreError) {}
}
