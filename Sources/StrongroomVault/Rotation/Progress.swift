/// How far a long operation has come.
package struct Progress: Sendable {
    /// Entries done.
    package var done: Int
    /// Entries in all.
    package var total: Int
}
