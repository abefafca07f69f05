import StrongroomCrypto
package import StrongroomStores
import Synchronization

extension Vault {
    /// Makes all of `changes`, or none.
    ///
    /// The first set in an untouched place makes the vault, unless the configuration forbids it (`.noVault`).
    ///
    /// - Parameters:
    ///   - changes: Sets and dels; of two for one key the later counts.
    ///   - conditions: For a key, the version that its entry must have (nil: it must be absent), else `.changed`.
    /// - Throws: ``VaultError``; nothing is changed then, but for `.outcomeUnknown`.
    package func commit(
        _ changes: [VaultChange], if conditions: [String: Version?]
    ) throws(VaultError) {
        for key in changes.map({ $0.key }) + conditions.keys where KeyText(key) == nil {
            throw .invalidKey(key: key)
        }
        guard var opened = try openedForWriting(changes, if: conditions) else { return }
        var damage: StoreError?
        for _ in 0..<Self.attemptLimit {
            let sealed = try SealedCommit(
                changes, if: conditions, in: opened, now: configuration.now())
            do {
                try opened.store.commit(
                    sealed.changes, if: sealed.conditions, owner: opened.current.owner)
                return
            } catch {
                guard Self.isVerdict(error, again: &damage) else {
                    throw VaultError(error, keys: sealed.keys)
                }
                opened = try reopenedForWriting(insteadOf: opened)
            }
        }
        throw .busy(path: place.name)
    }

    /// The vault, made if a set is to go into an untouched place; nil if there nothing has to be done.
    private func openedForWriting(
        _ changes: [VaultChange], if conditions: [String: Version?]
    ) throws(VaultError) -> OpenVault? {
        if try opened() != nil { return try openedForWriting() }
        for (key, version) in conditions where version != nil { throw .changed(key: key) }
        let isSetting = changes.contains {
            if case .set = $0 { true } else { false }
        }
        guard isSetting else { return nil }
        return try openedForWriting()
    }

    /// The vault, made if there is none.
    func openedForWriting() throws(VaultError) -> OpenVault {
        if let opened = try opened() {
            try refuseRollback(opened)
            try makeDurable(opened)
            return opened
        }
        guard configuration.createsVault else { throw .noVault(path: place.name) }
        let opened = try beginning(passphrase: nil)
        try makeDurable(opened)
        return opened
    }

    /// True if a commit that failed is to be tried once more with all read again: the store belongs to another data
    /// key by now, or is not what it was, which it is believed to be the second time it says so.
    static func isVerdict(_ error: StoreError, again damage: inout StoreError?) -> Bool {
        switch error {
        case .ownerChanged: return true
        case .absent, .storeDamaged, .tampered, .rolledBack:
            if damage == error { return false }
            damage = error
            return true
        default: return false
        }
    }

    /// The vault in the place of one whose store belongs to another data key by now.
    func reopenedForWriting(insteadOf stale: OpenVault) throws(VaultError) -> OpenVault {
        let opened = try self.opened(insteadOf: stale)
        try refuseRollback(opened)
        try makeDurable(opened)
        return opened
    }

    /// Makes sure, once, that the keyring which this process seals for outlasts a crash: who wrote it may have been
    /// killed before he synced its directory, and what is acknowledged would be gone with it.
    private func makeDurable(_ opened: OpenVault) throws(VaultError) {
        if opened.isDurable.withLock({ $0 }) { return }
        try place.syncKeyring()
        try opened.anchor?.catchUp(toKeyring: opened.keyring.generation)
        opened.isDurable.withLock { $0 = true }
    }
}
