import StrongroomSystem

@testable import StrongroomStores
@testable import StrongroomVault

/// The parts of a log, one by one, without a file.
///
/// The first byte of an input says what is set right before it is decoded: 1: sums; 2: tags.
enum LogPieceTargets {
    /// Block 0: two copies, the second from byte 97 on.
    static func block(_ input: [UInt8]) throws {
        var recipe = Recipe(input)
        let flags = recipe.byte()
        var bytes = [UInt8](repeating: 0, count: LogBlock.byteCount)
        for offset in LogBlock.copyOffsets {
            var copy = recipe.filled(LogBlock.copyByteCount)
            if flags & 4 != 0 { copy.replaceSubrange(32..<40, with: Frozen.dataKey.owner.bytes) }
            if flags & 2 != 0 { try setTag(&copy) }
            if flags & 1 != 0 {
                let key = Array(copy[16..<32])
                copy.set(try LogSum.sum(copy.span.extracting(0..<88), key: key), at: 88)
            }
            bytes.replaceSubrange(offset..<offset + copy.count, with: copy)
        }
        // Cut as a file may be.
        bytes.removeLast(Int(recipe.number(UInt16.self)) % (LogBlock.byteCount + 1))
        let decoded = try allowing({ (error: StoreError) in
            switch error {
            case .storeDamaged(path: "p", _), .newerFormat(path: "p"), .tampered(path: "p", _),
                .ownerChanged:
                true
            default: false
            }
        }) { try LogBlock(decoding: bytes, keys: Frozen.logKeys, path: "p") }
        guard let block = decoded else { return }
        let right = try block.encoded(Frozen.logKeys)[..<LogBlock.copyByteCount]
        let copies = LogBlock.copyOffsets.filter { offset in
            bytes.count >= offset + right.count && bytes[offset..<offset + right.count] == right
        }
        expect(!copies.isEmpty, "block 0 is not canonical")
        expect(try LogBlock.unverified(bytes, path: "p") == block, "two readings of block 0")
    }

    private static func setTag(_ copy: inout [UInt8]) throws {
        let message = [0] + copy[..<72]
        guard copy[32..<40] == Frozen.dataKey.owner.bytes[...] else { return }
        let tag = try Frozen.logKeys.chainTag(of: message.span, owner: Frozen.dataKey.owner)
        copy.replaceSubrange(72..<88, with: tag.bytes)
    }

    /// A head and its table.
    static func commit(_ input: [UInt8]) throws {
        guard let flags = input.first else { return }
        let block = Frozen.block(isSealed: flags & 4 != 0)
        var bytes = Array(input.dropFirst())
        try LogMending.mend(
            &bytes, at: 0, block, setsSums: flags & 1 != 0, setsTags: flags & 2 != 0)
        let offset = Int64(LogBlock.byteCount)
        guard let commit = try LogCommit(decoding: bytes, at: offset, block: block) else { return }
        let head = commit.head
        expect(commit.end <= LogCommit.endLimit + 8, "a commit goes too far")
        let table = LogHead.byteCount..<(LogHead.byteCount + head.tableByteCount)
        let isRight = try commit.hasRightTag(block: block, keys: Frozen.logKeys)
        expect(
            try head.chainTag(
                table: bytes.span.extracting(table), block: block, keys: Frozen.logKeys)
                == head.chainTag(commit.entries, block: block, keys: Frozen.logKeys),
            "two ways to a chain tag differ")
        guard isRight else { return }
        let before = LogPosition(
            start: 0, end: offset, sequence: head.sequence - 1, sum: head.link,
            tag: head.previousTag)
        expect(commit.follows(before), "a commit does not follow the one before it")
        let (again, _) = try LogHead.encode(
            commit.entries, after: before, block: block, keys: Frozen.logKeys)
        expect(again == Array(bytes[..<table.upperBound]), "a commit is not canonical")
    }

    /// The rows of a table alone.
    static func table(_ input: [UInt8]) throws {
        var recipe = Recipe(input)
        let isSealed = recipe.byte() & 1 == 1
        let count = Int(recipe.number(UInt32.self) % (1 << 31))
        let payloadByteCount = recipe.number(Int64.self) & (1 << 48 - 1)
        let table = recipe.all()
        // A head says no more rows than its table has room for.
        guard table.count >= count * LogEntry.fixedByteCount else { return }
        guard
            let entries = LogEntry.decode(
                table: table.span, count: count,
                payloads: 4096..<(4096 + payloadByteCount), isSealed: isSealed)
        else { return }
        var again: [UInt8] = []
        var offset: Int64 = 4096
        for entry in entries {
            entry.encode(into: &again)
            expect(entry.offset == offset, "a payload lies elsewhere")
            offset += entry.byteCount
        }
        expect(again == table && entries.count == count, "a table is not canonical")
        expect(offset == 4096 + payloadByteCount, "payloads do not fill their commit")
    }

    /// The front of the lock file, and a boot's id.
    static func hint(_ input: [UInt8]) throws {
        guard let flags = input.first else { return }
        var bytes = Array(input.dropFirst())
        if let boot = LogHint.boot(String(decoding: bytes, as: UTF8.self)) {
            expect(boot.bytes.count == 16, "a boot's id of another length")
        }
        if flags & 1 != 0, bytes.count == LogHint.byteCount {
            let key = Array(bytes[16..<32])
            bytes.set(try LogSum.sum(bytes.span.extracting(0..<56), key: key), at: 56)
        }
        guard let hint = try LogHint(decoding: bytes.span) else { return }
        expect(try hint.encoded() == bytes, "a hint is not canonical")
    }

    /// The index file.
    static func index(_ input: [UInt8]) throws {
        guard let flags = input.first else { return }
        let block = Frozen.block(isSealed: true)
        var bytes = Array(input.dropFirst())
        if flags & 3 != 0 { try LogMending.mendIndex(&bytes, block, setsSums: flags & 1 != 0) }
        guard
            let file = try LogIndexFile(decoding: bytes, block: block, keys: Frozen.logKeys)
        else { return }
        var index = file.index
        var wanted = [UInt8](repeating: 0, count: LogRows.idByteCount)
        for byte in [0, 0x41, 0x80, 0xFF] as [UInt8] {
            wanted[0] = byte
            _ = try index.find(EntryID(wanted))
        }
        for row in 0..<min(index.rows.count, 300) { _ = try index.find(index.rows.id(row)) }
        guard case .success(let all) = try index.all() else { return }
        expect(all.count == index.rows.count, "rows are left out")
        let position = LogPosition(
            start: file.start, end: 0, sequence: file.sequence, sum: file.sum, tag: .zero)
        let again = try LogIndexFile.encode(
            index.rows, liveByteCount: index.liveByteCount, position, block, keys: Frozen.logKeys)
        expect(again == bytes, "an index is not canonical")
    }
}
