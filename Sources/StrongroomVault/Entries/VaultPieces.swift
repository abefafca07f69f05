package import StrongroomCrypto

/// A value larger than memory, piece by piece, each verified; that the end is there is known before the
/// first piece leaves.
package protocol VaultPieces: AnyObject {
    /// The entry's header.
    var info: EntryInfo { get }
    /// The next piece, 64 KiB at most, or nil after the last.
    func next() throws(VaultError) -> SecretBytes?
}
