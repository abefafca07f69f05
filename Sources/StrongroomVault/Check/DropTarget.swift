/// What a repair gives up.
package enum DropTarget: Sendable {
    /// An entry by its key.
    case key(String)
    /// An entry by its id in the store, 40 hexadecimal digits.
    case id(String)
    /// What was in ranges of a log that nobody can read any more: entries that they may have held are what they were
    /// before, or absent.
    case lost
}
