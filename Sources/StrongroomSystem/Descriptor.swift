/// An open file or directory as the `FileSystem` that opened it numbers it.
package struct Descriptor: Hashable, Sendable {
    /// The number.
    package let number: Int32
    /// A descriptor of that number.
    package init(number: Int32) { self.number = number }
}
