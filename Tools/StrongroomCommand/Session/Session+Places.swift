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

    /// The same for who only looks what is there.
    func placeForInventory() throws(Failure) -> any EntryPlace {
        let area = try invocation.text(.area).map { name throws(Failure) in
            try AreaName.named(name, by: .area)
        }
        guard area == nil || area == .vault else { return try place() }
        return try place(of: vaultForInventory())
    }

    private func place(of vault: Vault) throws(Failure) -> VaultPlace {
        VaultPlace(
            vault: vault, directory: try settings().directories.vault.path, failure: failure)
    }

    /// An area of this container.
    func place(_ area: AreaName) throws(Failure) -> any EntryPlace {
        switch area {
        case .vault: try place(of: openVault())
        case .storage: PlainPlace(area: area, store: try plainAreas().storage.store)
        case .cache: PlainPlace(area: area, store: try plainAreas().cache.store)
        case .temporary: PlainPlace(area: area, store: try plainAreas().temporary.store)
        }
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
        configuration.noteState(in: directories)
        return configuration
    }
}
