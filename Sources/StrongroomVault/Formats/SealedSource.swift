/// Where a sealed entry is read from, at any place.
package protocol SealedSource {
    /// Bytes in all.
    var byteCount: Int64 { get }
    /// `count` bytes at `offset`; fewer are damage.
    func read(at offset: Int64, count: Int) throws(VaultError) -> [UInt8]
}
