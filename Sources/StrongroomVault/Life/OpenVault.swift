import StrongroomCrypto
import StrongroomStores
import Synchronization

/// A vault, opened: one state of keyring and key, and the store that went with it.
final class OpenVault: Sendable {
    /// The key file in use, without the key.
    struct KeyInUse: Sendable {
        let slot: KeyCandidate.Slot
        let name: String
        let vaultID: [UInt8]?
        let isSealed: Bool
    }

    let keyring: Keyring
    let masterKey: MasterKey
    let key: KeyInUse
    let store: any Store
    /// The data key that seals the store's present generation.
    let current: DataKey
    /// True once this process has made sure that the keyring outlasts a crash.
    let isDurable = Mutex(false)

    init(
        keyring: Keyring, masterKey: MasterKey, key: KeyInUse, store: any Store, current: DataKey
    ) {
        self.keyring = keyring
        self.masterKey = masterKey
        self.key = key
        self.store = store
        self.current = current
    }

    /// False if the store was switched to another data key, or cannot say, since this was opened.
    func isCurrent() throws(VaultError) -> Bool {
        do {
            return try store.owner() == current.owner
        } catch {
            switch error {
            case .absent, .storeDamaged: return false
            default: throw VaultError(error)
            }
        }
    }
}
