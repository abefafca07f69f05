import StrongroomStores

extension OpenVault {
    /// What it means that the entry under `id`, called `name` in errors, did not open: in a log, whose sums tell one from
    /// the other, `.damaged` or, if its bytes are those that were committed, `.tampered`.
    func cause(of failure: VaultError, _ id: EntryID, name: String) throws(VaultError) -> VaultError
    {
        guard let log = store as? LogStore else { return failure }
        switch failure {
        case .damaged, .vaultDamaged: break
        default: return failure
        }
        do {
            guard let version = try log.open(id)?.version else { return failure }
            if try log.isDamaged(id, version) { return failure }
        } catch {
            if case .damaged = error { return failure }
            throw VaultError(error)
        }
        return .tampered(
            path: name, what: "the entry is what its commit says, and its box does not open")
    }

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
