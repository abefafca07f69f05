extension ReadableArea {
    /// Every key of the area, in normal form C, sorted by its bytes.
    ///
    /// - Throws: ``StrongroomError``.
    public func keys() throws(StrongroomError) -> [String] { try keys(under: nil) }

    /// The value of a key, or nil if there is no entry.
    ///
    /// - Parameters:
    ///   - key: The entry's key.
    ///   - type: What the value is, if that is not plain from where it goes.
    /// - Returns: The value, or nil.
    /// - Throws: ``StrongroomError``; bytes that are no such value are
    ///   ``StrongroomError/cannotDecode(key:at:)``, never nil, and stay as they are.
    public func get<Value: Decodable>(
        _ key: String, as type: Value.Type = Value.self
    ) throws(StrongroomError) -> Value? {
        guard let entry = try entry(key) else { return nil }
        return try AutomaticCoding.decode(type, from: entry, key: key)
    }

    /// The value of a key that an optional was stored under, or nil if there is no entry.
    ///
    /// - Parameters:
    ///   - key: The entry's key.
    ///   - type: The optional type; the result is not optional twice.
    /// - Returns: The value, or nil.
    /// - Throws: ``StrongroomError``.
    public func get<Value: Decodable>(
        _ key: String, as type: Value?.Type
    ) throws(StrongroomError) -> Value? {
        try get(key, as: Value.self)
    }

    /// The bytes of a key as a secret, or nil if there is no entry.
    ///
    /// - Parameters:
    ///   - key: The entry's key.
    ///   - type: `Secret.self`.
    /// - Returns: The value, or nil.
    /// - Throws: ``StrongroomError``.
    public func get(_ key: String, as type: Secret.Type) throws(StrongroomError) -> Secret? {
        guard let entry = try entry(key) else { return nil }
        return entry.withBytes { bytes in Secret(copying: bytes) }
    }

    /// The value of a typed key, or nil if there is no entry; the key's default is not looked at.
    ///
    /// - Parameter key: The key.
    /// - Returns: The value, or nil.
    /// - Throws: ``StrongroomError``.
    public func get<Value>(_ key: TypedKey<Value>) throws(StrongroomError) -> Value? {
        guard let entry = try entry(key.name) else { return nil }
        return try key.coding.decode(entry, key.name)
    }

    /// The value of a key, which must be there.
    ///
    /// - Parameters:
    ///   - key: The entry's key.
    ///   - type: What the value is, if that is not plain from where it goes.
    /// - Returns: The value.
    /// - Throws: ``StrongroomError``; ``StrongroomError/noValue(key:)`` if there is no entry.
    public func require<Value: Decodable>(
        _ key: String, as type: Value.Type = Value.self
    ) throws(StrongroomError) -> Value {
        guard let value = try get(key, as: type) else { throw .noValue(key: key) }
        return value
    }

    /// The bytes of a key as a secret, which must be there.
    ///
    /// - Parameters:
    ///   - key: The entry's key.
    ///   - type: `Secret.self`.
    /// - Returns: The value.
    /// - Throws: ``StrongroomError``; ``StrongroomError/noValue(key:)`` if there is no entry.
    public func require(_ key: String, as type: Secret.Type) throws(StrongroomError) -> Secret {
        guard let value = try get(key, as: type) else { throw .noValue(key: key) }
        return value
    }

    /// The value of a typed key, else its default.
    ///
    /// - Parameter key: The key.
    /// - Returns: The value.
    /// - Throws: ``StrongroomError``; ``StrongroomError/noValue(key:)`` if there is neither.
    public func require<Value>(_ key: TypedKey<Value>) throws(StrongroomError) -> Value {
        guard let value = try get(key) ?? key.defaultValue else { throw .noValue(key: key.name) }
        return value
    }

    /// Whether there is an entry of a typed key.
    ///
    /// Its value is not verified.
    ///
    /// - Parameter key: The key.
    /// - Returns: True if there is one.
    /// - Throws: ``StrongroomError``.
    public func contains<Value>(_ key: TypedKey<Value>) throws(StrongroomError) -> Bool {
        try contains(key.name)
    }

    /// The value of a typed key, as ``get(_:)`` gives it: `try area[.session]`.
    public subscript<Value>(key: TypedKey<Value>) -> Value? {
        get throws(StrongroomError) { try get(key) }
    }
}
