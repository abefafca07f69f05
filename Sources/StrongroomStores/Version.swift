/// Tells one content of an entry from another.
///
/// Equal versions mean equal bytes. It survives the process.
public struct Version: Hashable, Sendable {
    /// The number; its order means nothing.
    public let number: UInt64
    /// A version of that number.
    public init(number: UInt64) { self.number = number }
}
