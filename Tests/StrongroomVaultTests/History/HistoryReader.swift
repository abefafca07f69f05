import StrongroomSystem

/// Takes up the records of threads (`Tests/VaultProbe/HistoryRecords.swift`).
struct HistoryReader {
    private static let recordSize = 40

    /// What a record of 40 bytes says.
    private struct Record {
        let kind: UInt8
        let key: Int
        let number: UInt64
        let start: Int64
        let end: Int64
        let old: UInt64
    }

    private(set) var history: History

    init(initial: [UInt64]) { history = History(initial: initial) }

    /// One thread's records, whose last one is no whole one if it was killed while it wrote.
    mutating func take(_ bytes: [UInt8], of worker: String) {
        let keyCount = history.initial.count
        var commit: History.Commit?
        var listed: [UInt64] = []
        for offset in stride(
            from: 0, through: bytes.count - Self.recordSize, by: Self.recordSize)
        {
            let record = Self.record(bytes.span, offset)
            switch record.kind {
            case 1:
                history.operationCount += 1
                history.reads.append(
                    .init(
                        key: record.key, found: .number(record.number), start: record.start,
                        end: record.end))
            case 2:
                listed.append(record.number)
                guard listed.count == keyCount else { continue }
                history.operationCount += 1
                history.snapshots.append(
                    .init(start: record.start, end: record.end, numbers: listed))
                listed = []
            case 3:
                history.operationCount += 1
                history.reads.append(
                    .init(
                        key: record.key, found: record.number == 0 ? .number(0) : .anything,
                        start: record.start, end: record.end))
            case 4, 5, 6:
                let write = History.Write(
                    key: record.key, isRemoval: record.kind == 6,
                    old: record.kind == 5 ? record.old : nil)
                var begun =
                    commit ?? .init(number: record.number, start: record.start, writes: [])
                begun.writes.append(write)
                commit = begun
            case 7, 8, 9:
                guard var ended = commit, ended.number == record.number else {
                    history.violations.append("worker \(worker) ended what it did not begin")
                    return
                }
                commit = nil
                history.operationCount += 1
                if record.kind == 8 { continue }
                if record.kind == 7 { ended.end = record.end }
                history.commits.append(ended)
            case 10:
                history.violations.append("key \(record.key) was torn at \(record.start)")
            case 11: history.turnCounts[Int(record.number) - 1] += 1
            default:
                history.violations.append("worker \(worker): a record of kind \(record.kind)")
                return
            }
        }
        if let commit { history.commits.append(commit) }
    }

    private static func record(_ bytes: Span<UInt8>, _ offset: Int) -> Record {
        func number(_ place: Int) -> UInt64 {
            var number: UInt64 = 0
            for index in 0..<8 {
                number |= UInt64(bytes[offset + place + index]) << UInt64(8 * index)
            }
            return number
        }
        return Record(
            kind: bytes[offset], key: Int(bytes[offset + 1]), number: number(8),
            start: Int64(number(16)), end: Int64(number(24)), old: number(32))
    }

    /// The key as something looked at now.
    mutating func read(_ key: Int, _ number: UInt64, from start: Int64, to end: Int64) {
        history.reads.append(.init(key: key, found: .number(number), start: start, end: end))
    }
}
