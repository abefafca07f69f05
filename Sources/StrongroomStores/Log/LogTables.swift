/// Walks the tables of a log from its first commit on, for the sums of payloads, which no index has.
///
/// It is led by heads and tables with right sums alone: what belongs together was verified before.
struct LogTables {
    private var parser: LogParser
    private var end: Int64
    private let last: Int64
    private(set) var commit: LogCommit?

    /// From the first commit to the end of a view.
    init(_ view: LogView, keys: any LogKeys) throws(StoreError) {
        let first = try LogPosition.first(view.log.block, keys)
        parser = LogParser(view.log, keys: keys, from: first)
        end = first.end
        last = view.position.end
    }

    /// The row whose payload lies at `offset`, for offsets that grow from call to call; nil if it is not to be read.
    mutating func row(of id: EntryID, at offset: Int64) throws(StoreError) -> LogEntry? {
        while end <= offset, try next() {}
        guard let commit else { return nil }
        // Payloads lie in the order of their rows; those of no bytes share an offset.
        let entries = commit.entries
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].offset < offset { low = middle + 1 } else { high = middle }
        }
        return entries[low...].prefix { $0.offset == offset }.first {
            $0.kind == .put && $0.id == id
        }
    }

    private mutating func next() throws(StoreError) -> Bool {
        while end < last {
            parser.position.end = end
            parser.position.isAfterLoss = true
            if let found = try parser.commit(at: end) {
                commit = found
            } else if let found = try parser.corrected() {
                commit = found
            } else if let found = try parser.later(before: last) {
                commit = found
            } else {
                break
            }
            if let commit {
                parser.position.sequence = commit.head.sequence
                end = commit.end
            }
            return true
        }
        commit = nil
        end = .max
        return false
    }
}
