import StrongroomStores

extension Vault {
    /// What the vault says of itself; `.noVault` in an untouched place.
    package func status() throws(VaultError) -> VaultStatus {
        let opened = try openedForChange()
        var byteCount: Int64 = 0
        var entryCount = 0
        for id in try opened.ids() {
            guard let reader = try opened.open(id) else { continue }
            entryCount += 1
            byteCount += reader.byteCount
        }
        return VaultStatus(
            vaultID: Hexadecimal.text(of: opened.keyring.vaultID), app: opened.keyring.app,
            keyID: Hexadecimal.text(of: opened.masterKey.id), keySource: opened.key.name,
            isSealed: opened.key.isSealed, layout: "files", format: 1,
            keyringGeneration: opened.keyring.generation, rotation: opened.rotationState,
            entryCount: entryCount, byteCount: byteCount)
    }
}

extension Vault {
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
