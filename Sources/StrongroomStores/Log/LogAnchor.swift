/// Where the newest commit that anybody knows of is noted outside the store, so that an older copy of the log is told
/// from the newest (ARCHITECTURE, section 7).
///
/// The store calls it under the write lock, after what it names is durable: so it may lag and never leads.
package protocol LogAnchor: Sendable {
    /// What it holds; nil if there is none, or none that is whole.
    func point() throws(StoreError) -> LogPoint?
    /// A commit stands: noted without a sync, and if that fails the commit stands all the same.
    func note(_ point: LogPoint)
    /// The last commit of a log that the next generation is about to replace: durable when the call returns.
    func settle(_ point: LogPoint) throws(StoreError)
}
