/// Whether an older copy of a vault would be told from the newest.
package enum RollbackProtection: Sendable, Equatable {
    /// Where the newest state is noted.
    case anchor(path: String)
    /// It is noted nowhere, and why.
    case none(reason: String)
}
