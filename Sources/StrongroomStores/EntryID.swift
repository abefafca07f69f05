import StrongroomSystem

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
        Bytes.order(left.bytes.span, right.bytes.span) < 0
    }
    /// True if the bytes are the same.
    public static func == (left: EntryID, right: EntryID) -> Bool {
        Bytes.areEqual(left.bytes.span, right.bytes.span)
    }
    /// Hashes 8 bytes at a time: an id is hashed at every read.
    public func hash(into hasher: inout Hasher) {
        let span = bytes.span
        var offset = 0
        while offset + 8 <= bytes.count {
            hasher.combine(Bytes.number(span, at: offset))
            offset += 8
        }
        while offset < bytes.count {
            hasher.combine(bytes[offset])
            offset += 1
        }
        hasher.combine(bytes.count)
    }
}
