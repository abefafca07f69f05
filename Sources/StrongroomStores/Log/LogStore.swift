import StrongroomSystem
import Synchronization

/// A store in one append-only log, with an index in memory (STORE.md, "LogStore").
///
/// A durable commit costs one flush of space that is already written, a read two calls of `pread`. Every byte is
/// verified before it is parsed. Any number of objects, threads and processes may work on one log: writers exclude each
/// other by a lock file, readers take no lock and write nothing. Keys are its owner's business (``LogKeys``), and so is
/// where the newest commit is noted (``LogAnchor``).
///
/// A *sealed* log keeps payloads that hold a stamp at bytes 12 to 19, which tells one sealing from another, and leaves
/// their verification to whoever opens them; a *plain* one verifies sums.
package final class LogStore: Store {
    /// What is remembered between calls; all of it is found again if it is lost.
    struct State: Sendable {
        var reader: LogReader
        var writing: LogWriting?
        var watch = LogWatch()
    }

    let place: LogPlace
    let isReadOnly: Bool
    let waitSeconds: Double
    let compactsByItself: Bool
    let state: Mutex<State>
    let queue = Monitor(LogQueue())
    let feed = ChangeFeed()

    init(
        _ place: LogPlace, isReadOnly: Bool, waitSeconds: Double, compactsByItself: Bool
    ) {
        self.place = place
        self.isReadOnly = isReadOnly
        self.waitSeconds = waitSeconds
        self.compactsByItself = compactsByItself
        var reader = LogReader(place)
        reader.adopts = !isReadOnly
        state = Mutex(State(reader: reader))
    }

    /// The current generation's owner.
    package func owner() throws(StoreError) -> OwnerID? {
        try look { (view) throws(StoreError) in view.log.block.owner }
    }

    /// The entry's bytes and version, or nil if there is none.
    ///
    /// A sealed payload is not verified but for its stamp: whoever opens it asks ``isDamaged(_:_:)`` when its box does
    /// not open.
    package func read(_ id: EntryID) throws(StoreError) -> StoredEntry? {
        let (found, news) = try state.withLock {
            (state) throws(StoreError) -> ((log: LogFile, row: LogRow)?, [[EntryID]]) in
            try state.reader.look()
            switch try state.reader.find(id) {
            case .absent: return (nil, state.reader.takeNews())
            case .lost: throw .damaged(id)
            case .row(let row):
                guard let log = state.reader.view?.log else { return (nil, []) }
                return ((log, row), state.reader.takeNews())
            }
        }
        for ids in news { feed.send(ids) }
        guard let (log, row) = found else { return nil }
        if let stored = try log.read(row) { return stored }
        let entry = LogStoredEntry(id: id, log: log, row: row)
        throw try isDamaged(entry)
            ? .damaged(id)
            : .tampered(path: place.path.description, what: "an entry is not what its commit says")
    }

    /// The entry held open, or nil if there is none.
    package func open(_ id: EntryID) throws(StoreError) -> (any EntryReader)? { try find(id) }

    /// The entries of several ids as one look finds them, each held open; nil where there is none, or none is known.
    package func entries(_ ids: [EntryID]) throws(StoreError) -> [(any EntryReader)?] {
        try look { (view) throws(StoreError) -> [(any EntryReader)?] in
            var found: [(any EntryReader)?] = []
            found.reserveCapacity(ids.count)
            for id in ids {
                if case .row(let row) = try LogPlan.find(id, &view) {
                    found.append(LogStoredEntry(id: id, log: view.log, row: row))
                } else {
                    found.append(nil)
                }
            }
            return found
        }
    }

    /// Every id, sorted; `.storeDamaged` if some may be in a range that was lost.
    package func ids() throws(StoreError) -> [EntryID] {
        let path = place.path.appending(LogName.log).description
        return try look { (view) throws(StoreError) in
            guard !view.index.hasLoss else {
                throw .storeDamaged(path: path, what: "a part of the log is lost")
            }
            return try view.all().map(\.id)
        }
    }

    /// Every id of which some content is known, sorted, also if a range of the log was lost: reading one may be
    /// `.damaged`.
    package func knownIDs() throws(StoreError) -> [EntryID] {
        try look { (view) throws(StoreError) in try view.all().map(\.id) }
    }

    /// A place on the disk of the log.
    package func stage() throws(StoreError) -> any StagedPayload {
        try StagedFile(in: try openForWriting(), folder: LogName.spool)
    }

    /// True if the payload of an entry of a sealed log, in the content of that version, is not what was written; false
    /// if it is, so that a box that does not open was changed on purpose.
    ///
    /// An entry that has another content by now is not damaged either: it is to be read again.
    package func isDamaged(_ id: EntryID, _ version: Version) throws(StoreError) -> Bool {
        guard let entry = try find(id), try entry.version == version else { return false }
        return try isDamaged(entry)
    }

    private func isDamaged(_ entry: LogStoredEntry) throws(StoreError) -> Bool {
        guard entry.log.block.isSealed else { return true }
        let view = try look { (view) throws(StoreError) in view }
        guard view.log.block.log == entry.log.block.log else { return true }
        var tables = try LogTables(view, keys: place.keys)
        guard let row = try tables.row(of: entry.id, at: entry.row.offset) else { return true }
        return try !entry.log.isWhole(row)
    }

    private func find(_ id: EntryID) throws(StoreError) -> LogStoredEntry? {
        try look { (view) throws(StoreError) -> LogStoredEntry? in
            switch try LogPlan.find(id, &view) {
            case .absent: return nil
            case .lost: throw .damaged(id)
            case .row(let row): return LogStoredEntry(id: id, log: view.log, row: row)
            }
        }
    }

    /// Runs `body` on the log as it stands now.
    func look<Answer: Sendable>(
        _ body: (inout LogView) throws(StoreError) -> Answer
    ) throws(StoreError) -> Answer {
        let (answer, news) = try state.withLock {
            (state) throws(StoreError) -> (Answer, [[EntryID]]) in
            try state.reader.look()
            let answer = try state.reader.run(body)
            return (answer, state.reader.takeNews())
        }
        for ids in news { feed.send(ids) }
        return answer
    }

    /// Tells readers what others changed, as far as it was seen.
    func tellNews() {
        let news = state.withLock { $0.reader.takeNews() }
        for ids in news { feed.send(ids) }
    }
}

extension LogReader {
    /// Runs `body` on what was read; an index that is not what was written is read from the log first.
    mutating func run<Answer>(
        _ body: (inout LogView) throws(StoreError) -> Answer
    ) throws(StoreError) -> Answer {
        do {
            return try runOnce(body)
        } catch {
            guard error == LogView.indexDamage else { throw error }
        }
        try distrustIndex()
        return try runOnce(body)
    }

    private mutating func runOnce<Answer>(
        _ body: (inout LogView) throws(StoreError) -> Answer
    ) throws(StoreError) -> Answer {
        guard var taken = view else { throw .busy(path: path) }
        // Moved out and back, so that nothing is copied when it changes.
        view = nil
        defer { view = taken }
        return try body(&taken)
    }

    /// What changed and was not told yet; whoever takes it tells it.
    mutating func takeNews() -> [[EntryID]] {
        guard !news.isEmpty else { return [] }
        defer { news = [] }
        return news
    }
}
