import StrongroomCrypto
import StrongroomStores

/// A commit in the words of the store, sealed under the current data key of one open vault.
struct SealedCommit {
    private(set) var changes: [StoreChange] = []
    private(set) var conditions: [EntryID: Version?] = [:]
    private var names: [(id: EntryID, key: String)] = []

    /// What the ids are called, for errors.
    var keys: [EntryID: String] { Dictionary(names.map { ($0.id, $0.key) }) { $1 } }

    /// Seals the sets under fresh nonces, the time `now` for modified and, where there is no entry to take it from,
    /// created.
    init(
        _ wanted: [VaultChange], if conditions: [String: Version?], in opened: OpenVault, now: Int64
    ) throws(VaultError) {
        let size = wanted.count < Self.sharedCount ? max(1, wanted.count) : Self.pieceCount
        let parts = try Crew.map(wanted.count, size: size) { (range) throws(VaultError) -> Part in
            var part = Part()
            try part.seal(wanted[range], in: opened, now: now)
            return part
        }
        changes.reserveCapacity(wanted.count)
        names.reserveCapacity(wanted.count)
        for part in parts {
            changes += part.changes
            names += part.names
        }
        for (key, version) in conditions {
            let name = try opened.current.name(key)
            names.append((name.id, key))
            self.conditions.updateValue(version, forKey: name.id)
            // Bytes that no rotation could open are an entry all the same.
            if version == nil, try !opened.unopenedIDs(of: key).isEmpty {
                throw .damaged(key: key)
            }
        }
    }
}

extension SealedCommit {
    /// From here on two threads seal, so many changes at a time.
    private static let sharedCount = 32
    private static let pieceCount = 64

    /// What one thread sealed.
    private struct Part: Sendable {
        var changes: [StoreChange] = []
        var names: [(id: EntryID, key: String)] = []

        mutating func seal(
            _ wanted: ArraySlice<VaultChange>, in opened: OpenVault, now: Int64
        ) throws(VaultError) {
            var names: [EntryName] = []
            names.reserveCapacity(wanted.count)
            for change in wanted { names.append(try opened.current.name(change.key)) }
            let readers = try opened.readers(names.map(\.id))
            var nonces = BoxNonces(count: wanted.count)
            for (index, change) in wanted.enumerated() {
                let name = names[index]
                // Looked at in any case: what a newer version wrote is not replaced.
                let found =
                    if let readers {
                        try opened.created(readers[index], name, key: change.key)
                    } else {
                        try opened.created(name, key: change.key)
                    }
                try seal(change, name, created: found, in: opened, now: now, &nonces)
            }
        }

        private mutating func seal(
            _ change: VaultChange, _ name: EntryName, created found: Int64?, in opened: OpenVault,
            now: Int64, _ nonces: inout BoxNonces
        ) throws(VaultError) {
            self.names.append((name.id, change.key))
            switch change {
            case .set(let key, let value, let attributes, let wantedTimes):
                let times = EntryTimes.sealed(wantedTimes, found: found, now: now)
                let sealed = try SealedEntry.seal(
                    key: key, name: name, value: value.bytes, created: times.created,
                    modified: times.modified, attributes: attributes, with: opened.current,
                    nonces: &nonces)
                changes.append(.put(name.id, .bytes(sealed)))
            case .del: changes.append(.remove(name.id))
            }
            // What a rotation could not open goes with the set or del of its key.
            for id in try opened.unopenedIDs(of: change.key) { changes.append(.remove(id)) }
        }
    }
}

extension OpenVault {
    /// When the entry was first set; nil if there is none, or its header does not open.
    func created(_ name: EntryName, key: String) throws(VaultError) -> Int64? {
        let reader: (any EntryReader)?
        do {
            reader = try open(name.id, key: key)
        } catch {
            switch error {
            // The store says so again, and better, when it is written to.
            case .damaged, .vaultDamaged, .tampered: return nil
            default: throw error
            }
        }
        return try created(reader, name, key: key)
    }

    /// The entries of several ids of a log as one look finds them; nil of a store of files, where each is opened when
    /// its turn comes.
    func readers(_ ids: [EntryID]) throws(VaultError) -> [(any EntryReader)?]? {
        guard let log = store as? LogStore else { return nil }
        do {
            return try log.entries(ids)
        } catch {
            switch error {
            // The store says so again, and better, when it is written to.
            case .damaged, .storeDamaged, .tampered, .ownerChanged:
                return [(any EntryReader)?](repeating: nil, count: ids.count)
            default: throw VaultError(error)
            }
        }
    }

    /// When the entry that is held open was first set; nil if there is none, or its header does not open.
    func created(
        _ reader: (any EntryReader)?, _ name: EntryName, key: String
    ) throws(VaultError) -> Int64? {
        guard let reader else { return nil }
        do {
            let sealed = try reader.headerBytes(name.id, key: key)
            return try SealedEntry.openHeader(
                sealed.span, id: name.id, key: key, with: current
            ).created
        } catch {
            switch error {
            // The store says so again, and better, when it is written to.
            case .damaged, .vaultDamaged, .tampered: return nil
            default: throw error
            }
        }
    }

    /// The ids, by retired data keys, under which bytes of the entry of `key` are kept that no rotation could open.
    func unopenedIDs(of key: String) throws(VaultError) -> [EntryID] {
        var ids: [EntryID] = []
        for retired in keyring.retired {
            let id = try retired.name(key).id
            if try open(id, key: key) != nil { ids.append(id) }
        }
        return ids
    }
}
