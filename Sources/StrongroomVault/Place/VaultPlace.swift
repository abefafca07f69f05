import StrongroomStores
import StrongroomSystem

/// Where a vault's keyring and store are, and the lock that keeps two long operations apart.
///
/// Reading needs no lock. Who replaces the keyring or makes a store holds `job`; each change is durable when
/// its call returns.
protocol VaultPlace: Sendable {
    /// For messages.
    var name: String { get }
    /// The keyring, for messages.
    var keyringName: String { get }

    /// True if the newest state of what is here can be noted outside.
    var keepsAnchors: Bool { get }

    /// The keyring's bytes, or nil if there is none.
    func readKeyring() throws(VaultError) -> [UInt8]?
    /// Replaces the keyring in one step.
    func replaceKeyring(_ bytes: [UInt8]) throws(VaultError)
    /// Makes the keyring durable that is there: it may have been left by somebody who was killed before he did.
    func syncKeyring() throws(VaultError)
    /// The same of which generation of the store is the current one.
    func syncStore(_ layout: Keyring.Layout) throws(VaultError)
    /// The layout that a store here has, if one of `wanted` is to be made.
    func layout(_ wanted: VaultLayout) -> Keyring.Layout
    /// Throws `.notPossible`, with advice, if a store of that layout cannot be kept here; nothing is made.
    func checkSuitable(_ layout: Keyring.Layout) throws(VaultError)
    /// What there is of a store in a place without a keyring.
    func traces() throws(VaultError) -> VaultTraces
    /// The store; none, or one of another layout, is `.tampered`.
    func openStore(_ opening: StoreOpening) throws(VaultError) -> any Store
    /// Makes an empty store, in the place of another empty one perhaps.
    func createStore(_ opening: StoreOpening, owner: OwnerID) throws(VaultError)
    /// Runs `body` with `job` held; `.busy` if that takes longer than `waitSeconds`. `making` makes the vault's
    /// directory first, without it an absent one is not locked.
    func holdingJob<Result>(
        making: Bool, waitSeconds: Double, _ body: () throws(VaultError) -> Result
    ) throws(VaultError) -> Result
    /// Removes a keyring that a killed process left half written.
    func sweep() throws(VaultError)
    /// Removes what killed processes left of rotations beside `store`; `thoroughly`, also what the next writer would
    /// sweep.
    func sweepLeftovers(_ store: any Store, thoroughly: Bool) throws(VaultError)
    /// What that would remove, for messages.
    func leftovers(_ store: any Store) throws(VaultError) -> [String]
    /// Files and directories of ours whose modes are wrong; `repairing` sets them right.
    func modes(repairing: Bool) throws(VaultError) -> [CheckReport.Finding]
    /// What is no file in the place of a lock, or of the index; `repairing` removes what holds nothing.
    func misplaced(repairing: Bool) throws(VaultError) -> [CheckReport.Finding]
}

/// What there is of a store in a place without a keyring.
enum VaultTraces: Sendable {
    /// Nothing.
    case none
    /// A store without entries: with a key, an unfinished beginning.
    case emptyStore
    /// Entries.
    case entries
}
