import StrongroomVault

extension VaultArea {
    /// Drops the bytes of entries that were replaced or removed; afterwards they are in none of the
    /// vault's files.
    ///
    /// A vault in a log keeps them, sealed, until then or until a rotation, and compacts itself when
    /// more than half of the log, and more than 256 KiB, is such bytes. Reading and writing go on
    /// meanwhile, here and in other processes. Killed at any instant it changes nothing. A vault of
    /// files has nothing to compact.
    ///
    /// - Parameter progress: Called now and then with the entries that are done and those in all.
    /// - Throws: ``StrongroomError``; the vault is as it was then.
    public func compact(
        progress: ((_ done: Int, _ total: Int) -> Void)? = nil
    ) throws(StrongroomError) {
        let report = progress.map { progress in
            { (step: Progress) in progress(step.done, step.total) }
        }
        do throws(VaultError) { try vault.compact(progress: report) } catch {
            throw StrongroomError(error)
        }
    }
}
