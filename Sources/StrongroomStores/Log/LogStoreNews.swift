// What a log holds, all of it or what has changed: for who keeps something that he made of it.
extension LogStore {
    /// How far somebody knows a log.
    package struct Mark: Equatable, Sendable {
        let log: Bytes16
        let position: LogPosition
    }

    /// Entries as one look found them.
    package struct News: Sendable {
        /// Up to where.
        package internal(set) var mark: Mark
        /// True if these are all entries, false if they are what has changed.
        package internal(set) var isAll: Bool
        /// True if a range of the log was lost: there may be entries of which nothing is known.
        package internal(set) var hasLoss = false
        /// The owner of the generation.
        package internal(set) var owner: OwnerID
        /// The entries, each held open; of all of them sorted by id.
        package internal(set) var entries: [(id: EntryID, reader: any EntryReader)] = []
        /// Ids that are not there any more.
        package internal(set) var gone: [EntryID] = []
        /// Ids whose newest content is in a lost range, perhaps.
        package internal(set) var lost: [EntryID] = []
    }

    /// More than this is not followed: then all is told.
    private static let followedByteCount: Int64 = 4 << 20

    /// What has changed since `mark`, or all there is if that is nil, or of another log, or long ago.
    package func news(since mark: Mark?) throws(StoreError) -> News {
        let keys = place.keys
        return try look { (view) throws(StoreError) -> News in
            if let mark, let news = try Self.changes(since: mark, &view, keys) { return news }
            return try Self.all(&view)
        }
    }

    private static func changes(
        since mark: Mark, _ view: inout LogView, _ keys: any LogKeys
    ) throws(StoreError) -> News? {
        guard mark.log == view.log.block.log, !view.index.hasLoss else { return nil }
        var news = News(
            mark: Mark(log: mark.log, position: view.position), isAll: false,
            owner: view.log.block.owner)
        if mark.position == view.position { return news }
        let byteCount = view.position.end - mark.position.end
        guard byteCount > 0, byteCount <= followedByteCount,
            let changed = try ids(from: mark.position, to: view, keys)
        else { return nil }
        for id in changed.sorted() {
            switch try LogPlan.find(id, &view) {
            case .absent: news.gone.append(id)
            case .lost: news.lost.append(id)
            case .row(let row):
                news.entries.append((id, LogStoredEntry(id: id, log: view.log, row: row)))
            }
        }
        return news
    }

    /// The ids that commits from `position` on tell of; nil if they do not follow it to the end.
    private static func ids(
        from position: LogPosition, to view: LogView, _ keys: any LogKeys
    ) throws(StoreError) -> Set<EntryID>? {
        var parser = LogParser(view.log, keys: keys, from: position)
        var changed: Set<EntryID> = []
        while parser.position.end < view.position.end {
            guard let commit = try parser.commit(at: parser.position.end),
                commit.follows(parser.position)
            else { return nil }
            for entry in commit.entries { changed.insert(entry.id) }
            parser.take(commit)
        }
        return parser.position == view.position ? changed : nil
    }

    private static func all(_ view: inout LogView) throws(StoreError) -> News {
        var news = News(
            mark: Mark(log: view.log.block.log, position: view.position), isAll: true,
            hasLoss: view.index.hasLoss, owner: view.log.block.owner)
        let all = try view.all()
        news.entries.reserveCapacity(all.count)
        for (id, row) in all {
            if news.hasLoss, case .lost = try LogPlan.find(id, &view) {
                news.lost.append(id)
            } else {
                news.entries.append((id, LogStoredEntry(id: id, log: view.log, row: row)))
            }
        }
        return news
    }
}
