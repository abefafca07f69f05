/// An entry that a repair gives up.
package enum DropTarget: Sendable {
    /// By its key.
    case key(String)
    /// By its id in the store, 40 hexadecimal digits.
    case id(String)
}
