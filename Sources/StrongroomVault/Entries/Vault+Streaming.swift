import StrongroomCrypto
package import StrongroomStores

// Values larger than memory.
extension Vault {
    /// The value of `key`, piece by piece; nil if there is none.
    ///
    /// What is read is one content of the entry, whatever is committed meanwhile.
    package func pieces(_ key: String) throws(VaultError) -> (any VaultPieces)? {
        try find(key) {
            (opened: OpenVault, name: EntryName) throws(VaultError) -> (any VaultPieces)? in
            guard let reader = try opened.open(name.id, key: key) else { return nil }
            let source = ReaderSource(reader: reader, key: key, id: name.id)
            let opening = try EntryOpening(source, id: name.id, key: key, with: opened.current)
            return StoredPieces(opening, version: try reader.version(name.id, key: key))
        }
    }

    /// Seals what `body` writes and publishes it when that returns; if it throws, no entry changes.
    ///
    /// In an untouched place the vault is made first. If a rotation ends meanwhile, the sealed bytes are opened and
    /// sealed again: `body` runs once.
    ///
    /// - Parameters:
    ///   - key: The entry's key.
    ///   - attributes: At most 4 KiB.
    ///   - times: For a copy that keeps them; else it is set now.
    ///   - condition: The version that the entry must have (`.some(nil)`: it must be absent), else `.changed`.
    ///   - body: Gives the value to the writer, which is of no use afterwards.
    /// - Throws: ``VaultError``, or what `body` throws.
    package func write(
        _ key: String, attributes: [String: String], times: EntryTimes? = nil,
        if condition: Version??,
        _ body: (any VaultWriter) throws -> Void
    ) throws {
        guard KeyText(key) != nil else { throw VaultError.invalidKey(key: key) }
        let opened = try openedForWriting()
        let writer = try staged(key, attributes: attributes, times: times, in: opened)
        try body(writer)
        try writer.finish()
        try publish(writer.payload, key, if: condition, sealedIn: opened)
    }

    private func staged(
        _ key: String, attributes: [String: String], times: EntryTimes?, in opened: OpenVault
    ) throws(VaultError) -> StagedWriter {
        let name = try opened.current.name(key)
        let now = configuration.now()
        let found = try opened.created(name, key: key)
        let times = EntryTimes.sealed(times, found: found, now: now)
        let payload = try opened.stage()
        let sealing = try EntrySealing(
            key: key, name: name, created: times.created, modified: times.modified,
            attributes: attributes, with: opened.current, into: StagedEntry(payload))
        return StagedWriter(sealing, into: payload)
    }

    /// Commits a payload that was sealed in `opened`, sealed again for as long as that is late.
    private func publish(
        _ payload: any StagedPayload, _ key: String, if condition: Version??,
        sealedIn opened: OpenVault
    ) throws(VaultError) {
        var opened = opened
        var payload = payload
        var damage: StoreError?
        for _ in 0..<Self.attemptLimit {
            let name = try opened.current.name(key)
            let unopened = try opened.unopenedIDs(of: key)
            var conditions: [EntryID: Version?] = [:]
            if let condition {
                conditions.updateValue(condition, forKey: name.id)
                if condition == nil, !unopened.isEmpty { throw .damaged(key: key) }
            }
            let changes = [.put(name.id, .staged(payload))] + unopened.map(StoreChange.remove)
            do {
                try opened.store.commit(changes, if: conditions, owner: opened.current.owner)
                return
            } catch {
                guard Self.isVerdict(error, again: &damage) else {
                    throw VaultError(error, keys: [name.id: key])
                }
            }
            let late = opened
            opened = try reopenedForWriting(insteadOf: late)
            guard opened.current.owner != late.current.owner else { continue }
            payload = try sealedAgain(payload, key, from: late, in: opened)
        }
        throw .busy(path: place.name)
    }

    /// The same value, sealed in `opened` under a fresh nonce.
    private func sealedAgain(
        _ payload: any StagedPayload, _ key: String, from late: OpenVault, in opened: OpenVault
    ) throws(VaultError) -> any StagedPayload {
        var opening = try EntryOpening(
            try StagedEntry(written: payload), id: try late.current.name(key).id, key: key,
            with: late.current)
        let again = try opened.stage()
        try StagedEntry(again).seal(
            &opening, key: key, try opened.current.name(key), with: opened.current)
        return again
    }
}
