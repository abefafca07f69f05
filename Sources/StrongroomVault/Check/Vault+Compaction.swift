import StrongroomStores

extension Vault {
    /// Writes a log anew without the bytes of entries that were replaced or removed; afterwards they are in none of
    /// the vault's files.
    ///
    /// In the layout of files, where nothing is kept of those, only leftovers are removed. `.noVault` in an untouched
    /// place.
    ///
    /// - Parameter progress: Called with the entries done and those in all, now and then.
    /// - Throws: ``VaultError``; the log is as it was then.
    package func compact(progress: ((Progress) -> Void)? = nil) throws(VaultError) {
        try exclusively { () throws(VaultError) in
            let opened = try tidied(try openedForChange())
            guard let log = opened.store as? LogStore else {
                return try place.sweepLeftovers(opened.store, thoroughly: true)
            }
            do throws(StoreError) {
                let count = try log.usage().entryCount
                progress?(Progress(done: 0, total: count))
                try log.compact { done in
                    // What changed meanwhile is done twice.
                    if done < count { progress?(Progress(done: done, total: count)) }
                }
                progress?(Progress(done: count, total: count))
            } catch {
                throw VaultError(error)
            }
        }
    }
}
