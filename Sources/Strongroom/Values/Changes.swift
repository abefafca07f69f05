/// What a commit makes, all or none of it: sets, dels, and the versions that entries must have.
///
/// Values are encoded as they are added. If one cannot be, the first such failure is kept and
/// thrown by the commit, which then writes nothing. Of two changes to one key the later counts.
public struct Changes: Sendable {
    /// One change.
    public enum Step: Sendable {
        /// Make or replace the entry of `key`.
        case set(key: String, value: Secret)
        /// Remove the entry of `key`; an absent one stays absent.
        case del(key: String)
    }

    private var gathered: [Step] = []
    private var failure: StrongroomError?
    /// For a key, the version that its entry must have when the commit is made; nil: it must be
    /// absent.
    public private(set) var expectations: [String: UInt64?] = [:]

    /// No changes.
    public init() {}

    /// Whether there is nothing to make or to check.
    public var isEmpty: Bool { gathered.isEmpty && expectations.isEmpty && failure == nil }

    /// The changes in their order, for who writes an area.
    ///
    /// - Throws: The first failure to encode a value.
    public func steps() throws(StrongroomError) -> [Step] {
        if let failure { throw failure }
        return gathered
    }

    /// Makes or replaces an entry; an optional without a value removes it.
    public mutating func set<Value: Encodable>(_ value: Value, forKey key: String) {
        do throws(StrongroomError) {
            put(try AutomaticCoding.encode(value, key: key), key)
        } catch { note(error) }
    }

    /// Makes or replaces an entry, or removes it if `value` is nil.
    public mutating func set<Value: Encodable>(_ value: Value?, forKey key: String) {
        guard let value else { return del(key) }
        set(value, forKey: key)
    }

    /// Makes or replaces an entry of exactly the secret's bytes, or removes it if `value` is nil.
    public mutating func set(_ value: Secret?, forKey key: String) { put(value, key) }

    /// Makes or replaces the entry of a typed key, or removes it if `value` is nil.
    public mutating func set<Value>(_ value: Value?, forKey key: TypedKey<Value>) {
        guard let value else { return del(key.name) }
        do throws(StrongroomError) {
            put(try key.coding.encode(value, key.name), key.name)
        } catch { note(error) }
    }

    /// Removes an entry; an absent one stays absent.
    public mutating func del(_ key: String) { gathered.append(.del(key: key)) }

    /// Removes the entry of a typed key; an absent one stays absent.
    public mutating func del<Value>(_ key: TypedKey<Value>) { del(key.name) }

    /// Makes the commit throw ``StrongroomError/changed(key:)`` and write nothing unless the entry
    /// of `key` has this version then.
    ///
    /// - Parameters:
    ///   - version: As ``Entry/version`` or ``ReadableArea/version(of:)`` gave it; nil: the entry
    ///     must be absent.
    ///   - key: An entry's key, which need not be among those that change.
    public mutating func expect(_ version: UInt64?, ofKey key: String) {
        expectations.updateValue(version, forKey: key)
    }

    private mutating func put(_ value: Secret?, _ key: String) {
        guard let value else { return del(key) }
        gathered.append(.set(key: key, value: value))
    }

    private mutating func note(_ error: StrongroomError) {
        if failure == nil { failure = error }
    }
}
