import StrongroomStores

/// What a rotation could not open, found in the generation that it wrote: entries that were not
/// sealed under its data key.
///
/// It is found there, and not told by who wrote it, because he may have been killed since.
struct LeftBehind {
    /// An entry that is not sealed under the current data key.
    private struct Other: Sendable {
        let id: EntryID
        let dataKeyID: [UInt8]?
    }

    /// Entries that are sealed under the current data key.
    private(set) var resealedCount = 0
    /// The others.
    private(set) var damaged: [DamagedEntry] = []
    /// The data keys that those may need: each that one of them names, all if one names none of them.
    private(set) var dataKeys: [DataKey] = []

    /// Looks at every entry of a store that belongs to the next data key.
    init(in opened: OpenVault) throws(VaultError) {
        let old = opened.keyring.dataKeys.filter { $0.id != opened.current.id }
        var needed: Set<[UInt8]> = []
        let current = opened.current.id
        let found = try opened.map { (id, reader) throws(VaultError) -> Other? in
            let dataKeyID = try Self.dataKeyID(of: reader, id)
            return dataKeyID == current ? nil : Other(id: id, dataKeyID: dataKeyID)
        }
        for other in found {
            guard let other else {
                resealedCount += 1
                continue
            }
            let id = other.id
            if let dataKeyID = other.dataKeyID, old.contains(where: { $0.id == dataKeyID }) {
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
        // Sealed under the new data key as far as they are known, and yet not to be relied on.
        for id in try opened.lostIDs() {
            let error = VaultError.vaultDamaged(
                path: VaultError.name(of: id), what: "a part of the log is lost that may tell of it"
            )
            damaged.append(opened.damagedEntry(id, error))
        }
        dataKeys = old.filter { needed.contains($0.id) }
    }

    /// The id that the entry's bytes name; nil if they name none.
    private static func dataKeyID(
        of reader: any EntryReader, _ id: EntryID
    ) throws(VaultError) -> [UInt8]? {
        do {
            return try reader.dataKeyID(id)
        } catch {
            guard case .damaged = error else { throw error }
            return nil
        }
    }
}
