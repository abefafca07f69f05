/// A commit as it was read: a head and a table whose sum is right and whose form is canonical.
struct LogCommit: Equatable, Sendable {
    /// Where its head lies.
    let offset: Int64
    let head: LogHead
    let entries: [LogEntry]

    /// No commit ends behind it: rows of an index have six bytes for a place.
    static let endLimit: Int64 = 1 << 48

    /// Where the next one lies.
    var end: Int64 { offset + head.alignedByteCount }

    /// Where the log stands behind it.
    var position: LogPosition {
        LogPosition(
            start: offset, end: end, sequence: head.sequence, sum: head.sum, tag: head.tag)
    }

    /// The commit whose head and table `bytes` begin with, nil if they are none.
    ///
    /// More bytes than head and table do no harm. Of payloads that lie past the end of the log, at `offset` of which
    /// all this is, nothing is said here: they are not whole, and who appends goes behind where they would lie, so that
    /// a log which was cut and grew again says the same of itself.
    init?(decoding bytes: [UInt8], at offset: Int64, block: LogBlock) throws(StoreError) {
        guard let head = LogHead(fields: bytes.span) else { return nil }
        let end = LogHead.byteCount + head.tableByteCount
        guard bytes.count >= end, head.byteCount <= Self.endLimit - offset else { return nil }
        var summed = bytes.count == end ? bytes : Array(bytes[..<end])
        summed.set(0, at: 72)
        guard try LogSum.sum(summed.span, key: block.log.bytes) == head.sum,
            let entries = LogEntry.decode(
                table: summed.span.extracting(LogHead.byteCount..<end), count: head.entryCount,
                payloads: (offset + Int64(end))..<(offset + head.byteCount),
                isSealed: block.isSealed)
        else { return nil }
        self.offset = offset
        self.head = head
        self.entries = entries
    }

    init(offset: Int64, head: LogHead, entries: [LogEntry]) {
        self.offset = offset
        self.head = head
        self.entries = entries
    }

    /// True if the chain tag is what the keys say.
    func hasRightTag(block: LogBlock, keys: any LogKeys) throws(StoreError) -> Bool {
        try head.chainTag(entries, block: block, keys: keys) == head.tag
    }

    /// True if it is the one that belongs behind `position`.
    func follows(_ position: LogPosition) -> Bool {
        head.link == position.sum && head.sequence == position.sequence + 1
            && head.previousTag == position.tag
    }
}
