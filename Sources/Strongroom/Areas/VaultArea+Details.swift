import StrongroomVault

extension VaultArea {
    /// What an entry says of itself, or nil if there is none; its value is not read.
    ///
    /// - Parameter key: The entry's key.
    /// - Returns: The details, or nil.
    /// - Throws: ``StrongroomError``.
    public func details(of key: String) throws(StrongroomError) -> EntryDetails? {
        guard let info = try info(key) else { return nil }
        return EntryDetails(info)
    }

    /// What the vault holds, damage or not.
    ///
    /// - Parameter folder: As for ``keys(under:)``; nil means everything.
    /// - Returns: What can be read, and what cannot.
    /// - Throws: ``StrongroomError``.
    public func contents(under folder: String? = nil) throws(StrongroomError) -> VaultContents {
        let filter = try KeyFolder(folder)
        let listing: VaultListing
        do throws(VaultError) { listing = try vault.list() } catch { throw StrongroomError(error) }
        var entries: [EntryDetails] = []
        for info in listing.entries where filter.holds(Array(info.key.utf8)) {
            entries.append(EntryDetails(info))
        }
        var damagedKeys: [String] = []
        var unknownIDs: [String] = []
        for entry in listing.damaged {
            if let key = entry.key {
                if filter.holds(Array(key.utf8)) { damagedKeys.append(key) }
            } else {
                unknownIDs.append(entry.id)
            }
        }
        return VaultContents(entries: entries, damagedKeys: damagedKeys, unknownIDs: unknownIDs)
    }

    /// Stores exactly the secret's bytes, with attributes that are sealed like them.
    ///
    /// - Parameters:
    ///   - value: The secret.
    ///   - key: The entry's key.
    ///   - attributes: At most 4 KiB in all; they replace those that were there.
    /// - Throws: ``StrongroomError``; the old value stays.
    public func set(
        _ value: Secret, forKey key: String, attributes: [String: String]
    ) throws(StrongroomError) {
        let change = VaultChange.set(key: key, value: value.contents, attributes: attributes)
        do throws(VaultError) { try vault.commit([change], if: [:]) } catch {
            throw StrongroomError(error)
        }
    }
}
