import StrongroomSystem
import Synchronization

/// Builds the next log from the current one: the live entries in their order, and what was lost as it lies there.
struct LogRewriter {
    /// What makes a successor of an entry; nil for compaction, which carries everything over.
    typealias Transform =
        @Sendable (EntryID, any EntryReader, () throws(StoreError) -> any StagedPayload) throws
        -> Rewritten

    /// What is carried, in the order of the log.
    enum Item: Sendable {
        case entry(EntryID, LogRow)
        case removal(EntryID, offset: Int64)
        case loss(Range<Int64>)

        var offset: Int64 {
            switch self {
            case .entry(_, let row): row.offset
            case .removal(_, let offset): offset
            case .loss(let range): range.lowerBound
            }
        }
    }

    /// What two threads work on before it is written.
    private static let batchCount = 2048
    private static let batchByteCount: Int64 = 4 << 20

    let log: LogFile
    let keys: any LogKeys
    /// Where larger payloads are staged.
    let directory: OpenFile
    let carriesLosses: Bool
    let transform: Transform?
    let output: LogRewriteOutput
    /// Which entry became which, in the order of the log, until somebody has to look one up.
    private var pairs: [(source: EntryID, successor: EntryID)] = []
    /// The same both ways, once something changed meanwhile.
    private var isFollowing = false
    private var sources: [EntryID: EntryID] = [:]
    private var successors: [EntryID: EntryID] = [:]
    /// What is made, and is written while the next is made.
    private var ready: [LogChange] = []
    /// Called with how many items are carried over.
    private let report: ((Int) -> Void)?
    private var carriedCount = 0

    init(
        from log: LogFile, to appender: LogAppender, staging directory: OpenFile,
        carriesLosses: Bool, transform: Transform?, report: ((Int) -> Void)?
    ) {
        self.log = log
        output = LogRewriteOutput(appender)
        self.directory = directory
        self.carriesLosses = carriesLosses
        self.transform = transform
        self.report = report
        keys = appender.keys
    }

    /// Carries over everything of a view.
    mutating func carryAll(_ view: LogView) throws {
        var view = view
        var items: [Item] = try view.all().map { .entry($0.id, $0.row) }
        pairs.reserveCapacity(transform == nil ? 0 : items.count)
        if carriesLosses {
            items += view.index.losses.map { .loss($0) }
            items += view.index.settledRemovals.map { .removal($0.id, offset: $0.offset) }
        }
        try carry(items, view)
        try refuseConflicts()
    }

    /// Two entries must not become one.
    private func refuseConflicts() throws(StoreError) {
        guard try !output.hasEachOnce() else { return }
        let order = pairs.indices.sorted { pairs[$0].successor < pairs[$1].successor }
        for (before, next) in zip(order, order.dropFirst())
        where pairs[before].successor == pairs[next].successor {
            throw .conflict(pairs[next].successor)
        }
    }

    /// Carries over what changed between two views.
    mutating func carryChanges(from old: LogPosition, to view: LogView) throws {
        var view = view
        var parser = LogParser(log, keys: keys, from: old)
        while parser.position.end < view.position.end {
            guard let commit = try parser.commit(at: parser.position.end) else {
                // Something was lost meanwhile: then all is carried, in its order.
                throw StoreError.busy(path: log.file.path.description)
            }
            parser.take(commit)
        }
        guard !parser.steps.isEmpty else { return }
        isFollowing = true
        for (source, successor) in pairs {
            sources[successor] = source
            successors[source] = successor
        }
        pairs = []
        var changed: Set<EntryID> = []
        for case .commit(let commit) in parser.steps {
            for entry in commit.entries { changed.insert(entry.id) }
        }
        var items: [Item] = []
        var stale: Set<EntryID> = []
        for id in changed {
            if transform != nil, let successor = successors.removeValue(forKey: id) {
                sources[successor] = nil
                stale.insert(successor)
            }
            switch try LogPlan.find(id, &view) {
            case .row(let row): items.append(.entry(id, row))
            case .absent, .lost:
                if transform == nil { items.append(.removal(id, offset: view.position.end)) }
            }
        }
        try carry(items, view)
        for id in stale.sorted() where sources[id] == nil {
            try output.append([.remove(id)])
        }
    }

    private mutating func carry(_ items: [Item], _ view: LogView) throws {
        var tables = try LogTables(view, keys: keys)
        var batch: [Item] = []
        var byteCount: Int64 = 0
        for item in items.sorted(by: { $0.offset < $1.offset }) {
            if case .entry(_, let row) = item { byteCount += row.byteCount }
            batch.append(item)
            if batch.count == Self.batchCount || byteCount >= Self.batchByteCount {
                try carry(batch, &tables)
                batch = []
                byteCount = 0
            }
        }
        try carry(batch, &tables)
        try output.append(ready)
        ready = []
    }

    private mutating func carry(_ batch: [Item], _ tables: inout LogTables) throws {
        let maker = LogSuccessor(
            log: log, next: output.block, directory: directory, transform: transform)
        let written = Mutex<Result<Void, StoreError>>(.success(()))
        let made = LogCrew.map(
            batch.count,
            first: { [output, ready] in
                do throws(StoreError) {
                    try output.append(ready)
                } catch {
                    written.withLock { $0 = .failure(error) }
                }
            }, { maker.result(batch[$0]) })
        try written.withLock { $0 }.get()
        ready = []
        for (item, result) in zip(batch, made) {
            let change: LogChange
            switch try result.get() {
            case .change(nil): continue
            case .change(let made?): change = made
            case .same(let successor):
                guard case .entry(let id, let row) = item else { continue }
                let old = try tables.row(of: id, at: row.offset)
                change = try maker.copy(as: successor, row, old)
            }
            if transform != nil, case .entry(let id, _) = item { try note(id, change.id) }
            ready.append(change)
        }
        carriedCount += batch.count
        report?(carriedCount)
    }

    /// Remembers what an entry became.
    private mutating func note(_ source: EntryID, _ successor: EntryID) throws(StoreError) {
        guard isFollowing else { return pairs.append((source, successor)) }
        guard sources.updateValue(source, forKey: successor) == nil else {
            throw .conflict(successor)
        }
        successors[source] = successor
    }
}
