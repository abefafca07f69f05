import StrongroomCrypto
import StrongroomStores

// The steps are those of ARCHITECTURE section 6, by their numbers.
extension Vault {
    /// Gives the vault a new master key and a new data key, and seals every entry anew.
    ///
    /// Killed at any instant, or after a throw, it is run again and goes on from where it was; readers and writers
    /// need not stop. Entries that cannot be opened do not stop it: they are reported, and their bytes kept.
    /// `.exists` while a rotation is begun, `.notPossible` with a key that is not written here.
    package func rotate(_ options: RotationOptions) throws(VaultError) -> RotationReport {
        try refuseKeyInUse(options)
        return try exclusively { () throws(VaultError) -> RotationReport in
            let found = try openedForChange()
            switch found.keyring.state {
            case .begun, .finishing:
                throw .exists(
                    path: place.keyringName,
                    what: "a rotation was begun with --begin; run --finish or --abort")
            case .rotating:
                let old = try replacedKey(of: found)
                try keepOldKey(old, of: found, options)
                try options.checkCancelled()
                return try resealed(
                    try tidied(found), oldKeyID: old?.sound.map { Hexadecimal.text(of: $0.keyID) },
                    options)
            case .settled:
                guard keys.isWritable else { throw .keyIsNotWritable(keys.name) }
                return try start(try tidied(found), options)
            }
        }
    }

    /// Gives the vault a new master key and leaves data key and entries as they are: steps 1 to 3, in constant time.
    ///
    /// It ends no leak: who had the old key could hold the data key. `.exists` while any other rotation is under way.
    package func rewrap(_ options: RotationOptions) throws(VaultError) -> RotationReport {
        try refuseKeyInUse(options)
        return try exclusively { () throws(VaultError) -> RotationReport in
            guard keys.isWritable else { throw .keyIsNotWritable(keys.name) }
            let found = try openedForChange()
            guard found.keyring.state == .settled else {
                throw .exists(
                    path: place.keyringName, what: "a rotation is unfinished; finish it first")
            }
            let opened = try tidied(found)
            try refuseForeignKeys(opened)
            var keyring = opened.keyring
            keyring.generation += 1
            try keepOldKey(of: opened, options)
            let rewrapped = try exchangeKeys(opened, keyring)
            return RotationReport(
                entryCount: 0, oldKeyID: Hexadecimal.text(of: opened.masterKey.id),
                newKeyID: Hexadecimal.text(of: rewrapped.masterKey.id), damaged: [],
                wasResumed: false)
        }
    }

    /// A rotation from its first step on.
    private func start(
        _ opened: OpenVault, _ options: RotationOptions
    ) throws(VaultError) -> RotationReport {
        try refuseForeignKeys(opened)
        let keyring = try preparedForNext(opened)
        try keepOldKey(of: opened, options)
        let rotating = try exchangeKeys(opened, keyring)
        var report = try resealed(
            rotating, oldKeyID: Hexadecimal.text(of: opened.masterKey.id), options)
        report.wasResumed = false
        return report
    }

    /// The keyring with a next data key in it, state and generation moved on, once nothing stands against it.
    func preparedForNext(_ opened: OpenVault) throws(VaultError) -> Keyring {
        // Each reads all of the store, and neither waits for the other.
        _ = try Crew.map(2, size: 1) { (part) throws(VaultError) in
            if part.lowerBound == 0 {
                try self.refuseTampering(opened)
            } else {
                try self.refuseNewerEntries(opened)
            }
        }
        try refuseBusyStore(opened)
        var keyring = opened.keyring
        // With the one that may have to be retired now.
        guard keyring.retired.count + 2 <= Keyring.dataKeyCountLimit else {
            throw .notPossible(
                what: "the keyring is full of data keys kept for damaged entries; "
                    + "give those up with check --repair --drop")
        }
        keyring.next = try DataKey.random()
        keyring.state = .rotating
        keyring.generation += 1
        return keyring
    }

    /// Throws `.busy` if somebody keeps the store to himself: a rotation that would have to stop after its first steps is
    /// not begun.
    private func refuseBusyStore(_ opened: OpenVault) throws(VaultError) {
        do {
            try opened.store.commit([], if: [:], owner: opened.current.owner)
        } catch {
            throw VaultError(error)
        }
    }

    /// Throws `.tampered` or `.rolledBack` if a log is not what was written; damage does not stop a rotation.
    private func refuseTampering(_ opened: OpenVault) throws(VaultError) {
        guard let log = opened.store as? LogStore else { return }
        do {
            try log.verifyChain()
        } catch {
            throw VaultError(error)
        }
    }

    /// Steps 1 to 3 with that keyring: the new master key into `master.key.next`; the keyring under it alone; the
    /// key moved into its place.
    private func exchangeKeys(
        _ opened: OpenVault, _ keyring: Keyring
    ) throws(VaultError) -> OpenVault {
        // Who moved the key in use to its place may have been killed before that was durable. Its old name is written
        // to now, and a crash could bring back that write without the move.
        try keys.sync()
        try removeLeftoverKey(opened)
        let masterKey = try MasterKey.random()
        let passphrase = opened.key.isSealed ? try keptPassphrase(opened.key.name) : nil
        let text = try keyText(of: masterKey, vaultID: keyring.vaultID, passphrase: passphrase)
        let sealed = try keyring.sealed(for: [masterKey])
        do {
            try keys.makeNext(text)
        } catch {
            throw error.isRefusal ? .keyIsNotWritable(keys.name) : error
        }
        try place.replaceKeyring(sealed)
        try opened.anchor?.note(keyringGeneration: keyring.generation)
        try keys.moveNext()
        return try openedForChange()
    }

    /// Removes a `master.key.next` that the keyring does not name: somebody was killed in step 1.
    func removeLeftoverKey(_ opened: OpenVault) throws(VaultError) {
        for candidate in try keys.candidates() where candidate.slot == .next {
            if let id = candidate.sound?.keyID, opened.keyring.wrapIDs.contains(id) { continue }
            try keys.removeNext()
        }
    }
}
