import StrongroomStores
import Synchronization

extension Vault {
    /// Every entry: the headers that open, sorted by the keys' bytes, and what could not be read.
    ///
    /// In an untouched place there is none.
    package func list() throws(VaultError) -> VaultListing {
        guard var opened = try openedForListing() else {
            return VaultListing(entries: [], keys: [], damaged: [])
        }
        for _ in 0..<Self.attemptLimit {
            if let listing = try list(opened) { return listing }
            opened = try self.opened(insteadOf: opened)
        }
        throw .busy(path: place.name)
    }

    /// The vault, also if it is rolled back: then an inventory is what one needs.
    private func openedForListing() throws(VaultError) -> OpenVault? {
        do {
            return try opened()
        } catch {
            guard case .rolledBack = error else { throw error }
            return try openedForInventory()
        }
    }

    /// The listing, or nil if the store was switched to another data key meanwhile.
    private func list(_ opened: OpenVault) throws(VaultError) -> VaultListing? {
        if let log = opened.store as? LogStore { return try list(opened, log) }
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

    /// The same of a log, whose listing is kept and brought up to date.
    private func list(_ opened: OpenVault, _ log: LogStore) throws(VaultError) -> VaultListing? {
        do {
            return try opened.listing.withLock {
                (cached: inout CachedListing) throws(VaultError) -> VaultListing? in
                guard try cached.update(opened, log) else { return nil }
                return VaultListing(
                    entries: cached.entries, keys: cached.keys, damaged: cached.damagedEntries,
                    isIncomplete: cached.isIncomplete)
            }
        } catch {
            switch error {
            case .vaultDamaged, .tampered, .rolledBack:
                if try opened.isCurrent() { throw error }
                return nil
            default: throw error
            }
        }
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
        let entries = found.map { $0.info }
        return VaultListing(entries: entries, keys: entries.map(\.key), damaged: damaged)
    }
}
