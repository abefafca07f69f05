import StrongroomCrypto
import StrongroomSystem

// `--keep-old-key`: backups that were made before need it.
extension Vault {
    /// The key file that a rotation replaces which is found between steps 2 and 5; nil if that was done.
    func replacedKey(of found: OpenVault) throws(VaultError) -> KeyCandidate? {
        guard found.key.slot == .next else { return nil }
        return try keys.candidates().first { $0.slot == .current }
    }

    /// The same of a rotation that has replaced nothing yet, and a last chance to stop it.
    func keepOldKey(
        of opened: OpenVault, _ options: RotationOptions
    ) throws(VaultError) {
        let old = try keys.candidates().first { $0.slot == opened.key.slot }
        try keepOldKey(old, of: opened, options)
        try options.checkCancelled()
    }

    /// Writes the text of the old key where the caller wants it, before it is gone.
    ///
    /// The file must be absent (`.exists`), unless an interrupted call has put the old key there already.
    func keepOldKey(
        _ old: KeyCandidate?, of opened: OpenVault, _ options: RotationOptions
    ) throws(VaultError) {
        guard let path = options.keepOldKey, try !isOldKey(old, of: opened, keptAt: path) else {
            return
        }
        guard let old else {
            throw .notPossible(
                what: "an interrupted rotation has replaced the old key already; "
                    + "run it without --keep-old-key")
        }
        try NewKeyFile.write(
            try old.exportedText(), at: path, fileSystem: configuration.fileSystem)
    }

    /// Throws what ``keepOldKey(of:_:)`` would before it writes.
    func refuseKeeping(
        of opened: OpenVault, _ options: RotationOptions
    ) throws(VaultError) {
        guard let path = options.keepOldKey else { return }
        let old = try keys.candidates().first { $0.slot == opened.key.slot }
        _ = try isOldKey(old, of: opened, keptAt: path)
    }

    /// True if an interrupted call has put the old key there; `.exists` if something else is.
    private func isOldKey(
        _ old: KeyCandidate?, of opened: OpenVault, keptAt path: Path
    ) throws(VaultError) -> Bool {
        let access = KeyFileAccess(
            isCredential: false, container: nil, fileSystem: configuration.fileSystem)
        guard let found = try access.read(path, slot: .current) else { return false }
        guard let kept = found.sound, kept.vaultID == opened.keyring.vaultID,
            old?.sound.map({ $0.keyID == kept.keyID })
                ?? !opened.keyring.wrapIDs.contains(kept.keyID)
        else { throw .exists(path: path.description, what: "a file is there already") }
        return true
    }
}
