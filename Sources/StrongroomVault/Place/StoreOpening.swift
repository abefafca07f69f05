import StrongroomStores

/// How the store of a vault is to be opened, as its keyring says.
struct StoreOpening {
    /// Which store.
    let layout: Keyring.Layout
    /// What verifies a log.
    let keys: VaultLogKeys
    /// Where its newest commit is noted.
    let anchor: VaultAnchor?
    /// The newest generation and commit of it that this process has seen.
    var seen = LogSeen()
    /// True if a log that is older than that is read all the same.
    var acceptsRollback = false

    /// The opening that goes with a keyring.
    init(_ keyring: Keyring, anchor: VaultAnchor?) {
        layout = keyring.layout
        keys = VaultLogKeys(keyring)
        self.anchor = anchor
    }
}
