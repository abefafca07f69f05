extension Area {
    /// Changes a value in one step that no other writer can come between, or makes or removes it.
    ///
    /// The value is read, `body` revises it with no lock held, and it is stored if no other writer
    /// changed the entry meanwhile; else all starts over. So `body` may be called several times: it
    /// should have no effect but on its argument. It may use the area.
    ///
    /// - Parameters:
    ///   - key: The entry's key.
    ///   - type: What the value is, if that is not plain from `body`.
    ///   - body: Revises the value, nil if there is none; leaving nil removes the entry.
    /// - Returns: What `body` returned the last time.
    /// - Throws: ``StrongroomError``; ``StrongroomError/busy(at:)`` after 100 losses.
    public func update<Value: Codable, Result>(
        _ key: String, as type: Value.Type = Value.self, _ body: (inout Value?) -> Result
    ) throws(StrongroomError) -> Result {
        try Revision.run(type, of: key, in: self) { (value) -> Swift.Result<Result, Never> in
            .success(body(&value))
        }.get()
    }

    /// Changes a value in one step, or makes or removes it, by a body that may throw, which leaves
    /// the entry as it was.
    ///
    /// - Parameters:
    ///   - key: The entry's key.
    ///   - type: What the value is, if that is not plain from `body`.
    ///   - body: Revises the value, nil if there is none; leaving nil removes the entry. May be
    ///     called several times.
    /// - Returns: What `body` returned the last time.
    /// - Throws: ``StrongroomError``, or what `body` throws.
    public func update<Value: Codable, Result>(
        _ key: String, as type: Value.Type = Value.self, _ body: (inout Value?) throws -> Result
    ) throws -> Result {
        try Revision.run(type, of: key, in: self) { (value) -> Swift.Result<Result, any Error> in
            do { return .success(try body(&value)) } catch { return .failure(error) }
        }.get()
    }

    /// Changes a value in one step, starting from a default if there is none.
    ///
    /// ```swift
    /// try area.update("launches", default: 0) { $0 += 1 }
    /// ```
    ///
    /// - Parameters:
    ///   - key: The entry's key.
    ///   - value: What `body` is given if there is no entry.
    ///   - body: Revises the value; may be called several times.
    /// - Returns: What `body` returned the last time.
    /// - Throws: ``StrongroomError``; ``StrongroomError/busy(at:)`` after 100 losses.
    public func update<Value: Codable, Result>(
        _ key: String, default value: Value, _ body: (inout Value) -> Result
    ) throws(StrongroomError) -> Result {
        try update(key, as: Value.self) { (stored: inout Value?) -> Result in
            var revised = stored ?? value
            defer { stored = revised }
            return body(&revised)
        }
    }

    /// Changes a value in one step, starting from a default if there is none, by a body that may
    /// throw, which leaves the entry as it was.
    ///
    /// - Parameters:
    ///   - key: The entry's key.
    ///   - value: What `body` is given if there is no entry.
    ///   - body: Revises the value; may be called several times.
    /// - Returns: What `body` returned the last time.
    /// - Throws: ``StrongroomError``, or what `body` throws.
    public func update<Value: Codable, Result>(
        _ key: String, default value: Value, _ body: (inout Value) throws -> Result
    ) throws -> Result {
        try update(key, as: Value.self) { (stored: inout Value?) throws -> Result in
            var revised = stored ?? value
            defer { stored = revised }
            return try body(&revised)
        }
    }

    /// Changes the value of a typed key in one step, or makes or removes it.
    ///
    /// - Parameters:
    ///   - key: The key; its default is not looked at.
    ///   - body: Revises the value, nil if there is none; leaving nil removes the entry. May be
    ///     called several times.
    /// - Returns: What `body` returned the last time.
    /// - Throws: ``StrongroomError``; ``StrongroomError/busy(at:)`` after 100 losses.
    public func update<Value, Result>(
        _ key: TypedKey<Value>, _ body: (inout Value?) -> Result
    ) throws(StrongroomError) -> Result {
        try Revision.run(key, in: self) { (value) -> Swift.Result<Result, Never> in
            .success(body(&value))
        }.get()
    }

    /// Changes the value of a typed key in one step, by a body that may throw, which leaves the
    /// entry as it was.
    ///
    /// - Parameters:
    ///   - key: The key; its default is not looked at.
    ///   - body: Revises the value, nil if there is none; leaving nil removes the entry. May be
    ///     called several times.
    /// - Returns: What `body` returned the last time.
    /// - Throws: ``StrongroomError``, or what `body` throws.
    public func update<Value, Result>(
        _ key: TypedKey<Value>, _ body: (inout Value?) throws -> Result
    ) throws -> Result {
        try Revision.run(key, in: self) { (value) -> Swift.Result<Result, any Error> in
            do { return .success(try body(&value)) } catch { return .failure(error) }
        }.get()
    }
}
