import StrongroomStores
package import StrongroomSystem
package import StrongroomVault

/// Everything that one app keeps: five areas with one interface.
///
/// ```swift
/// let app = try AppContainer("com.example.notes")
/// try app.storage.set([1, 2, 3], forKey: "arr")
/// try app.vault.set(Secret(line), forKey: "github/token")
/// ```
///
/// Making one touches no file and needs no key; each area is opened at its first use, and reading
/// in an untouched place finds nothing and makes nothing.
public struct AppContainer: Sendable {
    /// The app's id.
    public let app: String
    /// Files shipped with the app, to be read.
    public let assets: AssetsArea
    /// Plain and permanent.
    public let storage: PlainArea
    /// Plain, and may vanish.
    public let cache: PlainArea
    /// Plain, and gone with the session.
    public let temporary: PlainArea
    /// Secret and permanent.
    public let vault: VaultArea
    /// Where the areas are; nil in memory.
    package let directories: AppDirectories?

    /// The container of an app, in the directories of systemd, else of the XDG specification, or
    /// below one directory.
    ///
    /// - Parameters:
    ///   - app: The app's id: `[A-Za-z0-9][A-Za-z0-9._-]*`, at most 128 characters.
    ///   - root: Everything but the assets is kept below this directory; nil: the platform's
    ///     directories. A relative one is taken from the working directory as it is now.
    ///   - assets: The directory of the assets; nil: `assets` beside the executable.
    ///   - masterKey: Where the vault's master key is.
    ///   - layout: How the vault keeps its entries, if it is made by this container.
    ///   - passphrase: Asked once, when a sealed master key has to be opened; nil if there is none
    ///     to be had. What it throws counts as none.
    ///   - waitSeconds: How long a lock is waited for before a call is
    ///     ``StrongroomError/busy(at:)``.
    /// - Throws: ``StrongroomError/invalidApp(app:)``; ``StrongroomError/notPossible(what:)`` if no
    ///   directories can be found.
    public init(
        _ app: String, root: String? = nil, assets: String? = nil,
        masterKey: MasterKeyChoice = .standard, layout: VaultLayout = .log,
        passphrase: (@Sendable () throws -> Secret?)? = nil, waitSeconds: Double = 10
    ) throws(StrongroomError) {
        let fileSystem = RealFileSystem()
        var directories: AppDirectories
        do throws(DirectoryError) {
            directories = try AppDirectories.resolve(
                app: app, root: root.map { Path($0) }, environment: .current,
                executable: Executable.path(fileSystem), fileSystem: fileSystem)
        } catch { throw StrongroomError(error) }
        if let assets {
            guard let path = WorkingDirectory.absolute(Path(assets)) else {
                throw .notPossible(what: "the working directory is gone: give a whole path")
            }
            directories.assets = AppDirectories.Place(path: path, rule: "the directory given")
        }
        var configuration = VaultConfiguration(
            app: app, location: .directory(directories.vault.path),
            masterKey: try masterKey.source(in: directories), fileSystem: fileSystem,
            now: { Clock.now() })
        configuration.passphrase = passphrase.map(PassphraseSource.init)?.function
        configuration.layout = layout.configured
        configuration.waitSeconds = waitSeconds
        configuration.noteState(in: directories)
        self.init(
            package: app, directories: directories, vault: configuration, fileSystem: fileSystem)
    }

    /// The container of `app` in directories that are known, with a vault that is configured.
    package init(
        package app: String, directories: AppDirectories, vault configuration: VaultConfiguration,
        fileSystem: any FileSystem
    ) {
        self.app = app
        self.directories = directories
        let wait = configuration.waitSeconds
        assets = AssetsArea(directories.assets?.path, fileSystem: fileSystem)
        storage = PlainArea(
            directories.storage.path, isDurable: true, waitSeconds: wait, fileSystem)
        cache = PlainArea(directories.cache.path, isDurable: false, waitSeconds: wait, fileSystem)
        temporary = PlainArea(
            directories.temporary.path, isDurable: false, waitSeconds: wait,
            isShared: directories.temporaryIsShared, fileSystem)
        vault = VaultArea(Vault(configuration))
    }

    private init(inMemory app: String, assets: AssetsArea) {
        self.app = app
        self.assets = assets
        directories = nil
        storage = PlainArea(FolderedMemoryStore())
        cache = PlainArea(FolderedMemoryStore())
        temporary = PlainArea(FolderedMemoryStore())
        vault = VaultArea(
            Vault(
                .inMemory(app: app, fileSystem: RealFileSystem(), now: { Clock.now() })))
    }

    /// A container that touches no disk and is gone with its last copy: for tests and previews.
    ///
    /// Its areas behave as on a disk, and its vault seals as on a disk.
    ///
    /// - Parameters:
    ///   - app: The app's id.
    ///   - assets: The files that `assets` has, by their keys.
    /// - Returns: The container.
    /// - Throws: ``StrongroomError/invalidApp(app:)``, or ``StrongroomError/invalidKey(key:)`` of
    ///   an asset.
    public static func inMemory(
        _ app: String, assets: [String: [UInt8]] = [:]
    ) throws(StrongroomError) -> AppContainer {
        guard AppID.isValid(app) else { throw .invalidApp(app: app) }
        return AppContainer(inMemory: app, assets: try AssetsArea(assets))
    }
}
