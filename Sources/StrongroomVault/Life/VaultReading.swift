import StrongroomCrypto
import StrongroomStores

/// One reading of keyring, key and store, in this order.
struct VaultReading {
    let configuration: VaultConfiguration
    let place: any VaultPlace
    let keys: any KeyPlace
    /// True if a passphrase may be asked for only to find that a key is the wrong one all the same.
    var triesEverything = true

    /// Which keys and stores fit together only four readings in a row decide: the first, and three again.
    private static let keyReadingCount = 4

    /// The vault, or what can be said of it.
    func read(_ state: inout VaultState) throws(VaultError) -> Result<OpenVault, Verdict> {
        guard let file = try place.readKeyring() else { return .failure(try readTraces()) }
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
            return try readStore(keyring, masterKey, key, seen: state.opened)
        }
        return .failure(try misfit(of: candidates, file, &state))
    }

    /// The verdict on a place without a keyring.
    private func readTraces() throws(VaultError) -> Verdict {
        switch try place.traces() {
        case .none, .emptyStore:
            return .untouched
        case .entries:
            return .failed(
                .vaultDamaged(path: place.name, what: "there are entries but no keyring"))
        }
    }

    /// The vault of a keyring that was opened, if the rest goes with it.
    private func readStore(
        _ keyring: Keyring, _ masterKey: MasterKey, _ key: OpenVault.KeyInUse, seen: OpenVault?
    ) throws(VaultError) -> Result<OpenVault, Verdict> {
        if configuration.checksApp, keyring.app != configuration.app {
            return .failure(
                .failed(.wrongApp(expected: configuration.app, found: keyring.app)))
        }
        if let vaultID = key.vaultID, vaultID != keyring.vaultID {
            return .failure(
                .failed(
                    .tampered(
                        path: place.keyringName,
                        what: "the keyring is that of another vault than the key file names")))
        }
        if let seen, seen.keyring.vaultID == keyring.vaultID,
            keyring.generation < seen.keyring.generation
        {
            return .failure(
                .failed(
                    .rolledBack(
                        path: place.keyringName,
                        what: "the keyring is older than the one that this process has seen")))
        }
        guard keyring.layout == .files else { throw .newerFormat(path: place.keyringName) }
        let store: any Store
        let owner: OwnerID?
        do {
            store = try place.openStore()
        } catch {
            return .failure(.failed(error))
        }
        do {
            owner = try store.owner()
        } catch {
            return .failure(.failed(VaultError(error)))
        }
        guard let current = keyring.dataKey(of: owner) else {
            return .failure(
                .failed(
                    .tampered(
                        path: place.name,
                        what: "the entries belong to a data key that the keyring does not hold"),
                    readingCount: Self.keyReadingCount))
        }
        return .success(
            OpenVault(
                keyring: keyring, masterKey: masterKey, key: key, store: store, current: current))
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
                    return .failed(error, readingCount: Self.keyReadingCount)
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
                    default: return .failed(error, readingCount: Self.keyReadingCount)
                    }
                }
            }
        }
        return .failed(
            .wrongMasterKey(path: keys.name), readingCount: Self.keyReadingCount)
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
