/// An entry held open: one content, whatever is committed meanwhile.
public protocol EntryReader: Sendable {
    /// Bytes of the payload.
    var byteCount: Int64 { get }
    /// Which content this is. A store that hashes contents reads the whole payload for the first answer.
    var version: Version { get throws(StoreError) }
    /// `count` bytes at `offset`; `.damaged` if the store has fewer.
    func read(at offset: Int64, count: Int) throws(StoreError) -> [UInt8]
    /// When this content was written, in nanoseconds since 1970; nil in a store that does not know.
    func modified() throws(StoreError) -> Int64?
}

extension EntryReader {
    /// Nil: not every store knows.
    public func modified() throws(StoreError) -> Int64? { nil }
}
