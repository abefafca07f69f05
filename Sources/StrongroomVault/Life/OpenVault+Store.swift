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

    /// What `body` makes of every entry that is there, sorted by id, on two threads.
    func map<Made: Sendable>(
        _ body: @escaping @Sendable (EntryID, any EntryReader) throws(VaultError) -> Made
    ) throws(VaultError) -> [Made] {
        let parts: [[Made]]
        if let log = store as? LogStore {
            let entries: [(id: EntryID, reader: any EntryReader)]
            do {
                entries = try log.news(since: nil).entries
            } catch {
                throw VaultError(error)
            }
            parts = try Crew.map(entries.count, size: Self.pieceCount) {
                (range) throws(VaultError) -> [Made] in
                var made: [Made] = []
                for index in range {
                    made.append(try body(entries[index].id, entries[index].reader))
                }
                return made
            }
        } else {
            // One file is open at a time, however many there are.
            let ids = try ids()
            parts = try Crew.map(ids.count, size: Self.pieceCount) {
                (range) throws(VaultError) -> [Made] in
                var made: [Made] = []
                for index in range {
                    guard let reader = try self.open(ids[index]) else { continue }
                    made.append(try body(ids[index], reader))
                }
                return made
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

    /// The id of the data key that the sealed bytes name, nil if they are no sealed entry.
    func dataKeyID(_ id: EntryID) throws(VaultError) -> [UInt8]? {
        let first: [UInt8]
        do {
            first = try read(at: 0, count: Int(min(byteCount, Int64(EntryPrefix.byteCount))))
        } catch {
            throw VaultError(error)
        }
        do {
            return try EntryPrefix(parsing: first.span).dataKeyID
        } catch {
            switch error {
            case .damaged: return nil
            case .newerFormat: throw .newerFormat(path: VaultError.name(of: id))
            }
        }
    }
}
