/// The head of a commit; its table and payloads follow, the next commit lies at the next multiple of 8.
///
/// | offset | size | what |
/// |---|---|---|
/// | 0 | 4 | `SRT1` |
/// | 4 | 4 | rows of the table, at least 1 |
/// | 8 | 8 | bytes of head, table and payloads |
/// | 16 | 4 | bytes of the table |
/// | 20 | 4 | zeros |
/// | 24 | 8 | number of the commit: 1, 2, 3 … in each generation; only behind a lost end numbers are left out |
/// | 32 | 8 | link: head sum of the commit before; 0 in the first |
/// | 40 | 16 | chain tag of the commit before, or the log's first tag |
/// | 56 | 16 | chain tag |
/// | 72 | 8 | head sum: SipHash under the log id of head and table, zeros standing for these 8 bytes |
///
/// The chain tag is over: a byte 1; store generation (8), chain tag before (16), number (8), rows (4), and each row
/// without its sum (``LogEntry``).
struct LogHead: Equatable, Sendable {
    /// Bytes of a head.
    static let byteCount = 80
    /// Commits lie at multiples of this.
    static let alignment: Int64 = 8
    /// The longest table: what a damaged count may make us read.
    static let tableByteCountLimit = 1 << 30
    /// Numbers of commits and of generations are below this, so that no successor's overflows.
    static let numberLimit: UInt64 = 1 << 62
    static let magic: UInt64 = 0x3154_5253

    var entryCount: Int
    var byteCount: Int64
    var tableByteCount: Int
    var sequence: UInt64
    var link: UInt64
    var previousTag: Bytes16
    var tag: Bytes16
    var sum: UInt64 = 0

    /// Bytes to the next commit.
    var alignedByteCount: Int64 { Self.aligned(byteCount) }

    /// The next multiple of 8.
    static func aligned(_ offset: Int64) -> Int64 { (offset + alignment - 1) & ~(alignment - 1) }

    /// Head and table of a commit of `entries`, and the head with its tag and sum.
    static func encode(
        _ entries: [LogEntry], after position: LogPosition, block: LogBlock, keys: any LogKeys
    ) throws(StoreError) -> (bytes: [UInt8], head: LogHead) {
        var table: [UInt8] = []
        var payloadByteCount: Int64 = 0
        for entry in entries {
            entry.encode(into: &table)
            payloadByteCount += entry.byteCount
        }
        var head = LogHead(
            entryCount: entries.count,
            byteCount: Int64(Self.byteCount + table.count) + payloadByteCount,
            tableByteCount: table.count, sequence: position.sequence + 1, link: position.sum,
            previousTag: position.tag, tag: .zero)
        head.tag = try head.chainTag(entries, block: block, keys: keys)
        var bytes = head.encodedFront()
        bytes.append(0, byteCount: 8)
        bytes += table
        head.sum = try LogSum.sum(bytes.span, key: block.log.bytes)
        bytes.set(head.sum, at: 72)
        return (bytes, head)
    }

    private func encodedFront() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(Self.magic, byteCount: 4)
        bytes.append(UInt64(entryCount), byteCount: 4)
        bytes.append(UInt64(byteCount), byteCount: 8)
        bytes.append(UInt64(tableByteCount), byteCount: 8)
        bytes.append(sequence, byteCount: 8)
        bytes.append(link, byteCount: 8)
        bytes.append(previousTag)
        bytes.append(tag)
        return bytes
    }

    /// The chain tag that a head of these fields has over `entries`.
    func chainTag(
        _ entries: [LogEntry], block: LogBlock, keys: any LogKeys
    ) throws(StoreError) -> Bytes16 {
        var message = chainedFront(block)
        for entry in entries { entry.encodeChained(into: &message) }
        return try keys.chainTag(of: message.span, owner: block.owner)
    }

    /// The same over a table as it lies; nil if its rows and their payloads do not fill what the head says.
    func chainTag(
        table: Span<UInt8>, block: LogBlock, keys: any LogKeys
    ) throws(StoreError) -> Bytes16? {
        var message = chainedFront(block)
        message.reserveCapacity(message.count + table.count)
        var left = byteCount - Int64(Self.byteCount + tableByteCount)
        var start = 0
        // What lies between the sums of two rows, an id and the front of the next, is copied at once.
        var copied = 0
        for _ in 0..<entryCount {
            guard start + LogEntry.fixedByteCount <= table.count else { return nil }
            left -= Int64(table.number(at: start + 3, byteCount: 5))
            let sum = start + LogEntry.sumRange.lowerBound
            message.append(copying: table.extracting(copied..<sum))
            copied = start + LogEntry.sumRange.upperBound
            start = copied + Int(table.number(at: start + 1, byteCount: 2))
            guard start <= table.count, left >= 0 else { return nil }
        }
        guard start == table.count, left == 0 else { return nil }
        message.append(copying: table.extracting(copied..<start))
        return try keys.chainTag(of: message.span, owner: block.owner)
    }

    private func chainedFront(_ block: LogBlock) -> [UInt8] {
        var message: [UInt8] = [1]
        message.append(block.generation, byteCount: 8)
        message.append(previousTag)
        message.append(sequence, byteCount: 8)
        message.append(UInt64(entryCount), byteCount: 4)
        return message
    }

    /// The fields of a head, nil if they cannot be those of one; its sum is not verified.
    init?(fields bytes: Span<UInt8>) {
        guard bytes.count >= Self.byteCount, bytes.number(at: 0, byteCount: 4) == Self.magic,
            bytes.number(at: 20, byteCount: 4) == 0
        else { return nil }
        let byteCount = bytes.number(at: 8)
        entryCount = Int(bytes.number(at: 4, byteCount: 4))
        tableByteCount = Int(bytes.number(at: 16, byteCount: 4))
        guard byteCount < 1 << 62, entryCount > 0, tableByteCount <= Self.tableByteCountLimit,
            tableByteCount >= entryCount * LogEntry.fixedByteCount,
            byteCount >= UInt64(Self.byteCount + tableByteCount)
        else { return nil }
        self.byteCount = Int64(byteCount)
        sequence = bytes.number(at: 24)
        link = bytes.number(at: 32)
        previousTag = Bytes16(bytes, at: 40)
        tag = Bytes16(bytes, at: 56)
        sum = bytes.number(at: 72)
        guard sequence > 0, sequence < Self.numberLimit else { return nil }
    }

    init(
        entryCount: Int, byteCount: Int64, tableByteCount: Int, sequence: UInt64, link: UInt64,
        previousTag: Bytes16, tag: Bytes16
    ) {
        self.entryCount = entryCount
        self.byteCount = byteCount
        self.tableByteCount = tableByteCount
        self.sequence = sequence
        self.link = link
        self.previousTag = previousTag
        self.tag = tag
    }
}
