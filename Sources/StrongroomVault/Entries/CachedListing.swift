import StrongroomStores

/// The headers of a log's entries, kept by the process that opened them and brought up to date by what changed.
struct CachedListing: Sendable {
    /// A header and the id under which it was found.
    struct Item: Sendable {
        var id: EntryID
        var info: EntryInfo
    }

    /// From here on two threads open headers.
    private static let sharedCount = 256

    private var mark: LogStore.Mark?
    /// The ids of `entries`, in the same order.
    private var ids: [EntryID] = []
    /// The headers, sorted by the keys' bytes.
    private(set) var entries: [EntryInfo] = []
    /// The keys of `entries`.
    private(set) var keys: [String] = []
    private var damaged: [EntryID: DamagedEntry] = [:]
    /// True if there may be entries of which nothing is known.
    private(set) var isIncomplete = false

    /// What does not open, sorted by id.
    var damagedEntries: [DamagedEntry] { damaged.values.sorted { $0.id < $1.id } }

    /// Brings it up to date with the log as it stands now; false if that belongs to another data key.
    mutating func update(_ opened: OpenVault, _ log: LogStore) throws(VaultError) -> Bool {
        let news: LogStore.News
        do {
            news = try log.news(since: mark)
        } catch {
            switch error {
            case .ownerChanged: return false
            default: throw VaultError(error)
            }
        }
        guard news.owner == opened.current.owner else { return false }
        // What was opened is kept only with what it was opened up to.
        mark = nil
        if news.isAll {
            try replaceAll(news, opened)
        } else if !news.entries.isEmpty || !news.gone.isEmpty {
            try apply(news, opened)
        }
        isIncomplete = news.hasLoss
        mark = news.hasLoss ? nil : news.mark
        return true
    }

    private mutating func replaceAll(
        _ news: LogStore.News, _ opened: OpenVault
    ) throws(VaultError) {
        let found = try Self.open(news, opened)
        damaged = [:]
        for entry in found.damaged { damaged[entry.id] = entry.entry }
        for id in news.lost {
            let error = VaultError.vaultDamaged(
                path: VaultError.name(of: id), what: "a part of the log is lost that may tell of it"
            )
            damaged[id] = opened.damagedEntry(id, error)
        }
        take(found.items)
    }

    private mutating func take(_ items: [Item]) {
        ids = items.map(\.id)
        entries = items.map(\.info)
        keys = items.map(\.info.key)
    }

    private mutating func apply(_ news: LogStore.News, _ opened: OpenVault) throws(VaultError) {
        let found = try Self.open(news, opened)
        let changed = Set(news.entries.map(\.id) + news.gone)
        for id in changed { damaged[id] = nil }
        for entry in found.damaged { damaged[entry.id] = entry.entry }
        // One that was only set anew stays where it is.
        var new: [Item] = []
        var settled: Set<EntryID> = []
        for item in found.items {
            let place = place(of: item.info.key)
            if place < keys.count, ids[place] == item.id {
                entries[place] = item.info
                settled.insert(item.id)
            } else {
                new.append(item)
            }
        }
        let stale = changed.subtracting(settled)
        if !stale.isEmpty, ids.contains(where: { stale.contains($0) }) {
            var kept: [Item] = []
            kept.reserveCapacity(ids.count)
            for (id, info) in zip(ids, entries) where !stale.contains(id) {
                kept.append(Item(id: id, info: info))
            }
            take(kept)
        }
        if new.count > 16 {
            let old = zip(ids, entries).map { Item(id: $0, info: $1) }
            take(Self.merged(old, new))
        } else {
            for item in new {
                let place = place(of: item.info.key)
                ids.insert(item.id, at: place)
                entries.insert(item.info, at: place)
                keys.insert(item.info.key, at: place)
            }
        }
    }

    /// Where a key is, or belongs.
    private func place(of key: String) -> Int {
        var low = 0
        var high = keys.count
        while low < high {
            let middle = (low + high) / 2
            if Self.precedes(keys[middle], key) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Keys of normal form C: their order as strings is that of their bytes, and is found faster.
    private static func precedes(_ left: String, _ right: String) -> Bool { left < right }

    /// The headers of entries, sorted by key, and what does not open.
    private static func open(
        _ news: LogStore.News, _ opened: OpenVault
    ) throws(VaultError) -> (items: [Item], damaged: [(id: EntryID, entry: DamagedEntry)]) {
        let fronts = LogFronts(of: news)
        let size = fronts.count >= sharedCount ? (fronts.count + 1) / 2 : max(1, fronts.count)
        let parts = try Crew.map(fronts.count, size: size) {
            (range) throws(VaultError) -> HeaderBatch in
            var batch = HeaderBatch()
            try fronts.each(in: range) { (id, reader, front) throws(VaultError) in
                try batch.open(id, reader, front, in: opened)
            }
            batch.items = KeyOrder.sorted(batch.items.map(\.info.key)).map { batch.items[$0] }
            return batch
        }
        var items: [Item] = []
        var damaged: [(id: EntryID, entry: DamagedEntry)] = []
        for part in parts {
            items = items.isEmpty ? part.items : merged(items, part.items)
            damaged += part.damaged
        }
        return (items, damaged)
    }

    private static func merged(_ left: [Item], _ right: [Item]) -> [Item] {
        var items: [Item] = []
        items.reserveCapacity(left.count + right.count)
        var next = 0
        for item in left {
            while next < right.count, precedes(right[next].info.key, item.info.key) {
                items.append(right[next])
                next += 1
            }
            items.append(item)
        }
        return items + right[next...]
    }
}

/// Headers that one thread opened.
private struct HeaderBatch: Sendable {
    var items: [CachedListing.Item] = []
    var damaged: [(id: EntryID, entry: DamagedEntry)] = []

    mutating func open(
        _ id: EntryID, _ reader: any EntryReader, _ front: Span<UInt8>, in opened: OpenVault
    ) throws(VaultError) {
        do {
            let info =
                EntryPrefix.hasHeader(in: front)
                ? try opened.info(front, reader, id) : try opened.info(reader, id)
            items.append(CachedListing.Item(id: id, info: info))
        } catch {
            switch error {
            case .vaultDamaged, .damaged, .newerFormat:
                let cause = try opened.cause(of: error, id, name: VaultError.name(of: id))
                damaged.append((id, opened.damagedEntry(id, cause)))
            default: throw error
            }
        }
    }
}
