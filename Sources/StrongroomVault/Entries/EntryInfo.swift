package import StrongroomStores

/// What a header says of an entry.
package struct EntryInfo: Sendable, Equatable {
    /// The key, in normal form C.
    package var key: String
    /// Bytes of the value.
    package var byteCount: UInt64
    /// When an entry of that key was first set, nanoseconds since 1970.
    package var created: Int64
    /// When this one was set, nanoseconds since 1970.
    package var modified: Int64
    /// At most 4 KiB of names and texts.
    package var attributes: [String: String]
    /// Which content of the entry this is.
    package var version: Version

    /// An info of all its fields.
    package init(
        key: String, byteCount: UInt64, created: Int64, modified: Int64,
        attributes: [String: String], version: Version
    ) {
        self.key = key
        self.byteCount = byteCount
        self.created = created
        self.modified = modified
        self.attributes = attributes
        self.version = version
    }
}
