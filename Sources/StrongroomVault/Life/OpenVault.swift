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
    /// Where its newest state is noted; nil in a layout that has no such place.
    let anchor: VaultAnchor?
    /// Why it is older than what was seen, if it is: then it is read and not written.
    let rollback: VaultError?
    /// The data key that seals the store's present generation.
    let current: DataKey
    /// True once this process has made sure that the keyring outlasts a crash.
    let isDurable = Mutex(false)
    /// The listing of a log as it was last asked for.
    let listing = Mutex(CachedListing())

    init(
        keyring: Keyring, masterKey: MasterKey, key: KeyInUse, store: any Store,
        anchor: VaultAnchor?, rollback: VaultError?, current: DataKey
    ) {
        self.keyring = keyring
        self.masterKey = masterKey
        self.key = key
        self.store = store
        self.anchor = anchor
        self.rollback = rollback
        self.current = current
    }

    /// False if the store was switched to another data key, or cannot say, since this was opened.
    func isCurrent() throws(VaultError) -> Bool {
        do {
            return try store.owner() == current.owner
        } catch {
            switch error {
            case .absent, .storeDamaged, .ownerChanged, .tampered, .rolledBack: return false
            default: throw VaultError(error)
            }
        }
    }
}
