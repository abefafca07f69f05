import StrongroomSystem

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
    private(set) var appender: LogAppender
    private(set) var index = LogIndex()
    private var sources: [EntryID: EntryID] = [:]
    private var successors: [EntryID: EntryID] = [:]
    /// Called with how many items are carried over.
    private let report: ((Int) -> Void)?
    private var carriedCount = 0

    init(
        from log: LogFile, to appender: LogAppender, staging directory: OpenFile,
        carriesLosses: Bool, transform: Transform?, report: ((Int) -> Void)?
    ) {
        self.log = log
        self.appender = appender
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
        if transform != nil {
            sources.reserveCapacity(items.count)
            successors.reserveCapacity(items.count)
        }
        if carriesLosses {
            items += view.index.losses.map { .loss($0) }
            items += view.index.settledRemovals.map { .removal($0.id, offset: $0.offset) }
        }
        try carry(items, view)
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
            try append([.remove(id)])
        }
    }

    private mutating func carry(_ items: [Item], _ view: LogView) throws {
        var tables = try LogTables(view, keys: keys)
        let sorted = items.sorted { $0.offset < $1.offset }
        var batch: [(item: Item, old: LogEntry?)] = []
        var byteCount: Int64 = 0
        for item in sorted {
            var old: LogEntry?
            if case .entry(let id, let row) = item {
                old = try tables.row(of: id, at: row.offset)
                byteCount += row.byteCount
            }
            batch.append((item, old))
            if batch.count == Self.batchCount || byteCount >= Self.batchByteCount {
                try carry(batch)
                batch = []
                byteCount = 0
            }
        }
        try carry(batch)
    }

    private mutating func carry(_ batch: [(item: Item, old: LogEntry?)]) throws {
        let maker = LogSuccessor(
            log: log, next: appender.block, directory: directory, transform: transform)
        let made: [Result<LogChange?, any Error>]
        if transform == nil {
            made = batch.map { maker.result($0.item, $0.old) }
        } else {
            made = LogCrew.map(batch.count) { maker.result(batch[$0].item, batch[$0].old) }
        }
        var changes: [LogChange] = []
        for (index, result) in made.enumerated() {
            guard let change = try result.get() else { continue }
            if transform != nil, case .entry(let id, _) = batch[index].item {
                guard sources.updateValue(id, forKey: change.id) == nil else {
                    throw StoreError.conflict(change.id)
                }
                successors[id] = change.id
            }
            changes.append(change)
        }
        try append(changes)
        carriedCount += batch.count
        report?(carriedCount)
    }

    /// Writes commits that are not large: all that is in one is lost with its head.
    private mutating func append(_ changes: [LogChange]) throws(StoreError) {
        var rest = changes[...]
        while !rest.isEmpty {
            var count = 0
            var byteCount: Int64 = 0
            for change in rest {
                byteCount += change.commitByteCount
                let isTooMuch =
                    count == LogTicket.changeLimit || byteCount > LogTicket.byteLimit
                if isTooMuch, count > 0 { break }
                count += 1
            }
            let commit = try appender.append(Array(rest.prefix(count)), makesRoom: false)
            _ = try index.take(.commit(commit), isSealed: appender.block.isSealed)
            rest = rest.dropFirst(count)
        }
    }
}
