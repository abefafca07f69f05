import StrongroomStores

// Giving up what is damaged for good.
extension Vault {
    /// Removes a damaged entry; then data keys that were kept for it alone leave the keyring.
    func drop(_ target: DropTarget, from opened: OpenVault) throws(VaultError) {
        let ids: [EntryID]
        let name: String
        switch target {
        case .lost:
            return try dropLost(from: opened)
        case .key(let key):
            name = key
            ids = [try opened.current.name(key).id] + (try opened.unopenedIDs(of: key))
        case .id(let digits):
            name = "id:" + digits
            guard let bytes = Hexadecimal.decode(Array(digits.utf8).span),
                bytes.count == EntryName.idByteCount
            else { throw .notPossible(what: "\(name) is no id of an entry: 40 digits 0-9, a-f") }
            ids = [EntryID(bytes)]
        }
        let check = EntryCheck(opened: opened)
        var changes: [StoreChange] = []
        for id in ids {
            guard let isSound = try check.isSound(id) else { continue }
            guard !isSound else {
                throw .notPossible(what: "\(name) is sound; del removes it")
            }
            changes.append(.remove(id))
        }
        guard !changes.isEmpty else { throw .noEntry(key: name) }
        do {
            try opened.store.commit(changes, if: [:], owner: opened.current.owner)
        } catch {
            throw VaultError(error)
        }
        try dropDataKeys(from: opened)
    }

    /// Gives up what was in lost ranges of a log.
    private func dropLost(from opened: OpenVault) throws(VaultError) {
        do {
            guard let log = opened.store as? LogStore, try log.hasLoss() else {
                throw VaultError.notPossible(what: "no part of the vault is lost")
            }
            try log.dropLost()
        } catch let error as StoreError {
            throw VaultError(error)
        } catch let error as VaultError {
            throw error
        } catch {
            throw .vaultDamaged(path: place.name, what: "the store failed in a way unknown here")
        }
    }

    /// Writes the keyring without the retired data keys that no entry needs any more, if there are such.
    private func dropDataKeys(from opened: OpenVault) throws(VaultError) {
        // A second master key's wrap cannot be written anew with the first.
        guard opened.keyring.state == .settled, !opened.keyring.retired.isEmpty else { return }
        let needed = try LeftBehind(in: opened).dataKeys
        guard needed.count < opened.keyring.retired.count else { return }
        var keyring = opened.keyring
        keyring.retired = needed
        keyring.generation += 1
        try replaceKeyring(keyring, for: [opened.masterKey], anchor: opened.anchor)
        _ = try openedForChange()
    }
}
