@testable import StrongroomStores
@testable import StrongroomVault

/// Sets right in what a fuzzer made what nothing gets past that is wrong: sums, links, keyed tags.
enum LogMending {
    /// Mends the commits from `start` on, as far as heads are such.
    static func mend(
        _ bytes: inout [UInt8], at start: Int, _ block: LogBlock, setsSums: Bool, setsTags: Bool
    ) throws {
        var offset = start
        var sequence: UInt64 = 1
        var link: UInt64 = 0
        var tag = try block.firstTag(Frozen.logKeys)
        while offset + LogHead.byteCount <= bytes.count {
            guard let head = LogHead(fields: bytes.span.extracting(offset...)) else { return }
            let tableEnd = offset + LogHead.byteCount + head.tableByteCount
            guard tableEnd <= bytes.count else { return }
            if setsTags {
                bytes.set(sequence, at: offset + 24)
                bytes.set(link, at: offset + 32)
                bytes.replaceSubrange(offset + 40..<offset + 56, with: tag.bytes)
            }
            if setsSums { try mendPayloads(&bytes, offset, head, block) }
            if setsTags { try mendTag(&bytes, offset, tableEnd, block) }
            if setsSums {
                bytes.set(0, at: offset + 72)
                let sum = try LogSum.sum(
                    bytes.span.extracting(offset..<tableEnd), key: block.log.bytes)
                bytes.set(sum, at: offset + 72)
            }
            link = bytes.span.number(at: offset + 72)
            tag = Bytes16(bytes.span, at: offset + 56)
            sequence += 1
            guard head.alignedByteCount < Int64(bytes.count - offset) else { return }
            offset += Int(head.alignedByteCount)
        }
    }

    private static func mendTag(
        _ bytes: inout [UInt8], _ offset: Int, _ tableEnd: Int, _ block: LogBlock
    ) throws {
        guard let head = LogHead(fields: bytes.span.extracting(offset...)),
            let tag = try head.chainTag(
                table: bytes.span.extracting(offset + LogHead.byteCount..<tableEnd), block: block,
                keys: Frozen.logKeys)
        else { return }
        bytes.replaceSubrange(offset + 56..<offset + 72, with: tag.bytes)
    }

    /// Gives the rows of a table the sums and stamps of the payloads that are there.
    private static func mendPayloads(
        _ bytes: inout [UInt8], _ offset: Int, _ head: LogHead, _ block: LogBlock
    ) throws {
        var row = offset + LogHead.byteCount
        let end = row + head.tableByteCount
        var payload = end
        for _ in 0..<head.entryCount {
            guard row + LogEntry.fixedByteCount <= end else { return }
            let count = bytes.span.number(at: row + 3, byteCount: 5)
            guard count <= UInt64(bytes.count - payload) else { return }
            let content = Array(bytes[payload..<payload + Int(count)])
            if bytes[row] == LogEntry.Kind.put.rawValue {
                bytes.set(block.isSealed ? LogEntry.stamp(of: content) : 0, at: row + 8)
                bytes.set(try LogSum.payload(content, key: block.log.bytes), at: row + 16)
            }
            payload += Int(count)
            row += LogEntry.fixedByteCount + Int(bytes.span.number(at: row + 1, byteCount: 2))
        }
    }

    /// Mends an index file: its log, its tag, and the sums of its pages.
    static func mendIndex(_ bytes: inout [UInt8], _ block: LogBlock, setsSums: Bool) throws {
        guard bytes.count >= LogIndexFile.fixedByteCount else { return }
        bytes.replaceSubrange(8..<24, with: block.log.bytes)
        let rowCount = (bytes.count - LogIndexFile.fixedByteCount) / LogRows.byteCount
        let pageCount = (rowCount + LogRows.pageRowCount - 1) / LogRows.pageRowCount
        let start = LogIndexFile.fixedByteCount + 8 * pageCount
        guard start <= bytes.count else { return }
        let rows = (bytes.count - start) / LogRows.byteCount
        guard (rows + LogRows.pageRowCount - 1) / LogRows.pageRowCount == pageCount else { return }
        bytes.removeLast(bytes.count - start - rows * LogRows.byteCount)
        bytes.set(UInt64(rows), at: 56)
        let owner = block.owner
        let pageKey = try Frozen.logKeys.indexTag(
            of: ([4] + block.log.bytes).span, owner: owner
        ).bytes
        for page in 0..<pageCount where setsSums {
            let from = start + page * LogRows.pageByteCount
            let end = min(from + LogRows.pageByteCount, bytes.count)
            let sum = try LogSum.sum(bytes.span.extracting(from..<end), key: pageKey)
            bytes.set(sum, at: LogIndexFile.fixedByteCount + 8 * page)
        }
        let message = [3] + bytes[..<64] + bytes[LogIndexFile.fixedByteCount..<start]
        let tag = try Frozen.logKeys.indexTag(of: Array(message).span, owner: owner)
        bytes.replaceSubrange(64..<80, with: tag.bytes)
    }
}
