@testable import StrongroomStores
import StrongroomSystem
import Testing

/// The log's bytes, without a disk.
struct LogFormatTests {
    private let keys = TestLogKeys()
    private let block = LogBlock(
        isSealed: true, generation: 7, log: Bytes16(Array(0..<16).span),
        owner: OwnerID(Array("owner id".utf8)),
        base: LogPoint(generation: 6, sequence: 9, tag: Bytes16(Array(16..<32).span)))

    private func entry(
        _ kind: LogEntry.Kind, _ id: String, byteCount: Int64 = 0, stamp: UInt64 = 0,
        sum: UInt64 = 0
    ) -> LogEntry {
        LogEntry(
            kind: kind, id: EntryID(id), offset: 0, byteCount: byteCount, stamp: stamp, sum: sum)
    }

    private func commit() throws -> (bytes: [UInt8], position: LogPosition) {
        let position = try LogPosition.first(block, keys)
        let entries = [
            entry(.put, "ab", byteCount: 13, stamp: 0x11, sum: 0x22), entry(.remove, "c"),
            entry(.lost, "", byteCount: 5, sum: 0x33),
        ]
        let (bytes, _) = try LogHead.encode(entries, after: position, block: block, keys: keys)
        return (bytes, position)
    }

    private func decode(_ bytes: [UInt8]) throws -> LogCommit? {
        try LogCommit(
            decoding: bytes, at: 4096, block: block)
    }

    @Test func `block 0 has the documented bytes, twice`() throws {
        let bytes = try block.encoded(keys)
        #expect(bytes.count == 4096)
        #expect(Array(bytes[..<8]) == Array("SRS1".utf8) + [1, 0, 0, 0])
        #expect(Array(bytes[8..<32]) == [7, 0, 0, 0, 0, 0, 0, 0] + Array(0..<16))
        #expect(Array(bytes[32..<48]) == Array("owner id".utf8) + [6, 0, 0, 0, 0, 0, 0, 0])
        #expect(Array(bytes[48..<72]) == [9, 0, 0, 0, 0, 0, 0, 0] + Array(16..<32))
        #expect(Array(bytes[..<96]) == Array(bytes[2048..<2144]))
        #expect(bytes[96..<2048].allSatisfy { $0 == 0 } && bytes[2144...].allSatisfy { $0 == 0 })
        #expect(try LogBlock(decoding: bytes, keys: keys, path: "p") == block)
    }

    @Test func `one copy of block 0 may be damaged anywhere, and both may not`() throws {
        let bytes = try block.encoded(keys)
        for index in 0..<96 {
            var first = bytes
            first[index] ^= 0x10
            #expect(try LogBlock(decoding: first, keys: keys, path: "p") == block)
            var second = bytes
            second[2048 + index] ^= 0x10
            #expect(try LogBlock(decoding: second, keys: keys, path: "p") == block)
            first[2048 + (index * 7) % 96] ^= 1
            let error = #expect(throws: StoreError.self) {
                try LogBlock(decoding: first, keys: keys, path: "p")
            }
            if case .storeDamaged? = error { continue }
            if case .newerFormat? = error, index == 3 { continue }
            Issue.record("\(String(describing: error))")
        }
        for count in 0..<96 {
            #expect(throws: StoreError.self) {
                try LogBlock(decoding: Array(bytes[..<count]), keys: keys, path: "p")
            }
        }
        #expect(try LogBlock(decoding: Array(bytes[..<96]), keys: keys, path: "p") == block)
    }

    @Test func `a block 0 of another key is tampering, of another version newer`() throws {
        let other = LogBlock(
            isSealed: true, generation: 7, log: block.log, owner: OwnerID(Array("another1".utf8)),
            base: block.base)
        // The sums are right for that owner, the tag is not.
        var forged = try other.encoded(keys)
        for offset in LogBlock.copyOffsets {
            forged[offset + 48] ^= 1
            let copy = Array(forged[offset..<(offset + 88)])
            forged.set(try LogSum.sum(copy.span, key: block.log.bytes), at: offset + 88)
        }
        let error = #expect(throws: StoreError.self) {
            try LogBlock(decoding: forged, keys: keys, path: "p")
        }
        guard case .tampered? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        var newer = try block.encoded(keys)
        newer[3] = UInt8(ascii: "2")
        newer[2051] = UInt8(ascii: "2")
        #expect(throws: StoreError.newerFormat(path: "p")) {
            try LogBlock(decoding: newer, keys: keys, path: "p")
        }
    }

    @Test func `a commit has the documented bytes`() throws {
        let (bytes, position) = try commit()
        #expect(bytes.count == 80 + 26 + 25 + 24)
        #expect(Array(bytes[..<8]) == Array("SRT1".utf8) + [3, 0, 0, 0])
        #expect(Array(bytes[8..<24]) == [173, 0, 0, 0, 0, 0, 0, 0, 75, 0, 0, 0, 0, 0, 0, 0])
        #expect(Array(bytes[24..<40]) == [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
        #expect(Array(bytes[40..<56]) == position.tag.bytes)
        #expect(Array(bytes[80..<88]) == [1, 2, 0, 13, 0, 0, 0, 0])
        #expect(Array(bytes[88..<96]) == [0x11, 0, 0, 0, 0, 0, 0, 0])
        #expect(Array(bytes[96..<106]) == [0x22, 0, 0, 0, 0, 0, 0, 0] + Array("ab".utf8))
        let read = try #require(try decode(bytes))
        #expect(read.follows(position))
        #expect(try read.hasRightTag(block: block, keys: keys))
        #expect(read.entries.map(\.offset) == [4251, 4264, 4264])
        #expect(read.end == 4096 + 176)
    }

    @Test func `a chain tag is the same from a table as it lies, and none from one that is cut`()
        throws
    {
        let (bytes, _) = try commit()
        let head = try #require(try decode(bytes)).head
        for count in 0...(bytes.count - LogHead.byteCount) {
            let table = Array(bytes[80..<(80 + count)])
            let lines = table.span
            let tag = try head.chainTag(table: lines, block: block, keys: keys)
            #expect(tag == (80 + count == bytes.count ? head.tag : nil))
        }
        var longer = Array(bytes[80...])
        // A payload that the head has no room for.
        longer[3] += 1
        let lines = longer.span
        let tag = try head.chainTag(table: lines, block: block, keys: keys)
        #expect(tag == nil)
    }

    @Test func `every flipped bit and cut of a commit makes it none`() throws {
        let (bytes, _) = try commit()
        for bit in 0..<(bytes.count * 8) {
            var wrong = bytes
            wrong[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(try decode(wrong) == nil, "bit \(bit)")
        }
        for count in bytes.indices { #expect(try decode(Array(bytes[..<count])) == nil) }
        #expect(try decode(bytes + [1, 2, 3]) != nil)
    }

    /// Commits whose sum is right and whose form is not.
    @Test func `a commit that is not canonical is none`() throws {
        let (bytes, _) = try commit()
        let changes: [(String, Int, UInt8)] = [
            ("an unknown kind", 80, 4), ("no kind", 80, 0), ("zeros that are none", 20, 1),
            ("number 0", 24, 0), ("one row less", 4, 2), ("one row more", 4, 4),
            ("a shorter table", 16, 74), ("a longer commit", 8, 174),
            ("a remove with a payload", 106 + 3, 1), ("a remove with a stamp", 106 + 8, 1),
            ("a remove with a sum", 106 + 16, 1), ("a lost range with a stamp", 131 + 8, 1),
            ("a lost range of no bytes", 131 + 3, 0),
            ("a stamp longer than the payload lets it be", 89, 1), ("number 2^62", 31, 0x40),
            ("a payload past the end of the commit", 80 + 7, 1), ("a put without an id", 81, 0),
        ]
        for (what, offset, byte) in changes {
            var wrong = bytes
            wrong[offset] = byte
            wrong.set(0, at: 72)
            wrong.set(try LogSum.sum(wrong.span, key: block.log.bytes), at: 72)
            #expect(try decode(wrong) == nil, "\(what)")
        }
        let plain = LogBlock(
            isSealed: false, generation: 7, log: block.log, owner: block.owner, base: block.base)
        #expect(
            try LogCommit(decoding: bytes, at: 4096, block: plain) == nil,
            "a stamp in a plain log")
    }

    @Test func `a hint has the documented bytes, and every flipped bit makes it none`() throws {
        let boot = try #require(LogHint.boot("00010203-0405-0607-0809-0a0b0c0d0e0f"))
        let hint = LogHint(boot: boot, log: block.log, inode: 5, end: 8192, sequence: 3)
        let bytes = try hint.encoded()
        #expect(Array(bytes[..<32]) == Array(0..<16) + Array(0..<16))
        #expect(Array(bytes[32..<48]) == [5, 0, 0, 0, 0, 0, 0, 0, 0, 32, 0, 0, 0, 0, 0, 0])
        #expect(Array(bytes[48..<56]) == [3, 0, 0, 0, 0, 0, 0, 0])
        #expect(bytes.count == 64)
        #expect(try LogHint(decoding: bytes.span) == hint)
        for bit in 0..<512 {
            var wrong = bytes
            wrong[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(try LogHint(decoding: wrong.span) == nil)
        }
        let tooLow = LogHint(boot: boot, log: block.log, inode: 5, end: 4088, sequence: 3)
        let low = try tooLow.encoded()
        #expect(try LogHint(decoding: low.span) == nil)
        let odd = LogHint(boot: boot, log: block.log, inode: 5, end: 8193, sequence: 3)
        let unaligned = try odd.encoded()
        #expect(try LogHint(decoding: unaligned.span) == nil)
        for text in ["", "0001", "00010203-0405-0607-0809-0a0b0c0d0e0g", "not a boot"] {
            #expect(LogHint.boot(text) == nil)
        }
    }

    @Test func `the sum of a payload is the same in one piece and in many`() throws {
        for byteCount in [0, 1, 19, 20, 65_535, 65_536, 65_537, 131_072, 200_000] {
            let bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            let whole = try LogSum.payload(bytes, key: block.log.bytes)
            for piece in [1000, 65_536, 70_000] {
                var sum = PayloadSum(key: block.log.bytes)
                var start = 0
                while start < byteCount {
                    let end = min(start + piece, byteCount)
                    try sum.add(bytes.span.extracting(start..<end))
                    start = end
                }
                #expect(sum.stamp == LogEntry.stamp(of: bytes))
                #expect(try sum.finish() == whole, "\(byteCount) in \(piece)")
            }
        }
    }

    @Test func `an index comes back, and every flipped byte before its rows makes it none`() throws
    {
        var rows = LogRows()
        for number in 0..<300 {
            let id = EntryID(
                [UInt8(number >> 8), UInt8(number & 0xFF)] + Array(repeating: 7, count: 18))
            rows.append(
                id, LogRow(offset: Int64(4096 + number), byteCount: 9, version: UInt64(number)))
        }
        let position = LogPosition(start: 4096, end: 8192, sequence: 4, sum: 77, tag: .zero)
        let bytes = try LogIndexFile.encode(
            rows, liveByteCount: 5, position, block, keys: keys)
        #expect(bytes.count == 80 + 3 * 8 + 300 * 39)
        let file = try #require(try LogIndexFile(decoding: bytes, block: block, keys: keys))
        #expect(file.start == 4096 && file.sequence == 4 && file.sum == 77)
        var index = file.index
        #expect(try index.all().get().count == 300)
        for offset in 0..<(80 + 3 * 8) {
            var wrong = bytes
            wrong[offset] ^= 4
            #expect(try LogIndexFile(decoding: wrong, block: block, keys: keys) == nil)
        }
        for count in [0, 79, 80, 104, bytes.count - 39, bytes.count - 1] {
            let cut = Array(bytes[..<count])
            #expect(try LogIndexFile(decoding: cut, block: block, keys: keys) == nil)
        }
        var page = bytes
        page[bytes.count - 1] ^= 1
        var damaged = try #require(try LogIndexFile(decoding: page, block: block, keys: keys)).index
        let first = EntryID([0, 0] + Array(repeating: 7, count: 18))
        _ = try damaged.find(first)
        #expect(throws: LogIndexDamage.self) { try damaged.all().get() }
    }
}
