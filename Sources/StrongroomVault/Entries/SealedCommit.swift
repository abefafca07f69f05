import StrongroomCrypto
import StrongroomStores

/// A commit in the words of the store, sealed under the current data key of one open vault.
struct SealedCommit {
    private(set) var changes: [StoreChange] = []
    private(set) var conditions: [EntryID: Version?] = [:]
    /// What the ids are called, for errors.
    private(set) var keys: [EntryID: String] = [:]

    /// Seals the sets under fresh nonces, the time `now` for modified and, where there is no entry to take it from,
    /// created.
    init(
        _ wanted: [VaultChange], if conditions: [String: Version?], in opened: OpenVault, now: Int64
    ) throws(VaultError) {
        let size = wanted.count < Self.sharedCount ? max(1, wanted.count) : Self.pieceCount
        let parts = try Crew.map(wanted.count, size: size) { (range) throws(VaultError) -> Part in
            var part = Part()
            for index in range { try part.seal(wanted[index], in: opened, now: now) }
            return part
        }
        changes.reserveCapacity(wanted.count)
        for part in parts {
            changes += part.changes
            keys.merge(part.keys) { $1 }
        }
        for (key, version) in conditions {
            let name = try opened.current.name(key)
            keys[name.id] = key
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
        var keys: [EntryID: String] = [:]

        mutating func seal(
            _ change: VaultChange, in opened: OpenVault, now: Int64
        ) throws(VaultError) {
            let name = try opened.current.name(change.key)
            keys[name.id] = change.key
            switch change {
            case .set(let key, let value, let attributes, let wantedTimes):
                // Looked at in any case: what a newer version wrote is not replaced.
                let found = try opened.created(name, key: key)
                let times = EntryTimes.sealed(wantedTimes, found: found, now: now)
                let sealed = try SealedEntry.seal(
                    key: key, name: name, value: value.bytes, created: times.created,
                    modified: times.modified, attributes: attributes, with: opened.current)
                changes.append(.put(name.id, .bytes(sealed)))
            case .del(let key):
                // Not what a newer version wrote.
                _ = try opened.created(name, key: key)
                changes.append(.remove(name.id))
            }
            // What a rotation could not open goes with the set or del of its key.
            for id in try opened.unopenedIDs(of: change.key) { changes.append(.remove(id)) }
        }
    }
}

extension OpenVault {
    /// When the entry was first set; nil if there is none, or its header does not open.
    func created(_ name: EntryName, key: String) throws(VaultError) -> Int64? {
        do {
            guard let reader = try open(name.id, key: key) else { return nil }
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
