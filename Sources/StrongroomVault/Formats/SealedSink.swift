/// Where a sealed entry is written to while it is made: in order, but for the first bytes, which are
/// written as zeros first and with what belongs there last.
package protocol SealedSink {
    /// Writes all of `bytes` at `offset`, which is at most the end of what was written.
    func write(_ bytes: Span<UInt8>, at offset: Int64) throws(VaultError)
}
