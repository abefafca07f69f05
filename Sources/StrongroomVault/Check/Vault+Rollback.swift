import StrongroomStores
import StrongroomSystem
import Synchronization

extension Vault {
    /// Takes a vault that is older than what was seen for the newest from now on, at somebody's word: a backup was put
    /// back.
    ///
    /// Where there is an anchor and no keyring, the anchor goes, so that a vault can be made. What was written since
    /// the older state is not there, and nobody will say so again.
    ///
    /// - Returns: False if nothing was rolled back; then nothing is changed.
    @discardableResult
    package func acceptRollback() throws(VaultError) -> Bool {
        try exclusively { () throws(VaultError) -> Bool in
            do throws(VaultError) {
                guard let opened = try openedForInventory() else { return false }
                return try accept(opened)
            } catch {
                guard case .rolledBack = error else { throw error }
                // Where the keyring is gone there is nothing to be accepted but that.
                if try place.readKeyring() != nil { throw error }
            }
            try removeAnchors()
            return true
        }
    }

    private func accept(_ opened: OpenVault) throws(VaultError) -> Bool {
        guard opened.rollback != nil, let anchor = opened.anchor else { return false }
        var mark = AnchorMark(keyringGeneration: opened.keyring.generation)
        if let log = opened.store as? LogStore {
            do {
                // What is taken for the newest has to last before anybody relies on it.
                try log.syncState()
                mark.point = try log.point()
            } catch {
                throw VaultError(error)
            }
        }
        try place.syncKeyring()
        try anchor.replace(with: mark)
        // This process, too, forgets what it has seen.
        state.withLock { $0.opened = nil }
        _ = try openedForChange()
        return true
    }

    /// Removes the anchors by which a place without a keyring is known for one that had a vault.
    private func removeAnchors() throws(VaultError) {
        var paths = try reading.strayAnchors()
        for candidate in try keys.candidates() {
            guard let vaultID = candidate.vaultID else { continue }
            paths += try VaultAnchor(vaultID: vaultID, places: anchors).paths()
        }
        for path in paths {
            do {
                try configuration.fileSystem.unlink(path, at: nil)
            } catch {
                throw VaultError(error)
            }
        }
    }
}
