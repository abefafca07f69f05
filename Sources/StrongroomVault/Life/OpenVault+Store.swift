import StrongroomStores

// The store's calls, with errors of a vault. `key` is what the entry is called by who looks for it.
extension OpenVault {
    /// Entries that a thread takes at a time.
    private static let pieceCount = 512

    /// The sealed bytes under `id`, or nil.
    func read(_ id: EntryID, key: String) throws(VaultError) -> StoredEntry? {
        do {
            return try store.read(id)
        } catch {
            throw VaultError(error, keys: [id: key])
        }
    }

    /// The entry under `id` held open, or nil.
    func open(_ id: EntryID, key: String? = nil) throws(VaultError) -> (any EntryReader)? {
        do {
            return try store.open(id)
        } catch {
            throw VaultError(error, keys: key.map { [id: $0] } ?? [:])
        }
    }

    /// Every id, sorted.
    func ids() throws(VaultError) -> [EntryID] {
        do {
            return try store.ids()
        } catch {
            throw VaultError(error)
        }
    }

    /// Every id of which some content is known, sorted, also if a part of a log was lost.
    func knownIDs() throws(VaultError) -> [EntryID] {
        guard let log = store as? LogStore else { return try ids() }
        do {
            return try log.knownIDs()
        } catch {
            throw VaultError(error)
        }
    }

    /// The ids of entries that a lost part of a log may tell of: what is known of them may not be the newest.
    func lostIDs() throws(VaultError) -> [EntryID] {
        guard let log = store as? LogStore else { return [] }
        do {
            return try log.hasLoss() ? try log.news(since: nil).lost : []
        } catch {
            throw VaultError(error)
        }
    }

    /// The id of the data key that each entry names, nil of one that names none, in no order, on two threads;
    /// `.newerFormat` if this version cannot read some.
    func dataKeyIDs() throws(VaultError) -> [(id: EntryID, dataKeyID: [UInt8]?)] {
        typealias Named = (id: EntryID, dataKeyID: [UInt8]?)
        let parts: [[Named]]
        if let log = store as? LogStore {
            let fronts: LogFronts
            do {
                fronts = LogFronts(of: try log.news(since: nil))
            } catch {
                throw VaultError(error)
            }
            parts = try Crew.map(fronts.count, size: Self.pieceCount) {
                (range) throws(VaultError) -> [Named] in
                var named: [Named] = []
                try fronts.each(in: range) { (id, reader, front) throws(VaultError) in
                    named.append((id, try reader.dataKeyID(id, front: front)))
                }
                return named
            }
        } else {
            // One file is open at a time, however many there are.
            let ids = try ids()
            parts = try Crew.map(ids.count, size: Self.pieceCount) {
                (range) throws(VaultError) -> [Named] in
                var named: [Named] = []
                for id in ids[range] {
                    guard let reader = try self.open(id) else { continue }
                    let none: [UInt8] = []
                    let front = none.span
                    named.append((id, try reader.dataKeyID(id, front: front)))
                }
                return named
            }
        }
        return Array(parts.joined())
    }

    /// A place for a payload larger than memory.
    func stage() throws(VaultError) -> any StagedPayload {
        do {
            return try store.stage()
        } catch {
            throw VaultError(error)
        }
    }

    /// What the header of an open entry says; `.damaged(key:)`, or `.vaultDamaged` without a key.
    func info(
        _ reader: any EntryReader, _ id: EntryID, key: String? = nil
    ) throws(VaultError) -> EntryInfo {
        let sealed = try reader.headerBytes(id, key: key)
        return try info(sealed.span, reader, id, key: key)
    }

    /// The same of an entry whose first bytes, up to the end of the header, are `sealed`.
    func info(
        _ sealed: Span<UInt8>, _ reader: any EntryReader, _ id: EntryID, key: String? = nil
    ) throws(VaultError) -> EntryInfo {
        let header = try SealedEntry.openHeader(sealed, id: id, key: key, with: current)
        return EntryInfo(
            key: header.key, byteCount: header.byteCount, created: header.created,
            modified: header.modified, attributes: header.attributes,
            version: try reader.version(id, key: header.key))
    }
}

extension EntryReader {
    /// What is read at first: enough for nearly every header.
    private var guess: Int { 512 }

    /// Which content this is.
    func version(_ id: EntryID, key: String) throws(VaultError) -> Version {
        do {
            return try version
        } catch {
            throw VaultError(error, keys: [id: key])
        }
    }

    /// The sealed bytes up to the end of the header, or all there are.
    func headerBytes(_ id: EntryID, key: String? = nil) throws(VaultError) -> [UInt8] {
        do {
            let first = try read(at: 0, count: Int(min(byteCount, Int64(guess))))
            let end = headerEnd(in: first)
            guard end > first.count, byteCount > Int64(first.count) else { return first }
            return try read(at: 0, count: Int(min(byteCount, Int64(end))))
        } catch {
            throw VaultError(error, keys: key.map { [id: $0] } ?? [:])
        }
    }

    /// Where the header ends, as the prefix says; 0 if that is none.
    private func headerEnd(in first: [UInt8]) -> Int {
        do {
            return try EntryPrefix(parsing: first.span).bodyOffset
        } catch {
            return 0
        }
    }

    /// The id of the data key that the sealed bytes name, nil if they are no sealed entry or damaged; `front` is what is
    /// known of their beginning.
    fileprivate func dataKeyID(
        _ id: EntryID, front: Span<UInt8>
    ) throws(VaultError) -> [UInt8]? {
        if front.count >= EntryPrefix.byteCount { return try Self.dataKeyID(in: front, id) }
        let first: [UInt8]
        do {
            first = try read(at: 0, count: Int(min(byteCount, Int64(EntryPrefix.byteCount))))
        } catch {
            if case .damaged = error { return nil }
            throw VaultError(error)
        }
        let span = first.span
        return try Self.dataKeyID(in: span, id)
    }

    private static func dataKeyID(
        in front: Span<UInt8>, _ id: EntryID
    ) throws(VaultError) -> [UInt8]? {
        do {
            return try EntryPrefix(parsing: front).dataKeyID
        } catch {
            switch error {
            case .damaged: return nil
            case .newerFormat: throw .newerFormat(path: VaultError.name(of: id))
            }
        }
    }
}
