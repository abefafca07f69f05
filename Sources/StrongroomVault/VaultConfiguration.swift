package import StrongroomCrypto
package import StrongroomSystem

/// What a vault is made of; making one touches no file.
package struct VaultConfiguration: Sendable {
    /// The app the vault belongs to.
    package var app: String
    /// False where only a root was given: then a vault of any app opens.
    package var checksApp = true
    /// False where only a vault that is there may be written: then the first write in an untouched place
    /// throws `noVault`.
    package var createsVault = true
    /// Where keyring and entries are.
    package var location: VaultLocation
    /// Where the master key comes from.
    package var masterKey: MasterKeySource
    /// Asked once when a sealed key file has to be opened; nil if no passphrase can be had.
    ///
    /// It is kept, in locked memory, to open the key's successor.
    package var passphrase: (@Sendable () throws -> SecretKey?)?
    /// How a vault that is made keeps its entries; one that is there has its own way.
    package var layout = VaultLayout.log
    /// The app's own directory of state (`$XDG_STATE_HOME/<app>`), where a vault's newest state is noted if that
    /// cannot be done beside its key; nil if there is none.
    package var stateDirectory: Path?
    /// Directories in which nothing but this vault's own is noted: an anchor there, with no keyring and no key, is that
    /// of a vault which is gone.
    package var ownDirectories: [Path] = []
    /// True for who takes an inventory, or a copy, of a vault that is older than what was seen: it is read all the
    /// same, and not written.
    package var readsRolledBack = false
    /// How long a lock is waited for, in seconds.
    package var waitSeconds: Double = 10
    /// Where files are.
    package var fileSystem: any FileSystem
    /// Nanoseconds since 1970.
    package var now: @Sendable () -> Int64

    /// What a passphrase costs to try, in key files that are written.
    var passphraseCost = PasswordHash.Cost.written

    /// A configuration of what has no default.
    package init(
        app: String, location: VaultLocation, masterKey: MasterKeySource,
        fileSystem: any FileSystem,
        now: @escaping @Sendable () -> Int64
    ) {
        self.app = app
        self.location = location
        self.masterKey = masterKey
        self.fileSystem = fileSystem
        self.now = now
    }
    /// A vault that lives in memory with its key: for tests and previews.
    package static func inMemory(
        app: String, fileSystem: any FileSystem, now: @escaping @Sendable () -> Int64
    ) -> VaultConfiguration {
        VaultConfiguration(
            app: app, location: .memory, masterKey: .memory, fileSystem: fileSystem, now: now)
    }
}
