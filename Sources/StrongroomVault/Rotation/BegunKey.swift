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
        let target = try KeyFileLink.end(of: path, fileSystem: fileSystem)
        try refuseKeyInUse(target)
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

    /// The keyring names the key; now its file names the vault.
    func nameVault() throws(VaultError) {
        let target = try KeyFileLink.end(of: path, fileSystem: fileSystem)
        let access = KeyFileAccess(isCredential: false, container: nil, fileSystem: fileSystem)
        guard let candidate = try access.read(target, slot: .current) else {
            throw .masterKeyMissing(path: path.description)
        }
        let file = try candidate.file.get()
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
        let file = try candidate.file.get()
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

    /// Throws if the file at `target` is the key in use, or where its successor will be.
    private func refuseKeyInUse(_ target: Path) throws(VaultError) {
        guard case .file(let used, _) = vault.configuration.masterKey else { return }
        let inUse = try KeyFileLink.end(of: used, fileSystem: fileSystem)
        for taken in [inUse, inUse.with(KeyFilePlace.nextSuffix)] {
            guard try isSame(target, taken) else { continue }
            throw .notPossible(
                what: "\(path) is the key in use, or where its successor goes; name another file")
        }
    }

    /// True if both paths name one place, whether a file is there or not.
    private func isSame(_ left: Path, _ right: Path) throws(VaultError) -> Bool {
        if left == right { return true }
        guard left.lastComponent == right.lastComponent else { return false }
        do {
            let one = try fileSystem.status(left.parent, at: nil, followLink: true)
            let other = try fileSystem.status(right.parent, at: nil, followLink: true)
            return one.device == other.device && one.inode == other.inode
        } catch {
            if error.code == ErrorCode.noEntry { return false }
            throw VaultError(error)
        }
    }
}
