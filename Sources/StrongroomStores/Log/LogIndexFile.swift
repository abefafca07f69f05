import StrongroomSystem

/// The file `index`: the rows of a log up to some commit, so that who opens reads only what came since.
///
/// | offset | size | what |
/// |---|---|---|
/// | 0 | 4 | `SRX1` |
/// | 4 | 4 | zeros |
/// | 8 | 16 | log id |
/// | 24 | 8 | where the head of the last commit lies that it knows |
/// | 32 | 8 | number of that commit |
/// | 40 | 8 | its head sum |
/// | 48 | 8 | bytes of what is there: payloads and rows of tables |
/// | 56 | 8 | number of rows |
/// | 64 | 16 | tag: keyed hash over a byte 3, bytes 0 to 63 and the sums of the pages |
/// | 80 | 8 a page | SipHash of each page of 105 rows (``LogRows``), the last one shorter, under the index key |
/// | … | 39 a row | the rows |
///
/// The SipHash key of the pages is the keyed hash over a byte 4 and the log id. Derived, never synced, replaced whole;
/// one that does not fit is as good as none.
struct LogIndexFile {
    static let fixedByteCount = 80

    let log: Bytes16
    let start: Int64
    let sequence: UInt64
    let sum: UInt64
    let index: LogIndex

    /// The file's bytes for `rows`, up to and with the commit of `position`.
    static func encode(
        _ rows: LogRows, liveByteCount: Int64, _ position: LogPosition, _ block: LogBlock,
        keys: any LogKeys
    ) throws(StoreError) -> [UInt8] {
        var head = Array("SRX1".utf8) + [0, 0, 0, 0]
        head.append(block.log)
        head.append(UInt64(position.start), byteCount: 8)
        head.append(position.sequence, byteCount: 8)
        head.append(position.sum, byteCount: 8)
        head.append(UInt64(liveByteCount), byteCount: 8)
        head.append(UInt64(rows.count), byteCount: 8)
        var sums: [UInt8] = []
        for sum in try rows.pageSums(key: try pageKey(block, keys)) {
            sums.append(sum, byteCount: 8)
        }
        let tag = try tag(head: head, sums: sums, block, keys)
        var bytes = head
        let lines = rows.span
        bytes.reserveCapacity(fixedByteCount + sums.count + lines.count)
        bytes.append(tag)
        bytes += sums
        bytes.append(copying: lines)
        return bytes
    }

    /// The index that `bytes` are, nil if they are none of this log.
    init?(decoding bytes: [UInt8], block: LogBlock, keys: any LogKeys) throws(StoreError) {
        guard bytes.count >= Self.fixedByteCount,
            bytes.starts(with: Array("SRX1".utf8) + [0, 0, 0, 0])
        else { return nil }
        let span = bytes.span
        log = Bytes16(span, at: 8)
        start = Int64(truncatingIfNeeded: span.number(at: 24))
        sequence = span.number(at: 32)
        sum = span.number(at: 40)
        let liveByteCount = Int64(truncatingIfNeeded: span.number(at: 48))
        let rowCount = span.number(at: 56)
        guard log == block.log,
            (Int64(LogBlock.byteCount)...LogCommit.endLimit).contains(start),
            (0...LogCommit.endLimit).contains(liveByteCount),
            rowCount <= UInt64(bytes.count / LogRows.byteCount)
        else { return nil }
        let pageCount = (Int(rowCount) + LogRows.pageRowCount - 1) / LogRows.pageRowCount
        let rowsStart = Self.fixedByteCount + pageCount * 8
        guard bytes.count == rowsStart + Int(rowCount) * LogRows.byteCount else { return nil }
        let tag = try Self.tag(
            head: Array(bytes[..<64]), sums: Array(bytes[Self.fixedByteCount..<rowsStart]), block,
            keys)
        guard tag == Bytes16(span, at: 64) else { return nil }
        var sums: [UInt64] = []
        for page in 0..<pageCount {
            sums.append(span.number(at: Self.fixedByteCount + page * 8))
        }
        index = LogIndex(
            rows: LogRows(
                bytes: bytes, from: rowsStart, sums: sums,
                key: try Self.pageKey(block, keys)), liveByteCount: liveByteCount)
    }

    private static func tag(
        head: [UInt8], sums: [UInt8], _ block: LogBlock, _ keys: any LogKeys
    ) throws(StoreError) -> Bytes16 {
        let message = [3] + head + sums
        return try keys.indexTag(of: message.span, owner: block.owner)
    }

    private static func pageKey(
        _ block: LogBlock, _ keys: any LogKeys
    ) throws(StoreError) -> [UInt8] {
        var message: [UInt8] = [4]
        message.append(block.log)
        return try keys.indexTag(of: message.span, owner: block.owner).bytes
    }
}
