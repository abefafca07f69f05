import StrongroomSystem
import Synchronization

/// A store that seals another store: every entry under a data key, the data keys in a keyring under a master key
/// (ARCHITECTURE sections 5 and 6).
///
/// Making one touches nothing; the first use opens it. A read in an untouched place finds nothing, the first set
/// there makes master key, store and keyring. Any number of threads may use one, and any number of processes one
/// vault, also while one of them rotates it. Every call throws ``VaultError`` and then leaves things as they were,
/// unless it says otherwise.
package final class Vault: Sendable {
    let configuration: VaultConfiguration
    let place: any VaultPlace
    let keys: any KeyPlace
    let anchors: AnchorPlaces
    let state = Mutex(VaultState())

    /// A vault of that configuration.
    package init(_ configuration: VaultConfiguration) {
        self.configuration = configuration
        var container: Path?
        switch configuration.location {
        case .directory(let path):
            container = path
            place = DirectoryPlace(
                path: path, waitSeconds: configuration.waitSeconds,
                fileSystem: configuration.fileSystem)
        case .memory:
            place = MemoryPlace()
        }
        var keyFile: Path?
        switch configuration.masterKey {
        case .file(let path, let isCredential):
            keyFile = path
            keys = KeyFilePlace(
                path: path, isCredential: isCredential, container: container,
                fileSystem: configuration.fileSystem)
        case .text(let text, let name):
            keys = KeyTextPlace(text: text, name: name)
        case .memory:
            keys = MemoryKeyPlace()
        }
        anchors = AnchorPlaces(
            key: keyFile, state: configuration.stateDirectory,
            own: configuration.ownDirectories, fileSystem: configuration.fileSystem)
    }

    /// Runs `body` with everything locked that a long operation changes: first `job`, then the key's place.
    func exclusively<Result>(
        making: Bool = false, _ body: () throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        let seconds = configuration.waitSeconds
        return try place.holdingJob(making: making, waitSeconds: seconds) {
            () throws(VaultError) -> Result in
            try keys.holdingLock(making: making, waitSeconds: seconds, body)
        }
    }
}
