// A commit of many entries goes into the rows at once: the small table would be filled only to be emptied.
extension LogIndex {
    /// Merges many puts into the rows; false if they are few or none, and then nothing was done.
    mutating func mergeIfLarge(
        _ entries: [LogEntry], isSealed: Bool
    ) throws(StoreError) -> Result<Bool, LogIndexDamage> {
        guard !hasLoss, entries.count > max(4096, rows.count / 4),
            let order = Self.order(entries)
        else { return .success(false) }
        if let damage = try merge() { return .failure(damage) }
        guard try rows.verifyAll() else { return .failure(LogIndexDamage()) }
        var changes: [(id: EntryID, row: LogRow?)] = []
        changes.reserveCapacity(order.count)
        for index in order {
            let entry = entries[index]
            guard case .success(let before) = try rows.find(entry.id) else {
                return .failure(LogIndexDamage())
            }
            let row = LogRow(
                offset: entry.offset, byteCount: entry.byteCount,
                version: entry.version(isSealed: isSealed))
            count(entry.id, before, row)
            changes.append((entry.id, row))
        }
        rows = rows.merged(with: changes)
        return .success(true)
    }

    /// The indices of entries in the order of their ids; nil unless all are puts of ids that have rows, each once.
    private static func order(_ entries: [LogEntry]) -> [Int]? {
        // Sorted by what ids begin with, which two of them hardly ever share.
        var order: [(prefix: UInt64, index: Int)] = []
        order.reserveCapacity(entries.count)
        for (index, entry) in entries.enumerated() {
            guard entry.kind == .put, entry.id.bytes.count == LogRows.idByteCount else {
                return nil
            }
            order.append((LogRows.prefix(entry.id.bytes.span, at: 0), index))
        }
        order.sort { left, right in
            left.prefix == right.prefix
                ? entries[left.index].id < entries[right.index].id : left.prefix < right.prefix
        }
        for place in order.indices.dropFirst() where order[place - 1].prefix == order[place].prefix
        {
            guard entries[order[place - 1].index].id != entries[order[place].index].id else {
                return nil
            }
        }
        return order.map(\.index)
    }
}
