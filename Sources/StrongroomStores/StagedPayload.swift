/// A payload being written where the store keeps its entries, out of sight until a commit names it.
///
/// It vanishes if it is released uncommitted, and after a crash. One thread at a time writes it; once a commit
/// has taken it up it takes no more.
public protocol StagedPayload: AnyObject, Sendable {
    /// Bytes so far.
    var byteCount: Int64 { get throws(StoreError) }
    /// Writes at `offset`, which may lie at most at the end.
    func write(_ bytes: Span<UInt8>, at offset: Int64) throws(StoreError)
    /// `count` bytes at `offset` of what was written, so that a writer who comes late can
    /// seal it again.
    func read(at offset: Int64, count: Int) throws(StoreError) -> [UInt8]
}
