/// Values by key, to be read and written: `storage`, `cache`, `temporary` and `vault`, and what
/// others make.
///
/// ``commit(_:)-(Changes)`` is the one way anything is written; ``write(_:_:)`` has a default that
/// gathers the value in memory. A write is whole or absent, for readers in other threads and
/// processes and after a crash; what a throw leaves behind is what was there before, except
/// ``StrongroomError/outcomeUnknown(path:)``.
public protocol Area: ReadableArea {
    /// Makes all of the changes, or none of them.
    ///
    /// - Parameter changes: What to set and to remove, and the versions to be expected.
    /// - Throws: ``StrongroomError``; ``StrongroomError/changed(key:)`` if an entry has not the
    ///   version expected.
    func commit(_ changes: Changes) throws(StrongroomError)

    /// Makes or replaces an entry of what `body` writes, however large it is, when `body` returns.
    ///
    /// - Parameters:
    ///   - key: The entry's key.
    ///   - body: Writes the value, piece by piece. What it throws is thrown on, and nothing is
    ///     changed.
    /// - Throws: ``StrongroomError``, or what `body` throws.
    func write(_ key: String, _ body: (inout EntryWriter) throws -> Void) throws
}

extension Area {
    /// Makes or replaces an entry of what `body` writes, all of which is gathered in memory.
    public func write(_ key: String, _ body: (inout EntryWriter) throws -> Void) throws {
        let gathered = MemorySink()
        var writer = EntryWriter(gathered)
        try body(&writer)
        try set(gathered.bytes, forKey: key)
    }

    /// Makes all of the changes that `body` gathers, or none of them.
    ///
    /// ```swift
    /// try area.commit { $0.set(user, forKey: "db/user"); $0.del("db/old") }
    /// ```
    ///
    /// - Parameter body: Gathers the changes; called once.
    /// - Throws: ``StrongroomError``.
    public func commit(_ body: (inout Changes) -> Void) throws(StrongroomError) {
        var changes = Changes()
        body(&changes)
        try commit(changes)
    }

    /// Makes all of the changes that `body` gathers, or none of them, and none if it throws.
    ///
    /// - Parameter body: Gathers the changes; called once.
    /// - Throws: ``StrongroomError``, or what `body` throws.
    public func commit(_ body: (inout Changes) throws -> Void) throws {
        var changes = Changes()
        try body(&changes)
        try commit(changes)
    }
}
