import StrongroomStores

extension LogFronts {
    /// Hands over the entries of `range`, in the order of the log, each with its first bytes, which are none if they are
    /// not what the log tells of; after `body` threw it is not called again.
    func each(
        in range: Range<Int>,
        _ body: (EntryID, any EntryReader, Span<UInt8>) throws(VaultError) -> Void
    ) throws(VaultError) {
        var failure: VaultError?
        do throws(StoreError) {
            try read(range) { reader, id, front in
                guard failure == nil else { return }
                do throws(VaultError) {
                    try body(id, reader, front)
                } catch {
                    failure = error
                }
            }
        } catch {
            throw VaultError(error)
        }
        if let failure { throw failure }
    }
}
