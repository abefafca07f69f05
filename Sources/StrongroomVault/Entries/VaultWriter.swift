/// Takes a value larger than memory, piece by piece.
package protocol VaultWriter: AnyObject {
    /// Appends bytes of the value.
    func write(_ bytes: Span<UInt8>) throws(VaultError)
}
