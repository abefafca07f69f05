import StrongroomSystem
import StrongroomVault

extension Session {
    /// The vault below another root, with the key beside it, to copy the entries of `source` into.
    ///
    /// A passphrase that was named serves for both keys; a person is asked for each.
    func vaultPlace(
        below root: Path, copying source: any EntryPlace
    ) throws(Failure) -> VaultPlace {
        var settings = try settings()
        let directories: AppDirectories
        do throws(DirectoryError) {
            directories = try AppDirectories.resolve(
                app: settings.app, root: root, environment: environment, executable: nil,
                fileSystem: fileSystem)
        } catch { throw Failure(error) }
        // Where no app was named, the copy belongs to the app that the entries belong to.
        if !settings.checksApp, let source = source as? VaultPlace, !isUntouched(source) {
            settings.app = try source.status().app
        }
        let key = directories.masterKey.path
        let passphrases = try passphrases(of: key)
        let vault = Vault(
            configuration(
                directories, masterKey: .file(key, isCredential: false), settings,
                passphrases.ask))
        let failure = { (error: VaultError) -> Failure in
            if case .wrongApp(let expected, let found) = error {
                return Failure(
                    .wrongKey, root.description,
                    "the vault there belongs to the app \(Escaping.shown(found)), and the entries to "
                        + Escaping.shown(expected), advice: "name another directory")
            }
            return self.failure(error, passphrases)
        }
        if try open(vault, passphrases, failure) == .unfinished {
            console.note(
                "a rotation is unfinished in \(Escaping.shown(directories.vault.path.description)); "
                    + "strongroom rotate finishes it")
        }
        return VaultPlace(vault: vault, directory: directories.vault.path, failure: failure)
    }

    /// What the vault whose key is at `key` gets its passphrase from.
    private func passphrases(of key: Path) throws(Failure) -> PassphraseProvider {
        let shared = try passphrases()
        guard shared.asksPeople else { return shared }
        return try PassphraseProvider(
            nil, secrets, prompt: "Passphrase of \(Escaping.shown(key.description)): ")
    }
}
