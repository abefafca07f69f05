import StrongroomSystem

@testable import StrongroomStores
@testable import StrongroomVault

/// Seeds that are parts of logs, written by the store itself.
enum LogSeeds {
    private static func id(_ number: UInt8) -> EntryID {
        EntryID([UInt8](repeating: number, count: 20))
    }

    /// Three commits: a put of two, a remove and a replacement, a long put.
    private static func commits(isSealed: Bool) throws -> [[UInt8]] {
        let payload = [UInt8](0..<40)
        let changes: [[(id: EntryID, payload: [UInt8]?)]] = [
            [(id(1), payload), (id(0x41), [1, 2, 3])],
            [(id(1), nil), (id(0x41), Array(payload.reversed()))],
            [(id(2), [UInt8](repeating: 9, count: 300))],
        ]
        let block = Frozen.block(isSealed: isSealed)
        var position = try LogPosition.first(block, Frozen.logKeys)
        var commits: [[UInt8]] = []
        for changes in changes {
            var entries: [LogEntry] = []
            for (id, payload) in changes {
                entries.append(
                    LogEntry(
                        kind: payload == nil ? .remove : .put, id: id, offset: 0,
                        byteCount: Int64(payload?.count ?? 0),
                        stamp: isSealed ? payload.map { LogEntry.stamp(of: $0) } ?? 0 : 0,
                        sum: try payload.map { try LogSum.payload($0, key: block.log.bytes) } ?? 0))
            }
            let (front, head) = try LogHead.encode(
                entries, after: position, block: block, keys: Frozen.logKeys)
            var bytes = front + changes.flatMap { $0.payload ?? [] }
            bytes += [UInt8](repeating: 0, count: Int(head.alignedByteCount) - bytes.count)
            commits.append(bytes)
            position = LogCommit(offset: position.end, head: head, entries: entries).position
        }
        return commits
    }

    static func logs() throws -> [String: [UInt8]] {
        let (sealed, plain) = (try commits(isSealed: true), try commits(isSealed: false))
        let end = LogBlock.byteCount + sealed.joined().count
        var hint: [UInt8] = []
        for number in [3, UInt64(end), 3, 0] { hint.append(number, byteCount: 8) }
        var point: [UInt8] = []
        for number in [1, 2] as [UInt64] { point.append(number, byteCount: 8) }
        let nothing = [UInt8](repeating: 0, count: 48)
        let index = try index().dropFirst()
        let indexed = [UInt8(index.count & 0xFF), UInt8(index.count >> 8)] + index
        return [
            "plain": [0b110, 24] + nothing + [0, 0] + plain.joined(),
            "sealed": [0b111, 24] + nothing + [0, 0] + sealed.joined(),
            "hinted": [0b11111, 24] + hint + point + [0, 0] + sealed.joined(),
            "anchored": [0b1000_0111, 8] + hint + [UInt8](repeating: 0, count: 16) + [0, 0]
                + sealed.joined(),
            "indexed": [0b110_0111, 8] + hint + point + indexed + sealed.joined(),
            "patched": [0b11111, 1, 0x30, 0x11, 4] + hint + point + [0, 0] + sealed.joined(),
            "raw": [0b11001, 0] + hint + point + [0, 0] + sealed.joined(),
        ]
    }

    static func block() throws -> [UInt8] {
        let block = try Frozen.block(isSealed: true).encoded(Frozen.logKeys)
        let copy = block[..<LogBlock.copyByteCount]
        return [7] + copy + copy
    }

    static func commits() throws -> [String: [UInt8]] {
        let commits = try commits(isSealed: true)
        return ["two": [7] + commits[0], "remove": [7] + commits[1], "raw": [4] + commits[2]]
    }

    static func hint() throws -> [UInt8] {
        let hint = LogHint(
            boot: .zero, log: Frozen.log, inode: 3, end: 4096, sequence: 0)
        return [1] + (try hint.encoded())
    }

    static func table() throws -> [UInt8] {
        let bytes = try commits(isSealed: true)[0]
        var seed: [UInt8] = [1]
        seed.append(2, byteCount: 4)
        seed.append(43, byteCount: 8)
        return seed + bytes[LogHead.byteCount..<LogHead.byteCount + 88]
    }

    /// An index up to the first commit.
    static func index() throws -> [UInt8] {
        let block = Frozen.block(isSealed: true)
        let bytes = try commits(isSealed: true)[0]
        let offset = Int64(LogBlock.byteCount)
        guard let commit = try LogCommit(decoding: bytes, at: offset, block: block) else {
            Finding.stop("a seed is no commit")
        }
        var rows = LogRows()
        for entry in commit.entries {
            rows.append(
                entry.id,
                LogRow(offset: entry.offset, byteCount: entry.byteCount, version: entry.stamp))
        }
        return [3]
            + (try LogIndexFile.encode(
                rows, liveByteCount: 43 + 88, commit.position, block, keys: Frozen.logKeys))
    }
}
