import StrongroomStores

/// What a rotation could not open, found in the generation that it wrote: entries that were not
/// sealed under its data key.
///
/// It is found there, and not told by who wrote it, because he may have been killed since; only who has written all of
/// it himself, and opened all, has nothing to look for but what a log has lost.
struct LeftBehind {
    /// Entries that are sealed under the current data key.
    private(set) var resealedCount = 0
    /// The others.
    private(set) var damaged: [DamagedEntry] = []
    /// The data keys that those may need: each that one of them names, all if one names none of them.
    private(set) var dataKeys: [DataKey] = []

    /// Looks at every entry of a store that belongs to the next data key, unless it is known that all are sealed under
    /// that: `isComplete`.
    init(in opened: OpenVault, isComplete: Bool = false) throws(VaultError) {
        let lost = try opened.lostIDs()
        if isComplete {
            resealedCount = try opened.knownIDs().count - lost.count
        } else {
            try find(in: opened)
        }
        // Sealed under the new data key as far as they are known, and yet not to be relied on.
        for id in lost {
            let error = VaultError.vaultDamaged(
                path: VaultError.name(of: id), what: "a part of the log is lost that may tell of it"
            )
            damaged.append(opened.damagedEntry(id, error))
        }
    }

    private mutating func find(in opened: OpenVault) throws(VaultError) {
        let old = opened.keyring.dataKeys.filter { $0.id != opened.current.id }
        var needed: Set<[UInt8]> = []
        let current = opened.current.id
        let found = try opened.dataKeyIDs()
        let others = found.filter { $0.dataKeyID != current }
        resealedCount = found.count - others.count
        for (id, dataKeyID) in others.sorted(by: { $0.id < $1.id }) {
            if let dataKeyID, old.contains(where: { $0.id == dataKeyID }) {
                needed.insert(dataKeyID)
            } else {
                for key in old { needed.insert(key.id) }
            }
            let error = VaultError.vaultDamaged(
                path: VaultError.name(of: id), what: "this entry is not as it was written")
            let key = try opened.open(id).flatMap { (reader) throws(VaultError) -> String? in
                try opened.carriedKey(id, reader, places: [opened.current])
            }
            damaged.append(opened.damagedEntry(id, error, key: key))
        }
        dataKeys = old.filter { needed.contains($0.id) }
    }
}
