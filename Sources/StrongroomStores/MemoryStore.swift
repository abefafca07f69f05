import Synchronization

/// A store in memory: for tests, previews, and vaults that touch no disk.
///
/// It is gone with its last reference. Entries that are replaced or removed are not wiped.
public final class MemoryStore: Store {
    private struct State {
        var owner: OwnerID?
        var entries: [EntryID: StoredEntry] = [:]
    }
    private let state: Mutex<State>
    private let feed = ChangeFeed()

    /// An empty store of that owner; nil for a plain one.
    public init(owner: OwnerID? = nil) { state = Mutex(State(owner: owner)) }

    /// The owner given, or the one of the last rewrite.
    public func owner() throws(StoreError) -> OwnerID? { state.withLock { $0.owner } }

    /// The entry's bytes and version, or nil if there is none.
    public func read(_ id: EntryID) throws(StoreError) -> StoredEntry? {
        state.withLock { $0.entries[id] }
    }

    /// The entry as it is now, whatever is committed meanwhile.
    public func open(_ id: EntryID) throws(StoreError) -> (any EntryReader)? {
        guard let entry = try read(id) else { return nil }
        return MemoryEntry(id: id, entry: entry)
    }

    /// Every id, sorted.
    public func ids() throws(StoreError) -> [EntryID] {
        state.withLock { Array($0.entries.keys) }.sorted()
    }

    /// A place in memory.
    public func stage() throws(StoreError) -> any StagedPayload { MemoryPayload() }

    /// Makes all of `changes`, or none: ``Store/commit(_:if:owner:)``.
    public func commit(
        _ changes: [StoreChange], if conditions: [EntryID: Version?], owner: OwnerID?
    ) throws(StoreError) {
        var prepared: [(id: EntryID, entry: StoredEntry?)] = []
        for change in changes {
            guard !change.id.bytes.isEmpty else { throw .invalidID(change.id) }
            switch change {
            case .put(_, let payload): prepared.append((change.id, try Self.entry(payload)))
            case .remove: prepared.append((change.id, nil))
            }
        }
        let changed = try state.withLock { (state) throws(StoreError) -> [EntryID] in
            guard state.owner == owner else { throw .ownerChanged(now: state.owner) }
            for (id, version) in conditions where state.entries[id]?.version != version {
                throw .conditionFailed(id)
            }
            var changed: Set<EntryID> = []
            for (id, entry) in prepared {
                let before = state.entries.updateValueOrRemove(entry, forKey: id)
                if before != nil || entry != nil { changed.insert(id) }
            }
            return changed.sorted()
        }
        if !changed.isEmpty { feed.send(changed) }
    }

    /// Puts every entry through `transform` and switches to the result: ``Store/rewrite(owner:_:)``.
    public func rewrite(
        owner: OwnerID?,
        _ transform:
            @Sendable (EntryID, any EntryReader, () throws(StoreError) -> any StagedPayload)
            throws -> Rewritten
    ) throws {
        // What the transform made of each entry, and of which version of it.
        var made: [EntryID: (version: Version, successor: (EntryID, StoredEntry)?)] = [:]
        func carry(_ id: EntryID, _ entry: StoredEntry) throws {
            if let known = made[id], known.version == entry.version { return }
            let reader = MemoryEntry(id: id, entry: entry)
            let staging: () throws(StoreError) -> any StagedPayload = { MemoryPayload() }
            switch try transform(id, reader, staging) {
            case .put(let next, let payload):
                made[id] = (entry.version, (next, try Self.entry(payload)))
            case .keep(let next): made[id] = (entry.version, (next, entry))
            case .drop: made[id] = (entry.version, nil)
            }
        }
        for (id, entry) in state.withLock({ $0.entries }) { try carry(id, entry) }
        try state.withLock { state in
            // What was committed meanwhile, now that no other commit can come between.
            for (id, entry) in state.entries { try carry(id, entry) }
            var next: [EntryID: StoredEntry] = [:]
            for id in state.entries.keys {
                guard let (successor, entry) = made[id]?.successor else { continue }
                guard !successor.bytes.isEmpty else { throw StoreError.invalidID(successor) }
                guard next.updateValue(entry, forKey: successor) == nil else {
                    throw StoreError.conflict(successor)
                }
            }
            state.entries = next
            state.owner = owner
        }
        feed.send([])
    }

    /// Ids that commits through this object change.
    public func changes() throws(StoreError) -> AsyncStream<[EntryID]> { feed.stream {} }

    private static func entry(_ payload: Payload) throws(StoreError) -> StoredEntry {
        let bytes: [UInt8]
        switch payload {
        case .bytes(let given): bytes = given
        case .staged(let staged):
            if let own = staged as? MemoryPayload { own.close() }
            bytes = try staged.read(at: 0, count: Int(staged.byteCount))
        }
        return StoredEntry(bytes: bytes, version: try ContentHash.version(of: bytes))
    }
}

extension Dictionary {
    /// Sets or, with nil, removes a value, and returns the one before.
    fileprivate mutating func updateValueOrRemove(_ value: Value?, forKey key: Key) -> Value? {
        guard let value else { return removeValue(forKey: key) }
        return updateValue(value, forKey: key)
    }
}
