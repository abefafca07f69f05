/// The keyed hashes of a log, which whoever owns its entries computes: the store knows no keys.
///
/// A vault's are keyed by subkeys of the data key that `owner` is the id of, and over the vault's id besides the
/// message; so a log is read by nobody who could not have written it. An owner whose key is not known is
/// `.ownerChanged(now:)`.
package protocol LogKeys: Sendable {
    /// The 16 bytes that link a commit to all before it.
    func chainTag(of message: Span<UInt8>, owner: OwnerID) throws(StoreError) -> Bytes16
    /// The 16 bytes that vouch for an index, under another key.
    func indexTag(of message: Span<UInt8>, owner: OwnerID) throws(StoreError) -> Bytes16
}
