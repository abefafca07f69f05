import StrongroomStores

extension Vault {
    /// Steps 4 and 5, from where the store's owner says that they are: every entry under the next data key, then the
    /// keyring with that one alone.
    func resealed(
        _ opened: OpenVault, oldKeyID: String?, _ options: RotationOptions
    ) throws(VaultError) -> RotationReport {
        guard let next = opened.keyring.next else {
            throw .vaultDamaged(path: place.keyringName, what: "a rotation without a next data key")
        }
        var opened = opened
        var isComplete = false
        if opened.current.owner != next.owner {
            // Others may have been killed between moving the key and syncing its directory.
            try keys.sync()
            isComplete = try rewrite(opened, with: next, options)
            opened = try openedForChange()
        }
        guard opened.current.owner == next.owner else {
            throw .tampered(
                path: place.name, what: "the entries are not those that were just written")
        }
        try place.syncStore(opened.keyring.layout)
        let left = try LeftBehind(in: opened, isComplete: isComplete)
        var keyring = opened.keyring
        keyring.retired = left.dataKeys
        keyring.current = next
        keyring.next = nil
        keyring.state = .settled
        keyring.generation += 1
        try replaceKeyring(keyring, for: [opened.masterKey], anchor: opened.anchor)
        let settled = try openedForChange()
        return RotationReport(
            entryCount: left.resealedCount, oldKeyID: oldKeyID,
            newKeyID: Hexadecimal.text(of: settled.masterKey.id), damaged: left.damaged,
            wasResumed: true)
    }

    /// Step 4; true if every entry was opened.
    private func rewrite(
        _ opened: OpenVault, with next: DataKey, _ options: RotationOptions
    ) throws(VaultError) -> Bool {
        let resealing = EntryResealing(
            opened: opened, next: next, total: try opened.knownIDs().count, options: options)
        do {
            try opened.store.rewrite(owner: next.owner) { (id, reader, stage) in
                try resealing.rewrite(id, reader, stage)
            }
            return resealing.isComplete
        } catch let error as VaultError {
            throw error
        } catch let error as StoreError {
            throw VaultError(error)
        } catch {
            throw .vaultDamaged(path: place.name, what: "the store failed in a way unknown here")
        }
    }

    /// Throws `.newerFormat` if an entry is of one: what this version cannot read it does not begin to seal anew.
    func refuseNewerEntries(_ opened: OpenVault) throws(VaultError) {
        // Damage is carried over.
        _ = try opened.dataKeyIDs()
    }
}
