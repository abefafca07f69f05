/// Every readable entry's header, sorted by the keys' bytes, and what could not be read.
package struct VaultListing: Sendable {
    /// The readable ones.
    package var entries: [EntryInfo]
    /// Their keys, in the same order.
    package var keys: [String]
    /// The others.
    package var damaged: [DamagedEntry]
    /// True if a part of a log was lost: there may be entries of which nothing is known.
    package var isIncomplete = false
}
