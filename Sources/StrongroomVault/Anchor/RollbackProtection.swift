/// Whether an older copy of a vault would be told from the newest.
package enum RollbackProtection: Sendable, Equatable {
    /// Where the newest state is noted.
    case anchor(path: String)
    /// Where it was to be noted; what is there is older than the vault: who wrote last was killed just then, could not
    /// write there, or lost power. The next write that can notes it.
    case behind(path: String)
    /// It is noted nowhere, and why.
    case none(reason: String)
}
