/// A flat map from ids to byte strings with versions, atomic conditional commits and generations
/// (STORE.md, "The protocol").
///
/// One contract suite runs over every store.
///
/// Reads write nothing. A commit is whole or absent, for other threads, other processes and after a crash.
/// Every call may throw ``StoreError``; what a throw leaves behind is what was there before, but for
/// `.outcomeUnknown`, which says that the commit may or may not stand.
public protocol Store: Sendable {
    /// The owner of the current generation; nil in a store that has none (plain areas).
    func owner() throws(StoreError) -> OwnerID?

    /// The entry's bytes and version, or nil if there is none.
    func read(_ id: EntryID) throws(StoreError) -> StoredEntry?

    /// The entry held open, for a payload larger than memory, or nil if there is none.
    func open(_ id: EntryID) throws(StoreError) -> (any EntryReader)?

    /// Every id, sorted.
    func ids() throws(StoreError) -> [EntryID]

    /// A place for a payload larger than memory.
    func stage() throws(StoreError) -> any StagedPayload

    /// Makes all of `changes`, or none.
    ///
    /// - Parameters:
    ///   - changes: Puts and removes; of two for one id the later counts.
    ///   - conditions: For an id, the version it must have (nil: it must be absent), else `.conditionFailed`.
    ///   - owner: The owner of the generation that the payloads were sealed for; another one is `.ownerChanged`
    ///     and nothing is written. Plain stores are given nil.
    /// - Throws: ``StoreError``; nothing is changed then, but for `.outcomeUnknown`.
    func commit(
        _ changes: [StoreChange], if conditions: [EntryID: Version?], owner: OwnerID?
    ) throws(StoreError)

    /// Writes the next generation, every entry through `transform`, and switches to it in one step; commits
    /// that arrive meanwhile are carried over through `transform` as well. Readers and writers go on.
    ///
    /// The caller holds whatever keeps two rewrites apart (a vault's `job` lock). If `transform` throws,
    /// the current generation stays, and the error is thrown on.
    ///
    /// - Parameters:
    ///   - owner: The next generation's owner.
    ///   - transform: Called with each entry; may be called again for one that changed meanwhile, then while
    ///     writers wait: so it must not use the store but through its arguments. It stages larger payloads by
    ///     the third.
    /// - Throws: ``StoreError``, or what `transform` threw.
    func rewrite(
        owner: OwnerID?,
        _ transform:
            @Sendable (EntryID, any EntryReader, () throws(StoreError) -> any StagedPayload)
            throws -> Rewritten
    ) throws

    /// Ids that changed, by whatever process, from now on; an empty batch means that any may have. The stream ends
    /// when its reader does.
    func changes() throws(StoreError) -> AsyncStream<[EntryID]>
}
