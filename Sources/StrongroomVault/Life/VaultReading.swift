import StrongroomCrypto
import StrongroomSystem

/// One reading of anchor, keyring, key and store, in this order.
struct VaultReading {
    let configuration: VaultConfiguration
    let place: any VaultPlace
    let keys: any KeyPlace
    let anchors: AnchorPlaces
    /// True if a passphrase may be asked for only to find that a key is the wrong one all the same.
    var triesEverything = true
    /// True if a vault that is older than what was seen is opened all the same, for reading.
    var acceptsRollback = false

    /// How often in a row a verdict must be given before it is believed: the first time, and three times again.
    private static let readingCount = 4

    /// A keyring that was opened, and what was read on the way.
    struct OpenedKeyring {
        let keyring: Keyring
        let masterKey: MasterKey
        let key: OpenVault.KeyInUse
        /// The anchor and what it said before, if the vault was known then.
        let anchored: (anchor: VaultAnchor, mark: AnchorMark)?
        /// The vault as this process had it open before.
        let seen: OpenVault?
    }

    /// The vault, or what can be said of it.
    func read(_ state: inout VaultState) throws(VaultError) -> Outcome<OpenVault, Verdict> {
        switch try readKeyring(&state) {
        case .failure(let verdict): return .failure(verdict)
        case .success(let opened):
            let reading = StoreReading(
                place: place, anchors: anchors, keyring: opened.keyring,
                anchored: opened.anchored, seen: opened.seen, acceptsRollback: acceptsRollback,
                readingCount: Self.readingCount)
            return try reading.read(opened.masterKey, opened.key)
        }
    }

    /// The first three of them: anchor, keyring and key.
    func readKeyring(
        _ state: inout VaultState
    ) throws(VaultError) -> Outcome<OpenedKeyring, Verdict> {
        let seen = state.opened
        // The anchor comes first: whatever is read after it is at least as new.
        let anchored = try readAnchor(seen)
        guard let file = try place.readKeyring() else {
            return .failure(try readTraces(anchored))
        }
        let wrapIDs: [[UInt8]]
        do {
            wrapIDs = try Keyring.wrapIDs(of: file.span, path: place.keyringName)
        } catch {
            return .failure(.failed(error))
        }
        let candidates = try keys.candidates()
        guard !candidates.isEmpty else {
            return .failure(.failed(.masterKeyMissing(path: keys.name)))
        }
        for candidate in candidates {
            guard let keyFile = candidate.sound, wrapIDs.contains(keyFile.keyID) else { continue }
            let masterKey = try open(candidate, keyFile, &state)
            let keyring: Keyring
            do {
                keyring = try Keyring(
                    opening: file.span, with: masterKey, path: place.keyringName)
            } catch {
                return .failure(.failed(error))
            }
            let key = OpenVault.KeyInUse(
                slot: candidate.slot, name: candidate.name, vaultID: keyFile.vaultID,
                isSealed: keyFile.isSealed)
            if let verdict = verdict(on: keyring, key) { return .failure(verdict) }
            return .success(
                OpenedKeyring(
                    keyring: keyring, masterKey: masterKey, key: key,
                    anchored: anchored?.anchor.vaultID == keyring.vaultID ? anchored : nil,
                    seen: seen?.keyring.vaultID == keyring.vaultID ? seen : nil))
        }
        return .failure(try misfit(of: candidates, file, &state))
    }

    /// The anchor of the vault that this process has seen here, or that the key file names, and what it says.
    private func readAnchor(
        _ seen: OpenVault?
    ) throws(VaultError) -> (anchor: VaultAnchor, mark: AnchorMark)? {
        if let anchor = seen?.anchor { return (anchor, try anchor.mark()) }
        guard place.keepsAnchors else { return nil }
        for candidate in try keys.candidates() {
            guard let vaultID = candidate.vaultID else { continue }
            let anchor = VaultAnchor(vaultID: vaultID, places: anchors)
            return (anchor, try anchor.mark())
        }
        return nil
    }

    /// The verdict on a place without a keyring.
    private func readTraces(
        _ anchored: (anchor: VaultAnchor, mark: AnchorMark)?
    ) throws(VaultError) -> Verdict {
        switch try place.traces() {
        case .none, .emptyStore:
            let paths =
                if let anchored { try anchored.anchor.paths() } else { try strayAnchors() }
            guard let path = paths.first else { return .untouched }
            return .failed(
                .rolledBack(
                    path: path.description, what: "there is an anchor and no keyring"))
        case .entries:
            return .failed(
                .vaultDamaged(path: place.name, what: "there are entries but no keyring"))
        }
    }

    /// Anchors of vaults that were here, where no key says which vault is meant.
    func strayAnchors() throws(VaultError) -> [Path] {
        guard place.keepsAnchors, try keys.candidates().isEmpty else { return [] }
        return try anchors.all()
    }

    /// What speaks against a keyring that was opened; nil if nothing does.
    private func verdict(on keyring: Keyring, _ key: OpenVault.KeyInUse) -> Verdict? {
        if configuration.checksApp, keyring.app != configuration.app {
            return .failed(.wrongApp(expected: configuration.app, found: keyring.app))
        }
        if let vaultID = key.vaultID, vaultID != keyring.vaultID {
            return .failed(
                .tampered(
                    path: place.keyringName,
                    what: "the keyring is that of another vault than the key file names"))
        }
        return nil
    }

    /// Why no key fits: it cannot be read, the keyring is damaged, or it is the wrong one.
    private func misfit(
        of candidates: [KeyCandidate], _ keyring: [UInt8], _ state: inout VaultState
    ) throws(VaultError) -> Verdict {
        for candidate in candidates {
            switch candidate.file {
            case .failure(let error):
                // A successor may be half written; what it is does not matter while the key itself can be read.
                if candidate.slot == .current || candidates.count == 1 {
                    return .failed(error, readingCount: Self.readingCount)
                }
            case .success(let keyFile):
                if keyFile.isSealed, state.passphrase == nil, !triesEverything { continue }
                do throws(VaultError) {
                    let masterKey = try open(candidate, keyFile, &state)
                    _ = try Keyring(
                        opening: keyring.span, with: masterKey, path: place.keyringName)
                } catch {
                    switch error {
                    case .wrongMasterKey, .wrongPassphrase, .passphraseMissing: continue
                    default: return .failed(error, readingCount: Self.readingCount)
                    }
                }
            }
        }
        return .failed(
            .wrongMasterKey(path: keys.name), readingCount: Self.readingCount)
    }

    /// The master key of a sound key file, with the passphrase that is at hand or is asked for now.
    func open(
        _ candidate: KeyCandidate, _ keyFile: MasterKeyFile, _ state: inout VaultState
    ) throws(VaultError) -> MasterKey {
        guard keyFile.isSealed, let text = candidate.text else {
            return try keyFile.open(passphrase: nil, path: candidate.name)
        }
        if let unsealed = state.unsealed,
            equalInConstantTime(unsealed.text.bytes, text.bytes)
        {
            return unsealed.key
        }
        if let kept = state.passphrase {
            do {
                let key = try keyFile.open(passphrase: kept, path: candidate.name)
                state.unsealed = VaultState.UnsealedKey(text: text, key: key)
                return key
            } catch {
                // The key may have got another passphrase since.
                guard case .wrongPassphrase = error else { throw error }
                state.forgetPassphrase()
            }
        }
        let passphrase = try askForPassphrase(path: candidate.name)
        let key = try keyFile.open(passphrase: passphrase, path: candidate.name)
        state.passphrase = passphrase
        state.unsealed = VaultState.UnsealedKey(text: text, key: key)
        return key
    }

    private func askForPassphrase(path: String) throws(VaultError) -> SecretKey {
        let passphrase: SecretKey?
        do {
            passphrase = try configuration.passphrase?()
        } catch let error as VaultError {
            throw error
        } catch {
            throw .passphraseMissing(path: path)
        }
        guard let passphrase else { throw .passphraseMissing(path: path) }
        return passphrase
    }
}
