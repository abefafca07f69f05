import Synchronization

extension Vault {
    /// The vault as this process has it open, opened now if need be; nil in an untouched place.
    func opened() throws(VaultError) -> OpenVault? {
        try state.withLock { (state: inout VaultState) throws(VaultError) -> OpenVault? in
            if let opened = state.opened { return opened }
            guard configuration.readsRolledBack else { return try open(&state) }
            return try openForInventory(&state)
        }
    }

    /// The vault read anew, whatever this process has open; nil in an untouched place.
    func openedAnew() throws(VaultError) -> OpenVault? {
        try state.withLock { (state: inout VaultState) throws(VaultError) -> OpenVault? in
            try open(&state)
        }
    }

    /// The vault read anew, for who changes it and holds what he must; `.noVault` in an untouched place.
    func openedForChange() throws(VaultError) -> OpenVault {
        guard let opened = try openedAnew() else { throw .noVault(path: place.name) }
        return opened
    }

    /// The vault in the place of one whose store belongs to another data key by now, or is gone.
    func opened(insteadOf stale: OpenVault) throws(VaultError) -> OpenVault {
        let opened = try state.withLock {
            (state: inout VaultState) throws(VaultError) -> OpenVault? in
            if let opened = state.opened, opened !== stale { return opened }
            guard configuration.readsRolledBack else { return try open(&state) }
            return try openForInventory(&state)
        }
        guard let opened else { throw .noVault(path: place.name) }
        return opened
    }

    /// The vault read anew as it is, also if it is older than what was seen, for who takes stock of it or copies it;
    /// nil in an untouched place.
    func openedForInventory() throws(VaultError) -> OpenVault? {
        try state.withLock { (state: inout VaultState) throws(VaultError) -> OpenVault? in
            try openForInventory(&state)
        }
    }

    private func openForInventory(_ state: inout VaultState) throws(VaultError) -> OpenVault? {
        do {
            return try open(&state)
        } catch {
            guard case .rolledBack = error else { throw error }
            var reading = reading
            reading.acceptsRollback = true
            switch try reading.read(&state) {
            case .success(let opened): return opened
            case .failure(let verdict): throw verdict.error ?? error
            }
        }
    }

    /// A reading of this vault.
    var reading: VaultReading {
        VaultReading(configuration: configuration, place: place, keys: keys, anchors: anchors)
    }

    /// Reads until the vault is open, or readings in a row say the same.
    private func open(_ state: inout VaultState) throws(VaultError) -> OpenVault? {
        var reading = reading
        var last: Verdict?
        var count = 0
        // A vault that changes all the time is judged by the last reading.
        for _ in 0..<100 {
            switch try reading.read(&state) {
            case .success(let opened):
                state.opened = opened
                return opened
            case .failure(let verdict):
                count = verdict == last ? count + 1 : 1
                last = verdict
            }
            if let last, count >= last.readingCount { break }
            reading.triesEverything = false
        }
        if let error = last?.error { throw error }
        return nil
    }
}
