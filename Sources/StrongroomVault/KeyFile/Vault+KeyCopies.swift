package import StrongroomCrypto
package import StrongroomSystem
import Synchronization

// The master key's way out to an offline copy, and back.
extension Vault {
    /// The key file's text, for an offline copy: that of a sealed key is sealed, unless `plain`.
    ///
    /// `.masterKeyMissing` if there is none, `.wrongMasterKey` if the vault names another.
    package func exportKey(plain: Bool) throws(VaultError) -> SecretKey {
        let candidate = try keyInUse()
        guard plain else { return try candidate.exportedText() }
        let file = try candidate.keyFile()
        return try MasterKeyFile.text(
            of: try unsealed(candidate, file), vaultID: file.vaultID)
    }

    /// The id of the key in use, 32 hexadecimal digits; no passphrase is needed.
    package func masterKeyID() throws(VaultError) -> String {
        Hexadecimal.text(of: try keyInUse().keyFile().keyID)
    }

    /// Puts a copy of the key back in its place.
    ///
    /// Nothing is written if it does not open the vault that is there (`.wrongMasterKey`), if another file lies in its
    /// place (`.exists`; `force` replaces it), or if that belongs to another vault (`.exists`).
    package func importKey(text: SecretKey, force: Bool) throws(VaultError) {
        guard keys.isWritable else {
            throw .notPossible(
                what: "the master key comes from \(keys.name), which is not written here")
        }
        try exclusively(making: true) { () throws(VaultError) in
            try place.sweep()
            try keys.sweep()
            try finishKeyExchange()
            let copy = KeyCandidate(
                slot: .current, name: "the key given",
                text: SecretBytes(SecretBuffer(copying: text.bytes)))
            try importKey(copy, text, force: force)
            state.withLock { $0.opened = nil }
        }
    }

    private func importKey(
        _ copy: KeyCandidate, _ text: SecretKey, force: Bool
    ) throws(VaultError) {
        let file = try copy.keyFile()
        var text = text
        var vaultID = file.vaultID
        if let keyring = try place.readKeyring() {
            let masterKey = try unsealed(copy, file)
            let opened = try Keyring(
                opening: keyring.span, with: masterKey, path: place.keyringName)
            guard vaultID == nil || vaultID == opened.vaultID else {
                throw .wrongMasterKey(path: copy.name)
            }
            if vaultID == nil {
                vaultID = opened.vaultID
                let passphrase = file.isSealed ? try keptPassphrase(copy.name) : nil
                text = try keyText(
                    of: masterKey, vaultID: opened.vaultID, passphrase: passphrase)
            }
        }
        var isTaken = false
        for found in try keys.candidates() {
            if let other = found.vaultID, other != vaultID {
                throw .exists(path: found.name, what: "it is a key of another vault")
            }
            guard found.slot == .current else { continue }
            isTaken = true
            let isSame = found.sound?.keyID == file.keyID && found.sound?.isSealed == file.isSealed
            guard isSame || force else {
                throw .exists(path: found.name, what: "another key is in place")
            }
        }
        if isTaken { try keys.replace(text) } else { try keys.make(text) }
    }

    /// The key file that the vault names; without a vault the one that is there.
    private func keyInUse() throws(VaultError) -> KeyCandidate {
        var failure = VaultError.masterKeyMissing(path: keys.name)
        // Keyring and key are read in turn, and may be exchanged in between.
        for _ in 0..<4 {
            let keyring = try place.readKeyring()
            let candidates = try keys.candidates()
            guard let first = candidates.first else { continue }
            guard let keyring else { return first }
            let wrapIDs = try Keyring.wrapIDs(of: keyring.span, path: place.keyringName)
            for candidate in candidates {
                if let id = candidate.sound?.keyID, wrapIDs.contains(id) { return candidate }
            }
            switch first.file {
            case .success: failure = .wrongMasterKey(path: keys.name)
            case .failure(let error): failure = error
            }
        }
        throw failure
    }

    /// Makes a key file for a vault to be, 0600, and returns the key's id; `.exists` if there is a file, `.notPossible`
    /// where the successor of a key beside it goes.
    package static func newKeyFile(
        at path: Path, passphrase: SecretKey?, fileSystem: any FileSystem
    ) throws(VaultError) -> String {
        for suffix in [KeyFilePlace.nextSuffix, KeyFilePlace.temporarySuffix] {
            guard path.bytes.suffix(suffix.bytes.count) == suffix.bytes[...] else { continue }
            let key = Path(bytes: path.bytes.dropLast(suffix.bytes.count))
            let access = KeyFileAccess(isCredential: false, container: nil, fileSystem: fileSystem)
            guard try access.read(key, slot: .current) != nil else { continue }
            throw .notPossible(
                what: "\(path) is where the successor of \(key) goes; name another file")
        }
        let masterKey = try MasterKey.random()
        let text: SecretKey
        if let passphrase {
            text = try MasterKeyFile.sealedText(
                of: masterKey, vaultID: nil, passphrase: passphrase)
        } else {
            text = try MasterKeyFile.text(of: masterKey, vaultID: nil)
        }
        try NewKeyFile.write(text, at: path, fileSystem: fileSystem)
        return Hexadecimal.text(of: masterKey.id)
    }
}
