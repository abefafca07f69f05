import StrongroomStores

extension Vault {
    /// Every entry: the headers that open, sorted by the keys' bytes, and what could not be read.
    ///
    /// In an untouched place there is none.
    package func list() throws(VaultError) -> VaultListing {
        guard var opened = try opened() else { return VaultListing(entries: [], damaged: []) }
        for _ in 0..<Self.attemptLimit {
            if let listing = try list(opened) { return listing }
            opened = try self.opened(insteadOf: opened)
        }
        throw .busy(path: place.name)
    }

    /// The listing, or nil if the store was switched to another data key meanwhile.
    private func list(_ opened: OpenVault) throws(VaultError) -> VaultListing? {
        let listing: VaultListing
        do {
            listing = try headers(opened)
        } catch {
            switch error {
            case .vaultDamaged, .tampered:
                if try opened.isCurrent() { throw error }
                return nil
            default: throw error
            }
        }
        return try opened.isCurrent() ? listing : nil
    }

    private func headers(_ opened: OpenVault) throws(VaultError) -> VaultListing {
        var found: [(bytes: [UInt8], info: EntryInfo)] = []
        var damaged: [DamagedEntry] = []
        for id in try opened.ids() {
            do {
                // One that was removed meanwhile is left out.
                guard let reader = try opened.open(id) else { continue }
                let info = try opened.info(reader, id)
                found.append((Array(info.key.utf8), info))
            } catch {
                switch error {
                case .vaultDamaged, .damaged, .newerFormat:
                    damaged.append(opened.damagedEntry(id, error))
                default: throw error
                }
            }
        }
        found.sort { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        return VaultListing(entries: found.map { $0.info }, damaged: damaged)
    }
}
