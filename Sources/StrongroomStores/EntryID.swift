/// The name of an entry in a store: any bytes, not empty.
///
/// A plain area's is its key's text in UTF-8 (normal form C), a vault's is 20 bytes that say nothing of the key.
public struct EntryID: Hashable, Comparable, Sendable {
    /// The bytes.
    public let bytes: [UInt8]
    /// An id of these bytes.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }
    /// Orders by unsigned bytes.
    public static func < (left: EntryID, right: EntryID) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}
