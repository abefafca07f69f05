import Strongroom
import StrongroomCrypto
import StrongroomSystem
import StrongroomVault

extension Session {
    /// The area that `--area` names, else the vault.
    func place() throws(Failure) -> any EntryPlace {
        guard let name = try invocation.text(.area) else { return try place(.vault) }
        return try place(AreaName.named(name, by: .area))
    }

    /// An area of this container.
    func place(_ area: AreaName) throws(Failure) -> any EntryPlace {
        switch area {
        case .vault:
            VaultPlace(
                vault: try openVault(), directory: try settings().directories.vault.path,
                failure: failure)
        case .storage: PlainPlace(area: area, store: try plainAreas().storage.store)
        case .cache: PlainPlace(area: area, store: try plainAreas().cache.store)
        case .temporary: PlainPlace(area: area, store: try plainAreas().temporary.store)
        }
    }

    /// The vault below another root, with the key beside it.
    func vaultPlace(below root: Path) throws(Failure) -> VaultPlace {
        try Settings.requireDirectory(root, fileSystem)
        let settings = try settings()
        let directories: AppDirectories
        do throws(DirectoryError) {
            directories = try AppDirectories.resolve(
                app: settings.app, root: root, environment: environment, executable: nil,
                fileSystem: fileSystem)
        } catch { throw Failure(error) }
        let vault = Vault(
            configuration(
                directories, masterKey: .file(directories.masterKey.path, isCredential: false),
                settings, try passphrases().ask))
        try open(vault)
        return VaultPlace(
            vault: vault, directory: directories.vault.path, failure: failure)
    }

    /// The plain areas; the vault beside them is not opened, and no key is asked for.
    private func plainAreas() throws(Failure) -> AppContainer {
        let settings = try settings()
        return AppContainer(
            package: settings.app, directories: settings.directories,
            vault: configuration(
                settings.directories,
                masterKey: .file(settings.directories.masterKey.path, isCredential: false),
                settings, nil),
            fileSystem: fileSystem)
    }

    /// How a vault in these directories is opened.
    func configuration(
        _ directories: AppDirectories, masterKey: MasterKeySource, _ settings: Settings,
        _ passphrase: (@Sendable () throws -> SecretKey?)?
    ) -> VaultConfiguration {
        var configuration = VaultConfiguration(
            app: settings.app, location: .directory(directories.vault.path),
            masterKey: masterKey, fileSystem: fileSystem, now: { Clock.now() })
        configuration.checksApp = settings.checksApp
        configuration.waitSeconds = settings.waitSeconds
        configuration.passphrase = passphrase
        return configuration
    }
}
