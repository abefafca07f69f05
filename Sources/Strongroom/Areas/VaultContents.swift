/// What a vault holds, as far as it can be read.
public struct VaultContents: Equatable, Sendable {
    /// The entries whose headers are sound, sorted by the bytes of their keys.
    public let entries: [EntryDetails]
    /// Keys of entries that are damaged and whose names could be read all the same.
    public let damagedKeys: [String]
    /// Ids, in hexadecimal digits, of damaged entries whose names cannot be read: `strongroom check
    /// --repair --drop id:HEX` gives one up.
    public let unknownIDs: [String]
}
