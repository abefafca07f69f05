/// An entry as it was read: its bytes and their version.
public struct StoredEntry: Equatable, Sendable {
    /// The payload.
    public let bytes: [UInt8]
    /// Which content this is.
    public let version: Version
    /// An entry of its parts.
    public init(bytes: [UInt8], version: Version) {
        self.bytes = bytes
        self.version = version
    }
}
