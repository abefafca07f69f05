import StrongroomCrypto
import StrongroomSystem

/// The second master key of `rotate --begin`: from its file, which is made if it is absent.
struct BegunKey {
    let path: Path
    let vault: Vault
    let opened: OpenVault

    private var fileSystem: any FileSystem { vault.configuration.fileSystem }
    private var vaultID: [UInt8] { opened.keyring.vaultID }

    /// The key, durable in its file, which does not name the vault yet.
    ///
    /// One that does was a key of this vault before: nothing that a rotation made may be sealed under it.
    func masterKey() throws(VaultError) -> MasterKey {
        try vault.refuseKeyInUse(at: path)
        let target = try KeyFileLink.end(of: path, fileSystem: fileSystem)
        let access = KeyFileAccess(isCredential: false, container: nil, fileSystem: fileSystem)
        if let candidate = try access.read(target, slot: .current) {
            return try found(candidate, at: target)
        }
        let masterKey = try MasterKey.random()
        let passphrase = opened.key.isSealed ? try vault.keptPassphrase(opened.key.name) : nil
        try NewKeyFile.write(
            try vault.keyText(of: masterKey, vaultID: nil, passphrase: passphrase), at: target,
            fileSystem: fileSystem)
        return masterKey
    }

    /// True if the file holds the keyring's second key.
    func isSecond() throws(VaultError) -> Bool {
        let target = try KeyFileLink.end(of: path, fileSystem: fileSystem)
        let access = KeyFileAccess(isCredential: false, container: nil, fileSystem: fileSystem)
        guard let id = try access.read(target, slot: .current)?.sound?.keyID else { return false }
        return id != opened.masterKey.id && opened.keyring.wrapIDs.contains(id)
    }

    /// The keyring names the key; now its file names the vault.
    func nameVault() throws(VaultError) {
        let target = try KeyFileLink.end(of: path, fileSystem: fileSystem)
        let access = KeyFileAccess(isCredential: false, container: nil, fileSystem: fileSystem)
        guard let candidate = try access.read(target, slot: .current) else {
            throw .masterKeyMissing(path: path.description)
        }
        let file = try candidate.keyFile()
        let masterKey = try vault.unsealed(candidate, file)
        let passphrase = file.isSealed ? try vault.keptPassphrase(candidate.name) : nil
        let place = KeyFilePlace(
            path: target, isCredential: false, container: nil, fileSystem: fileSystem)
        try place.replace(
            try vault.keyText(of: masterKey, vaultID: vaultID, passphrase: passphrase))
    }

    /// The key in a file that is there, if it may be the one.
    private func found(
        _ candidate: KeyCandidate, at target: Path
    ) throws(VaultError) -> MasterKey {
        let file = try candidate.keyFile()
        guard !opened.keyring.wrapIDs.contains(file.keyID) else {
            throw .notPossible(what: "\(path) holds the key in use; a new one is needed")
        }
        guard file.vaultID == nil else {
            throw .exists(
                path: candidate.name,
                what: file.vaultID == vaultID
                    ? "it was a key of this vault before; a new one is needed"
                    : "it is a key of another vault")
        }
        guard file.isSealed || !opened.key.isSealed else {
            throw .notPossible(
                what: "the key in use has a passphrase and the one in \(path) has none; "
                    + "give it one, or name a file that is not there")
        }
        let masterKey = try vault.unsealed(candidate, file)
        let place = KeyFilePlace(
            path: target, isCredential: false, container: nil, fileSystem: fileSystem)
        try place.sync()
        return masterKey
    }
}
