/// Which entries a log has, and where: sorted rows, and a small table of what changed since they were made.
struct LogIndex: Sendable {
    /// What the small table says of an entry.
    struct Change: Sendable {
        /// Where it is; nil if it was removed.
        var row: LogRow?
        /// Where the commit that says so lies behind.
        var offset: Int64
    }

    /// What is known of an entry.
    enum Answer: Sendable {
        /// Its newest content.
        case row(LogRow)
        /// There is none.
        case absent
        /// A lost range may have changed it.
        case lost
    }

    var rows: LogRows
    private var tail: [EntryID: Change] = [:]
    /// How many of its ids have rows, or could.
    private var rowChangeCount = 0
    /// Entries that are there.
    private(set) var count: Int
    /// Bytes of what is there: payloads and rows of tables.
    private(set) var liveByteCount: Int64
    /// Where the last lost range ends, 0 if there is none: what lies before is not known to be the newest.
    private(set) var lossEnd: Int64 = 0
    /// The lost ranges, in the order of the log: as they lie there.
    private(set) var losses: [Range<Int64>] = []

    /// No entries.
    init() {
        rows = LogRows()
        count = 0
        liveByteCount = 0
    }

    /// The entries of an index file.
    init(rows: LogRows, liveByteCount: Int64) {
        self.rows = rows
        count = rows.count
        self.liveByteCount = liveByteCount
    }

    /// True if some range was lost.
    var hasLoss: Bool { lossEnd > 0 }

    /// Where the newest known content of an entry lies, whatever was lost behind it.
    mutating func known(_ id: EntryID) throws(StoreError) -> Result<LogRow?, LogIndexDamage> {
        if let change = tail[id] { return .success(change.row) }
        return try rows.find(id)
    }

    /// What is known of an entry.
    mutating func find(_ id: EntryID) throws(StoreError) -> Result<Answer, LogIndexDamage> {
        if let change = tail[id] {
            if change.offset < lossEnd { return .success(.lost) }
            return .success(change.row.map { .row($0) } ?? .absent)
        }
        switch try rows.find(id) {
        case .failure(let damage): return .failure(damage)
        case .success(let row):
            if hasLoss { return .success(.lost) }
            return .success(row.map { .row($0) } ?? .absent)
        }
    }

    /// Takes up a step of a parser.
    mutating func take(_ step: LogStep, isSealed: Bool) throws(StoreError) -> LogIndexDamage? {
        switch step {
        case .lost(let range): lose(range)
        case .commit(let commit): return try take(commit.entries, isSealed: isSealed)
        }
        return nil
    }

    /// Takes up the entries of a commit, or of several behind each other.
    mutating func take(
        _ entries: [LogEntry], isSealed: Bool
    ) throws(StoreError) -> LogIndexDamage? {
        switch try mergeIfLarge(entries, isSealed: isSealed) {
        case .failure(let damage): return damage
        case .success(let isDone): if isDone { return nil }
        }
        for entry in entries {
            switch entry.kind {
            case .lost: lose(entry.offset..<(entry.offset + entry.byteCount))
            case .remove:
                if let damage = try set(entry.id, nil, at: entry.offset) { return damage }
            case .put:
                let row = LogRow(
                    offset: entry.offset, byteCount: entry.byteCount,
                    version: entry.version(isSealed: isSealed))
                if let damage = try set(entry.id, row, at: entry.offset) { return damage }
            }
        }
        return try mergeIfLong()
    }

    private mutating func lose(_ range: Range<Int64>) {
        losses.append(range)
        lossEnd = range.upperBound
    }

    private mutating func set(
        _ id: EntryID, _ row: LogRow?, at offset: Int64
    ) throws(StoreError) -> LogIndexDamage? {
        let before: LogRow?
        switch try known(id) {
        case .failure(let damage): return damage
        case .success(let found): before = found
        }
        count(id, before, row)
        let isNew = tail.updateValue(Change(row: row, offset: offset), forKey: id) == nil
        if isNew, id.bytes.count == LogRows.idByteCount { rowChangeCount += 1 }
        return nil
    }

    /// Counts that an entry has `row` in the place of `before`.
    mutating func count(_ id: EntryID, _ before: LogRow?, _ row: LogRow?) {
        if let before {
            count -= 1
            liveByteCount -= Self.byteCount(id, before)
        }
        if let row {
            count += 1
            liveByteCount += Self.byteCount(id, row)
        }
    }

    private static func byteCount(_ id: EntryID, _ row: LogRow) -> Int64 {
        row.byteCount + Int64(LogEntry.fixedByteCount + id.bytes.count)
    }

    /// Merges the small table into the rows when it is no longer small.
    ///
    /// Behind a loss nothing is merged: the table knows what was settled since.
    private mutating func mergeIfLong() throws(StoreError) -> LogIndexDamage? {
        guard !hasLoss, rowChangeCount > max(4096, rows.count / 4) else { return nil }
        return try merge()
    }

    mutating func merge() throws(StoreError) -> LogIndexDamage? {
        guard try rows.verifyAll() else { return LogIndexDamage() }
        var changes: [(id: EntryID, row: LogRow?)] = []
        for (id, change) in tail where id.bytes.count == LogRows.idByteCount {
            changes.append((id, change.row))
        }
        changes.sort { $0.id < $1.id }
        rows = rows.merged(with: changes)
        rowChangeCount = 0
        // Ids of other lengths have no rows; what is gone of them needs no trace.
        tail = tail.filter { $0.key.bytes.count != LogRows.idByteCount && $0.value.row != nil }
        return nil
    }

    /// Every entry whose newest known content is there, sorted by id.
    mutating func all() throws(StoreError) -> Result<[(id: EntryID, row: LogRow)], LogIndexDamage> {
        guard try rows.verifyAll() else { return .failure(LogIndexDamage()) }
        var all: [(id: EntryID, row: LogRow)] = []
        all.reserveCapacity(count)
        let changed = tail.filter { $0.value.row != nil }.sorted { $0.key < $1.key }
        var next = 0
        for (id, change) in changed {
            while next < rows.count, rows.id(next) < id { add(next, to: &all); next += 1 }
            if let row = change.row { all.append((id, row)) }
        }
        while next < rows.count { add(next, to: &all); next += 1 }
        return .success(all)
    }

    private func add(_ index: Int, to all: inout [(id: EntryID, row: LogRow)]) {
        let id = rows.id(index)
        if tail[id] == nil { all.append((id, rows.row(index))) }
    }

    /// Ids of which it is known that they are gone, although a range was lost before.
    var settledRemovals: [(id: EntryID, offset: Int64)] {
        guard hasLoss else { return [] }
        return tail.filter { $0.value.row == nil && $0.value.offset >= lossEnd }
            .map { ($0.key, $0.value.offset) }
    }

    /// The rows of all entries for an index file; nil if some have no rows, or a range was lost, which the file would
    /// then seem to settle.
    mutating func allRows() throws(StoreError) -> Result<LogRows?, LogIndexDamage> {
        guard !hasLoss else { return .success(nil) }
        for (id, change) in tail where change.row != nil {
            guard id.bytes.count == LogRows.idByteCount else { return .success(nil) }
        }
        if rowChangeCount > 0, let damage = try merge() { return .failure(damage) }
        return .success(rows)
    }
}
