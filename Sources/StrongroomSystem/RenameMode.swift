/// How a rename treats a name that is there already.
package enum RenameMode: Sendable {
    /// It is replaced.
    case replace
    /// The call fails (`EEXIST`).
    case noReplace
    /// The two names change places.
    case exchange
}
