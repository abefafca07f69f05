import StrongroomStores

extension OpenVault {
    /// The description of an entry that does not open because of `error`.
    ///
    /// Its key is told from the header of bytes that a rotation carried over, if that opens under the retired data
    /// key that sealed it.
    func damagedEntry(_ id: EntryID, _ error: VaultError) throws(VaultError) -> DamagedEntry {
        let hex = Hexadecimal.text(of: id.bytes)
        guard let key = try carriedKey(id) else {
            return DamagedEntry(id: hex, key: nil, error: error)
        }
        return DamagedEntry(id: hex, key: key, error: .damaged(key: key))
    }

    /// The key in the header of the entry under `id`, by whatever data key there is; nil if it does not open,
    /// or is that of another place.
    func carriedKey(_ id: EntryID) throws(VaultError) -> String? {
        guard let reader = try open(id) else { return nil }
        return try carriedKey(id, reader, places: keyring.dataKeys)
    }

    /// The same of an entry that is held open, in a place of one of the data keys `places`.
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
