import Synchronization

extension Vault {
    /// The vault as this process has it open, opened now if need be; nil in an untouched place.
    func opened() throws(VaultError) -> OpenVault? {
        try state.withLock { (state: inout VaultState) throws(VaultError) -> OpenVault? in
            if let opened = state.opened { return opened }
            return try open(&state)
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
            return try open(&state)
        }
        guard let opened else { throw .noVault(path: place.name) }
        return opened
    }

    /// Reads until the vault is open, or readings in a row say the same.
    private func open(_ state: inout VaultState) throws(VaultError) -> OpenVault? {
        var reading = VaultReading(configuration: configuration, place: place, keys: keys)
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
