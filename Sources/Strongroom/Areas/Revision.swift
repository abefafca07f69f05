/// One `update`: read a value with its version, revise it with no lock held, commit it if the
/// version is still the same, else start over.
enum Revision {
    /// How often a revision may lose against other writers before it is `busy`.
    static let tryLimit = 100

    /// Revises the value of `key` in `area`, stored as its type says.
    static func run<Value: Codable, Result, Failure: Error>(
        _ type: Value.Type, of key: String, in area: some Area,
        _ body: (inout Value?) -> Swift.Result<Result, Failure>
    ) throws(StrongroomError) -> Swift.Result<Result, Failure> {
        try run(
            key, in: area,
            decode: { (entry) throws(StrongroomError) in
                try AutomaticCoding.decode(type, from: entry, key: key)
            },
            encode: { (value) throws(StrongroomError) in
                try AutomaticCoding.encode(value, key: key)
            }, body)
    }

    /// Revises the value of a typed key in `area`.
    static func run<Value, Result, Failure: Error>(
        _ key: TypedKey<Value>, in area: some Area,
        _ body: (inout Value?) -> Swift.Result<Result, Failure>
    ) throws(StrongroomError) -> Swift.Result<Result, Failure> {
        try run(
            key.name, in: area,
            decode: { (entry) throws(StrongroomError) in try key.coding.decode(entry, key.name) },
            encode: { (value) throws(StrongroomError) in try key.coding.encode(value, key.name) },
            body)
    }

    /// - Returns: What `body` gave the last time; after its failure nothing was written.
    private static func run<Value, Result, Failure: Error>(
        _ key: String, in area: some Area,
        decode: (borrowing Entry) throws(StrongroomError) -> Value,
        encode: (Value) throws(StrongroomError) -> Secret?,
        _ body: (inout Value?) -> Swift.Result<Result, Failure>
    ) throws(StrongroomError) -> Swift.Result<Result, Failure> {
        for _ in 0..<tryLimit {
            var value: Value?
            var version: UInt64?
            if let entry = try area.entry(key) {
                value = try decode(entry)
                version = entry.version
            }
            let outcome = body(&value)
            guard case .success = outcome else { return outcome }
            var contents: Secret?
            if let value { contents = try encode(value) }
            // Nothing before and nothing after: there is nothing to write, and no vault to be made
            // for it.
            if version == nil && contents == nil { return outcome }
            var changes = Changes()
            changes.set(contents, forKey: key)
            changes.expect(version, ofKey: key)
            do throws(StrongroomError) {
                try area.commit(changes)
                return outcome
            } catch .changed {
                continue
            } catch { throw error }
        }
        throw .busy(at: key)
    }
}
