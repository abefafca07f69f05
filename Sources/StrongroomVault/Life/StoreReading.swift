import StrongroomStores

/// The last step of a ``VaultReading``: the store of a keyring that was opened, and whether both are the newest.
struct StoreReading {
    let place: any VaultPlace
    let anchors: AnchorPlaces
    let keyring: Keyring
    /// The vault's anchor and what it said before the keyring was read, if the vault was known then.
    let anchored: (anchor: VaultAnchor, mark: AnchorMark)?
    /// The same vault as this process had it open before.
    let seen: OpenVault?
    let acceptsRollback: Bool
    let readingCount: Int

    /// The vault, or what can be said of it.
    func read(
        _ masterKey: MasterKey, _ key: OpenVault.KeyInUse
    ) throws(VaultError) -> Outcome<OpenVault, Verdict> {
        let anchor = keyring.layout == .log && place.keepsAnchors ? self.anchor : nil
        var rollback = try keyringRollback(anchor)
        if let rollback, !acceptsRollback { return .failure(failed(rollback)) }
        var opening = StoreOpening(keyring, anchor: anchor)
        if let log = seen?.store as? LogStore { opening.seen = log.seen }
        let store: any Store
        let owner: OwnerID?
        do throws(VaultError) {
            store = try open(opening, &rollback)
            do {
                owner = try store.owner()
            } catch {
                throw VaultError(error)
            }
        } catch {
            return .failure(failed(error))
        }
        guard let current = keyring.dataKey(of: owner) else {
            return .failure(
                failed(
                    .tampered(
                        path: place.name,
                        what: "the entries belong to a data key that the keyring does not hold")))
        }
        return .success(
            OpenVault(
                keyring: keyring, masterKey: masterKey, key: key, store: store, anchor: anchor,
                rollback: rollback, current: current))
    }

    private var anchor: VaultAnchor {
        seen?.anchor ?? anchored?.anchor ?? VaultAnchor(vaultID: keyring.vaultID, places: anchors)
    }

    private func failed(_ error: VaultError) -> Verdict {
        .failed(error, readingCount: readingCount)
    }

    /// Why the keyring is older than what was seen, nil if it is not.
    private func keyringRollback(_ anchor: VaultAnchor?) throws(VaultError) -> VaultError? {
        if let seen, keyring.generation < seen.keyring.generation {
            return .rolledBack(
                path: place.keyringName,
                what: "the keyring is older than the one that this process has seen")
        }
        guard let anchor else { return nil }
        let mark: AnchorMark
        if let anchored { mark = anchored.mark } else { mark = try anchor.mark() }
        guard keyring.generation < mark.keyringGeneration else { return nil }
        return .rolledBack(
            path: place.keyringName, what: "the keyring is older than this machine has noted")
    }

    /// The store; an older one than what was seen only if that is accepted, and then `rollback` says why.
    private func open(
        _ opening: StoreOpening, _ rollback: inout VaultError?
    ) throws(VaultError) -> any Store {
        guard acceptsRollback else { return try place.openStore(opening) }
        do {
            return try place.openStore(opening)
        } catch {
            guard case .rolledBack = error else { throw error }
            if rollback == nil { rollback = error }
        }
        var accepting = opening
        accepting.acceptsRollback = true
        return try place.openStore(accepting)
    }
}
