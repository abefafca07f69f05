package import StrongroomCrypto

// The first opening: key file, empty store, keyring, in this order, each synced (ARCHITECTURE section 5).
extension Vault {
    /// Makes the vault and says what it is; `.exists` if there is one.
    ///
    /// With a passphrase the key file is sealed. A key that lies there alone is used. A throw leaves a beginning,
    /// which the next call goes on with.
    package func create(passphrase: SecretKey?) throws(VaultError) -> VaultStatus {
        if let passphrase, passphrase.byteCount == 0 {
            throw .notPossible(what: "an empty passphrase protects nothing; give one")
        }
        try checkBeginning()
        _ = try exclusively(making: true) { () throws(VaultError) -> OpenVault in
            guard try place.readKeyring() == nil, try openedAnew() == nil else {
                if let opened = try lastStep(passphrase: passphrase) { return opened }
                throw .exists(path: place.name, what: "there is a vault already")
            }
            return try makeVault(passphrase: passphrase)
        }
        return try status()
    }

    /// Does what is left of a beginning that failed, or was killed, when all but its note in the anchor stood; nil if
    /// there is a vault that somebody has begun to use.
    private func lastStep(passphrase: SecretKey?) throws(VaultError) -> OpenVault? {
        let opened: OpenVault
        let anchor: VaultAnchor
        do {
            opened = try openedForChange()
            guard let found = opened.anchor, opened.keyring.generation == 1,
                opened.keyring.state == .settled,
                opened.key.isSealed == (passphrase != nil), try opened.knownIDs().isEmpty,
                try found.mark().isEmpty
            else { return nil }
            anchor = found
        } catch {
            // Whatever is wrong with it, it is a vault that is there.
            return nil
        }
        try place.syncKeyring()
        try anchor.note(keyringGeneration: opened.keyring.generation)
        return opened
    }

    /// The vault, made unless somebody else made it first.
    func beginning(passphrase: SecretKey?) throws(VaultError) -> OpenVault {
        try checkBeginning()
        return try exclusively(making: true) { () throws(VaultError) -> OpenVault in
            guard let found = try openedAnew() else {
                return try makeVault(passphrase: passphrase)
            }
            return try tidied(found)
        }
    }

    /// True if there is a vault, or entries of one, whoever can open it; no key is read and no passphrase asked for.
    package func exists() throws(VaultError) -> Bool {
        if try place.readKeyring() != nil { return true }
        switch try place.traces() {
        case .none, .emptyStore: return false
        case .entries: return true
        }
    }

    /// Throws if the store cannot be kept here, or no key is there and none can be made: before a directory is made for nothing.
    private func checkBeginning() throws(VaultError) {
        guard try place.readKeyring() == nil else { return }
        try place.checkSuitable(place.layout(configuration.layout))
        guard try keys.candidates().isEmpty else { return }
        try keys.checkMaking()
    }

    /// Makes what is missing of a vault in an untouched place, or in one that a beginner left.
    private func makeVault(passphrase: SecretKey?) throws(VaultError) -> OpenVault {
        try place.sweep()
        try keys.sweep()
        let (masterKey, vaultID) = try firstKey(passphrase: passphrase)
        let dataKey = try DataKey.random()
        let keyring = Keyring(
            vaultID: vaultID, app: configuration.app,
            layout: place.layout(configuration.layout), current: dataKey)
        try place.createStore(StoreOpening(keyring, anchor: nil), owner: dataKey.owner)
        try place.replaceKeyring(try keyring.sealed(for: [masterKey]))
        let opened = try openedForChange()
        do {
            try opened.anchor?.note(keyringGeneration: keyring.generation)
        } catch {
            // There is nothing older that could be put in its place, and the first writer notes it.
        }
        return opened
    }

    /// The key that is there, else a new one; and the vault's id, the one that the key file names if it names one.
    private func firstKey(
        passphrase: SecretKey?
    ) throws(VaultError) -> (masterKey: MasterKey, vaultID: [UInt8]) {
        let candidates = try keys.candidates()
        for candidate in candidates where candidate.slot == .next {
            throw .exists(
                path: candidate.name,
                what: "it is to replace the master key of another vault, or of one that was here")
        }
        if let candidate = candidates.first {
            return try loneKey(candidate, passphrase: passphrase)
        }
        // Where a store is there was a key, which has to be found.
        guard keys.isWritable, case .none = try place.traces() else {
            throw .masterKeyMissing(path: keys.name)
        }
        let vaultID = try Self.freshVaultID()
        let masterKey = try MasterKey.random()
        try keys.make(
            try keyText(of: masterKey, vaultID: vaultID, passphrase: passphrase))
        return (masterKey, vaultID)
    }

    /// A key that lies there alone.
    ///
    /// It gets the vault's id if it has none, and a passphrase if one is wanted.
    private func loneKey(
        _ candidate: KeyCandidate, passphrase wanted: SecretKey?
    ) throws(VaultError) -> (masterKey: MasterKey, vaultID: [UInt8]) {
        let file = try candidate.keyFile()
        let vaultID: [UInt8]
        if let named = file.vaultID { vaultID = named } else { vaultID = try Self.freshVaultID() }
        let (masterKey, passphrase) = try open(candidate, file, wanted: wanted)
        let isToBeSealed = wanted != nil && !file.isSealed
        guard file.vaultID == nil || isToBeSealed else {
            try keys.sync()
            return (masterKey, vaultID)
        }
        do {
            try keys.replace(
                try keyText(of: masterKey, vaultID: vaultID, passphrase: passphrase))
        } catch {
            // Where it cannot be written the key does without the id, but not without the passphrase.
            guard !isToBeSealed, !keys.isWritable || error.isRefusal else { throw error }
            try keys.sync()
        }
        return (masterKey, vaultID)
    }

    /// The key in `file`, and the passphrase that its successor in this place is to be sealed with.
    private func open(
        _ candidate: KeyCandidate, _ file: MasterKeyFile, wanted: SecretKey?
    ) throws(VaultError) -> (masterKey: MasterKey, passphrase: SecretKey?) {
        guard let wanted else {
            let masterKey = try unsealed(candidate, file)
            return (masterKey, file.isSealed ? try keptPassphrase(candidate.name) : nil)
        }
        do {
            return (try file.open(passphrase: wanted, path: candidate.name), wanted)
        } catch {
            guard case .wrongPassphrase = error else { throw error }
            throw .exists(
                path: candidate.name, what: "a key lies there that has another passphrase")
        }
    }

    private static func freshVaultID() throws(VaultError) -> [UInt8] {
        do {
            return try Randomness.bytes(MasterKeyFile.vaultIDByteCount)
        } catch {
            throw VaultError(error, path: "")
        }
    }
}
