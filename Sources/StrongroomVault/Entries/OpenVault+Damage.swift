import StrongroomStores

extension OpenVault {
    /// The description of an entry whose header does not open.
    ///
    /// Nothing is opened with a data key that is retired but by a check, and by a rotation, which looks for the place
    /// of what it carries over.
    func damagedEntry(
        _ id: EntryID, _ error: VaultError, key: String? = nil
    ) -> DamagedEntry {
        DamagedEntry(
            id: Hexadecimal.text(of: id.bytes), key: key,
            error: key.map { .damaged(key: $0) } ?? error)
    }

    /// The key in the header of the entry under `id`, by whatever data key there is, if it is that of a place under
    /// one of `places`; nil if it does not open, or is another's.
    func carriedKey(
        _ id: EntryID, _ reader: any EntryReader, places: [DataKey]
    ) throws(VaultError) -> String? {
        let sealed: [UInt8]
        do {
            sealed = try reader.headerBytes(id)
        } catch {
            if case .damaged = error { return nil }
            throw error
        }
        for dataKey in keyring.dataKeys {
            for place in places {
                do {
                    return try SealedEntry.openHeader(
                        sealed.span, id: id, with: dataKey, placedBy: place
                    ).key
                } catch {
                    switch error {
                    case .vaultDamaged, .newerFormat: continue
                    default: throw error
                    }
                }
            }
        }
        return nil
    }
}
