import StrongroomStores
import Synchronization

extension Vault {
    /// What the vault says of itself, also if it is rolled back; `.noVault` in an untouched place.
    package func status() throws(VaultError) -> VaultStatus {
        guard let opened = try openedForInventory() else { throw .noVault(path: place.name) }
        let usage = try opened.usage()
        return VaultStatus(
            vaultID: Hexadecimal.text(of: opened.keyring.vaultID), app: opened.keyring.app,
            keyID: Hexadecimal.text(of: opened.masterKey.id), keySource: opened.key.name,
            isSealed: opened.key.isSealed, layout: VaultLayout(opened.keyring.layout).rawValue,
            format: 1, keyringGeneration: opened.keyring.generation,
            rotation: opened.rotationState, entryCount: usage.entryCount,
            byteCount: usage.byteCount, garbageByteCount: usage.garbageByteCount,
            rollbackProtection: try opened.rollbackProtection(),
            isRolledBack: opened.rollback != nil)
    }
}

extension OpenVault {
    /// Whether the newest state is noted; of one that is rolled back, where a newer one is.
    fileprivate func rollbackProtection() throws(VaultError) -> RollbackProtection {
        guard let anchor else { return .none(reason: "the layout of files does not notice it") }
        var newest = AnchorMark()
        if rollback == nil, let log = store as? LogStore {
            newest.keyringGeneration = keyring.generation
            do { newest.point = try log.point() } catch { throw VaultError(error) }
        }
        return try anchor.protection(ofNewest: newest)
    }

    /// Entries, their bytes, and what holds nothing any more.
    fileprivate func usage() throws(VaultError) -> (
        entryCount: Int, byteCount: Int64, garbageByteCount: Int64
    ) {
        if let log = store as? LogStore {
            do {
                let usage = try log.usage()
                return (usage.entryCount, usage.byteCount, usage.garbageByteCount)
            } catch {
                throw VaultError(error)
            }
        }
        var entryCount = 0
        var byteCount: Int64 = 0
        for id in try ids() {
            guard let reader = try open(id) else { continue }
            entryCount += 1
            byteCount += reader.byteCount
        }
        return (entryCount, byteCount, 0)
    }
}

extension Vault {
    /// Why what this process wrote last was not noted in the anchor, which so lags behind it until a later write can;
    /// nil if it was, or if the vault has nowhere to note it.
    package var anchorFailure: String? { state.withLock { $0.opened?.anchor?.failure } }

    /// Where the vault stands between two master keys, opened now if need be; nil in an untouched place.
    package func rotationState() throws(VaultError) -> RotationState? {
        try opened()?.rotationState
    }
}

extension OpenVault {
    /// Where the vault stands between two master keys.
    var rotationState: RotationState {
        switch keyring.state {
        case .begun: .begun
        case .rotating, .finishing: .unfinished
        case .settled: key.slot == .next ? .unfinished : .none
        }
    }
}
