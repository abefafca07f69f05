/// Where an app's files are (ARCHITECTURE, section 4).
///
/// Resolving makes nothing; it looks only whether systemd gave a credential.
package struct AppDirectories: Equatable, Sendable {
    /// A file or directory, and why it is there.
    package struct Place: Equatable, Sendable {
        /// An absolute path.
        package var path: Path
        /// The variable or default that chose it, for people: `$XDG_DATA_HOME`, `~/.cache`.
        package var rule: String
        /// A place.
        package init(path: Path, rule: String) {
            self.path = path
            self.rule = rule
        }
    }

    /// The directory of plain permanent values.
    package var storage: Place
    /// The directory of the vault.
    package var vault: Place
    /// The master-key file.
    package var masterKey: Place
    /// True if the key is one of systemd's credentials, which group may read and nobody writes.
    package var masterKeyIsCredential: Bool
    /// `$XDG_STATE_HOME/<app>`, or below `$HOME`: where a vault's newest state is noted if that cannot be done beside
    /// its key; nil if neither variable is set.
    package var state: Path?
    /// True if all but the assets is below one directory that was given.
    package var isBelowRoot: Bool
    /// The directory of what may vanish.
    package var cache: Place
    /// The directory of what goes with the session.
    package var temporary: Place
    /// True if `temporary` lies where anybody may make files: it is made by `DirectoryMaker.ensurePrivate`.
    package var temporaryIsShared: Bool
    /// The directory of files shipped with the app; nil if the executable's place is not known.
    package var assets: Place?

    /// The directories of `app`, or below `root`.
    ///
    /// systemd's variables come first (of several paths the first), then those of the XDG base directory
    /// specification, then its defaults. A variable that is empty or relative is ignored. `homeDirectory` is asked
    /// only if one of those defaults is needed and `HOME` is unset, empty or relative. A relative `root` is taken
    /// from the working directory as it is now.
    package static func resolve(
        app: String, root: Path?, environment: Environment, executable: Path?,
        fileSystem: any FileSystem = RealFileSystem(),
        homeDirectory: @escaping (UInt32) -> Path? = UserDatabase.homeDirectory(of:)
    ) throws(DirectoryError) -> AppDirectories {
        guard AppID.isValid(app) else { throw .invalidApp(app) }
        let assets = executable.map {
            Place(path: $0.parent.appending("assets"), rule: "beside the executable")
        }
        let state = stateDirectory(app, environment)
        if let root { return try below(root, assets: assets, state: state) }
        let finder = PlaceFinder(
            app: Path(app), environment: environment, homeDirectory: homeDirectory)
        let data = try finder.find("STATE_DIRECTORY", else: "XDG_DATA_HOME", or: ".local/share")
        let temporary = finder.temporary()
        let credential = finder.credential(fileSystem)
        let masterKey: Place
        if let credential {
            masterKey = credential
        } else {
            masterKey = try finder.find(
                "CONFIGURATION_DIRECTORY", else: "XDG_CONFIG_HOME", or: ".config"
            ).appending("master.key")
        }
        return AppDirectories(
            storage: data.appending("storage"), vault: data.appending("vault"),
            masterKey: masterKey, masterKeyIsCredential: credential != nil, state: state,
            isBelowRoot: false,
            cache: try finder.find("CACHE_DIRECTORY", else: "XDG_CACHE_HOME", or: ".cache"),
            temporary: temporary.place, temporaryIsShared: temporary.isShared, assets: assets)
    }

    private static func stateDirectory(_ app: String, _ environment: Environment) -> Path? {
        let home = environment.absolutePath("HOME").map { $0.appending(".local/state") }
        return (environment.absolutePath("XDG_STATE_HOME") ?? home)?.appending(Path(app))
    }

    private static func below(
        _ root: Path, assets: Place?, state: Path?
    ) throws(DirectoryError) -> AppDirectories {
        guard !root.isInvalid, let whole = WorkingDirectory.absolute(root) else {
            throw .invalidRoot(root.description)
        }
        let place = Place(path: whole, rule: "the root given")
        return AppDirectories(
            storage: place.appending("storage"), vault: place.appending("vault"),
            masterKey: place.appending("master.key"), masterKeyIsCredential: false,
            state: state, isBelowRoot: true, cache: place.appending("cache"),
            temporary: place.appending("temporary"),
            temporaryIsShared: false, assets: assets)
    }
}

extension AppDirectories.Place {
    /// What is called `name` in this directory, chosen by the same rule.
    func appending(_ name: Path) -> Self {
        Self(path: path.appending(name), rule: rule)
    }
}
