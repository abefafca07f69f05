import StrongroomCrypto
import StrongroomStores

// Reading. Nothing is written, not even in an untouched place.
extension Vault {
    /// How often a call begins anew because others switch the store to another data key under it.
    static let attemptLimit = 100

    /// The value and version of the entry of `key`, or nil if there is none.
    package func read(_ key: String) throws(VaultError) -> OpenedEntry? {
        try find(key) { (opened: OpenVault, name: EntryName) throws(VaultError) -> OpenedEntry? in
            guard let stored = try opened.read(name.id, key: key) else { return nil }
            let value = try SealedEntry.openValue(
                stored.bytes.span, key: key, name: name, with: opened.current)
            return OpenedEntry(value: value, version: stored.version)
        }
    }

    /// What the header of the entry of `key` says, or nil if there is none.
    package func info(_ key: String) throws(VaultError) -> EntryInfo? {
        try find(key) { (opened: OpenVault, name: EntryName) throws(VaultError) -> EntryInfo? in
            guard let reader = try opened.open(name.id, key: key) else { return nil }
            return try opened.info(reader, name.id, key: key)
        }
    }

    /// True if there is an entry of `key`; it is not opened.
    package func contains(_ key: String) throws(VaultError) -> Bool {
        let found = try find(key) {
            (opened: OpenVault, name: EntryName) throws(VaultError) -> Bool? in
            try opened.open(name.id, key: key) == nil ? nil : true
        }
        return found ?? false
    }

    /// What `look` finds in the vault as it is.
    ///
    /// A miss, and damage, are believed only if the store still belongs to the data key that was looked with;
    /// else all is read again. A miss is none if the entry's bytes are kept under a data key that is retired:
    /// then it is damaged.
    func find<Found: ~Copyable>(
        _ key: String, _ look: (OpenVault, EntryName) throws(VaultError) -> Found?
    ) throws(VaultError) -> Found? {
        guard let text = KeyText(key) else { throw .invalidKey(key: key) }
        guard var opened = try opened() else { return nil }
        var suspicion: VaultError?
        for _ in 0..<Self.attemptLimit {
            let name = try EntryName(text, under: opened.current)
            var failure: VaultError?
            do {
                if let found = try look(opened, name) { return found }
            } catch {
                switch error {
                case .damaged, .vaultDamaged, .tampered, .rolledBack: failure = error
                default: throw error
                }
            }
            if try opened.isCurrent() {
                if let failure {
                    let cause = try opened.cause(of: failure, name.id, name: key)
                    // It may have got another content in between.
                    if case .tampered = cause, cause != suspicion {
                        suspicion = cause
                        continue
                    }
                    throw cause
                }
                guard try opened.unopenedIDs(of: key).isEmpty else { throw .damaged(key: key) }
                return nil
            }
            opened = try self.opened(insteadOf: opened)
        }
        throw .busy(path: place.name)
    }
}
