/// One row of a commit's table: what becomes of an entry, or bytes of which nobody knows what they said.
///
/// | offset | size | what |
/// |---|---|---|
/// | 0 | 1 | 1 put, 2 remove, 3 lost |
/// | 1 | 2 | bytes of the id; 0 for lost, else at least 1 |
/// | 3 | 5 | bytes of the payload; 0 for remove |
/// | 8 | 8 | stamp: bytes 12 to 19 of a sealed payload (zeros where it is shorter); 0 for others |
/// | 16 | 8 | sum of the payload (``PayloadSum``); 0 for remove |
/// | 24 | … | the id |
///
/// A row of a vault is 44 bytes. The payload of a lost row is the range of an older log that was lost, as it lay there.
struct LogEntry: Equatable, Sendable {
    /// What a row says.
    enum Kind: UInt8, Sendable { case put = 1, remove = 2, lost = 3 }

    /// Bytes of a row without its id.
    static let fixedByteCount = 24
    /// Where a row has the sum of its payload, which ends what is before the id.
    static let sumRange = 16..<24
    /// Where a sealed payload has its stamp.
    static let stampRange = 12..<20
    /// So much of a payload shows its stamp.
    static var stampEnd: Int { stampRange.upperBound }
    /// The longest payload.
    static let byteCountLimit: Int64 = 1 << 40 - 1

    let kind: Kind
    let id: EntryID
    /// Where the payload lies in the log.
    var offset: Int64
    let byteCount: Int64
    let stamp: UInt64
    let sum: UInt64

    /// Bytes of the row.
    var rowByteCount: Int { Self.fixedByteCount + id.bytes.count }

    /// Which content it is: the stamp, or in a plain log the sum.
    func version(isSealed: Bool) -> UInt64 { isSealed ? stamp : sum }

    /// Appends the row.
    func encode(into bytes: inout [UInt8]) {
        encodeFront(into: &bytes)
        bytes.append(sum, byteCount: 8)
        bytes += id.bytes
    }

    /// Appends what the chain tag is over: the row without its sum, so that a damaged payload breaks no tag.
    func encodeChained(into bytes: inout [UInt8]) {
        encodeFront(into: &bytes)
        bytes += id.bytes
    }

    private func encodeFront(into bytes: inout [UInt8]) {
        bytes.append(kind.rawValue)
        bytes.append(UInt64(id.bytes.count), byteCount: 2)
        bytes.append(UInt64(byteCount), byteCount: 5)
        bytes.append(stamp, byteCount: 8)
    }

    /// The rows of a table, nil if it is not canonical; their payloads lie in `payloads`, and fill it.
    static func decode(
        table: Span<UInt8>, count: Int, payloads: Range<Int64>, isSealed: Bool
    ) -> [LogEntry]? {
        var entries: [LogEntry] = []
        entries.reserveCapacity(count)
        var place = 0
        var offset = payloads.lowerBound
        for _ in 0..<count {
            guard place + fixedByteCount <= table.count, let kind = Kind(rawValue: table[place])
            else { return nil }
            let idByteCount = Int(table.number(at: place + 1, byteCount: 2))
            guard place + fixedByteCount + idByteCount <= table.count else { return nil }
            let idStart = place + fixedByteCount
            let entry = LogEntry(
                kind: kind, id: EntryID(table.copy(idStart..<(idStart + idByteCount))),
                offset: offset, byteCount: Int64(table.number(at: place + 3, byteCount: 5)),
                stamp: table.number(at: place + 8), sum: table.number(at: place + 16))
            // Compared with what is left, so that no sum of any byte counts overflows.
            guard entry.isCanonical(isSealed: isSealed),
                entry.byteCount <= payloads.upperBound - offset
            else { return nil }
            entries.append(entry)
            place += entry.rowByteCount
            offset += entry.byteCount
        }
        return place == table.count && offset == payloads.upperBound ? entries : nil
    }

    private func isCanonical(isSealed: Bool) -> Bool {
        switch kind {
        case .put: !id.bytes.isEmpty && stamp & ~Self.stampMask(isSealed ? byteCount : 0) == 0
        case .remove: !id.bytes.isEmpty && byteCount == 0 && stamp == 0 && sum == 0
        case .lost: id.bytes.isEmpty && stamp == 0 && byteCount > 0
        }
    }

    /// The bits that the stamp of a payload of `byteCount` bytes may have.
    private static func stampMask(_ byteCount: Int64) -> UInt64 {
        let stampByteCount = byteCount - Int64(stampRange.lowerBound)
        if stampByteCount <= 0 { return 0 }
        return stampByteCount >= 8 ? .max : (1 << UInt64(8 * stampByteCount)) - 1
    }

    /// The stamp of a payload, of which at least the first 20 bytes are given.
    static func stamp(of payload: [UInt8]) -> UInt64 { stamp(of: payload.span) }

    /// The same of a payload where it lies.
    static func stamp(of payload: Span<UInt8>) -> UInt64 {
        let byteCount = min(payload.count, stampRange.upperBound) - stampRange.lowerBound
        guard byteCount > 0 else { return 0 }
        return payload.number(at: stampRange.lowerBound, byteCount: byteCount)
    }
}
