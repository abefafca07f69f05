extension Area {
    /// Stores a value; an optional without a value removes the entry.
    ///
    /// - Parameters:
    ///   - value: `[UInt8]`, `Data` and `String` are stored as their own bytes, anything else as
    ///     JSON.
    ///   - key: The entry's key.
    /// - Throws: ``StrongroomError``; the old value stays.
    public func set<Value: Encodable>(
        _ value: Value, forKey key: String
    ) throws(StrongroomError) {
        try commit { changes in changes.set(value, forKey: key) }
    }

    /// Stores a value, or removes the entry if `value` is nil.
    ///
    /// - Parameters:
    ///   - value: `[UInt8]`, `Data` and `String` are stored as their own bytes, anything else as
    ///     JSON.
    ///   - key: The entry's key.
    /// - Throws: ``StrongroomError``; the old value stays.
    public func set<Value: Encodable>(
        _ value: Value?, forKey key: String
    ) throws(StrongroomError) {
        try commit { changes in changes.set(value, forKey: key) }
    }

    /// Stores exactly the secret's bytes, or removes the entry if `value` is nil.
    ///
    /// - Parameters:
    ///   - value: The secret.
    ///   - key: The entry's key.
    /// - Throws: ``StrongroomError``; the old value stays.
    public func set(_ value: Secret?, forKey key: String) throws(StrongroomError) {
        try commit { changes in changes.set(value, forKey: key) }
    }

    /// Stores a value under a typed key, or removes the entry if `value` is nil.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: The key, whose coding is used.
    /// - Throws: ``StrongroomError``; the old value stays.
    public func set<Value>(
        _ value: Value?, forKey key: TypedKey<Value>
    ) throws(StrongroomError) {
        try commit { changes in changes.set(value, forKey: key) }
    }

    /// Removes an entry.
    ///
    /// A damaged one is removed too.
    ///
    /// - Parameter key: The entry's key.
    /// - Returns: Whether there was one; of several callers at once only one removes it.
    /// - Throws: ``StrongroomError``.
    @discardableResult
    public func del(_ key: String) throws(StrongroomError) -> Bool {
        for _ in 0..<Revision.tryLimit {
            var changes = Changes()
            changes.del(key)
            do throws(StrongroomError) {
                guard let version = try version(of: key) else { return false }
                changes.expect(version, ofKey: key)
            } catch .damaged {
                // What cannot be read has no version to be expected; it is to go all the same.
            } catch { throw error }
            do throws(StrongroomError) {
                try commit(changes)
                return true
            } catch .changed {
                continue
            } catch { throw error }
        }
        throw .busy(at: key)
    }

    /// Removes the entry of a typed key.
    ///
    /// - Parameter key: The key.
    /// - Returns: Whether there was one.
    /// - Throws: ``StrongroomError``.
    @discardableResult
    public func del<Value>(_ key: TypedKey<Value>) throws(StrongroomError) -> Bool {
        try del(key.name)
    }

    /// Removes every entry of this area, and nothing else.
    ///
    /// - Returns: How many there were.
    /// - Throws: ``StrongroomError``; either all are removed or none.
    @discardableResult
    public func delAll() throws(StrongroomError) -> Int { try remove(try keys()) }

    /// Removes the entries below a folder, those that ``ReadableArea/keys(under:)`` names.
    ///
    /// - Parameter folder: The folder; an empty one is ``StrongroomError/invalidKey(key:)``.
    /// - Returns: How many there were.
    /// - Throws: ``StrongroomError``; either all are removed or none.
    @discardableResult
    public func delAll(under folder: String) throws(StrongroomError) -> Int {
        try remove(try keys(under: folder))
    }

    private func remove(_ keys: [String]) throws(StrongroomError) -> Int {
        var changes = Changes()
        for key in keys { changes.del(key) }
        try commit(changes)
        return keys.count
    }
}
