/// A key with the type of its values, a default perhaps, and a coding perhaps: declared once, used
/// everywhere.
///
/// ```swift
/// extension TypedKey<Int> { static var launches: Self { Self("launches", default: 0) } }
///
/// try area.update(.launches) { $0 = ($0 ?? 0) + 1 }
/// let count = try area.require(.launches)
/// ```
public struct TypedKey<Value: Sendable>: Sendable {
    /// The key's text.
    public let name: String
    /// What ``ReadableArea/require(_:)`` gives when there is no entry.
    ///
    /// ``ReadableArea/get(_:)`` does not look at it.
    public let defaultValue: Value?
    let coding: EntryCoding<Value>

    /// A key whose values are stored by a coding of your own.
    ///
    /// - Parameters:
    ///   - name: The key's text.
    ///   - coding: Turns values into bytes and back.
    ///   - value: What ``ReadableArea/require(_:)`` gives when there is no entry.
    public init(_ name: String, coding: some ValueCoding<Value>, default value: Value? = nil) {
        self.name = name
        self.coding = EntryCoding(coding)
        defaultValue = value
    }
}

extension TypedKey where Value: Codable {
    /// A key whose values are stored as their type says: bytes and text as they are, all else as
    /// JSON.
    ///
    /// - Parameters:
    ///   - name: The key's text.
    ///   - value: What ``ReadableArea/require(_:)`` gives when there is no entry.
    public init(_ name: String, default value: Value? = nil) {
        self.name = name
        coding = .automatic
        defaultValue = value
    }
}

extension TypedKey<Secret> {
    /// A key of a secret, stored as exactly its bytes.
    ///
    /// A secret has no default.
    ///
    /// - Parameter name: The key's text.
    public init(_ name: String) {
        self.name = name
        coding = .secret
        defaultValue = nil
    }
}
