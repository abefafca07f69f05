import StrongroomStores
import StrongroomSystem
import Synchronization

/// A vault's keyring and store in memory.
final class MemoryPlace: VaultPlace {
    private struct Contents: Sendable {
        var keyring: [UInt8]?
        var store: MemoryStore?
    }

    private let contents = Mutex(Contents())
    /// True while somebody holds `job`.
    private let job = Monitor(false)

    var name: String { "memory" }
    var keyringName: String { "memory" }
    var keepsAnchors: Bool { false }

    func readKeyring() throws(VaultError) -> [UInt8]? { contents.withLock { $0.keyring } }

    func replaceKeyring(_ bytes: [UInt8]) throws(VaultError) {
        contents.withLock { $0.keyring = bytes }
    }

    func syncKeyring() throws(VaultError) {}
    func syncStore(_ layout: Keyring.Layout) throws(VaultError) {}
    func layout(_ wanted: VaultLayout) -> Keyring.Layout { .files }
    func checkSuitable(_ layout: Keyring.Layout) throws(VaultError) {}

    func traces() throws(VaultError) -> VaultTraces {
        guard let store = contents.withLock({ $0.store }) else { return .none }
        do {
            return try store.ids().isEmpty ? .emptyStore : .entries
        } catch {
            throw VaultError(error)
        }
    }

    func openStore(_ opening: StoreOpening) throws(VaultError) -> any Store {
        guard let store = contents.withLock({ $0.store }) else {
            throw .tampered(path: name, what: "the entries are gone")
        }
        return store
    }

    func createStore(_ opening: StoreOpening, owner: OwnerID) throws(VaultError) {
        contents.withLock { $0.store = MemoryStore(owner: owner) }
    }

    func holdingJob<Result>(
        making: Bool, waitSeconds: Double, _ body: () throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        let deadline = Clock.deadline(afterSeconds: waitSeconds)
        do {
            try job.waitForLock(Path(name), until: deadline) { isHeld -> Void? in
                guard !isHeld else { return nil }
                isHeld = true
                return ()
            }
        } catch {
            throw VaultError(error)
        }
        defer { job.change { $0 = false } }
        return try body()
    }

    func sweep() throws(VaultError) {}
    func sweepLeftovers(_ store: any Store, thoroughly: Bool) throws(VaultError) {}
    func leftovers(_ store: any Store) throws(VaultError) -> [String] { [] }
    func modes(repairing: Bool) throws(VaultError) -> [CheckReport.Finding] { [] }
    func misplaced(repairing: Bool) throws(VaultError) -> [CheckReport.Finding] { [] }
}
