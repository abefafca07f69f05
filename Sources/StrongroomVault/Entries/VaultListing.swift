/// Every readable entry's header, sorted by the keys' bytes, and what could not be read.
package struct VaultListing: Sendable {
    /// The readable ones.
    package var entries: [EntryInfo]
    /// The others.
    package var damaged: [DamagedEntry]
}
