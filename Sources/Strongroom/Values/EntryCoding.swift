/// A coding without its type, as a ``TypedKey`` carries it.
struct EntryCoding<Value: Sendable>: Sendable {
    /// The bytes of a value, or nil if it stands for an absent entry; the text is the key, for
    /// errors.
    let encode: @Sendable (Value, String) throws(StrongroomError) -> Secret?
    /// The value of an entry.
    let decode: @Sendable (borrowing Entry, String) throws(StrongroomError) -> Value
}

extension EntryCoding where Value: Codable {
    /// The type's own coding.
    static var automatic: Self {
        Self(
            encode: { (value, key) throws(StrongroomError) in
                try AutomaticCoding.encode(value, key: key)
            },
            decode: { (entry, key) throws(StrongroomError) in
                try AutomaticCoding.decode(Value.self, from: entry, key: key)
            })
    }
}

extension EntryCoding<Secret> {
    /// Exactly the bytes.
    static var secret: Self {
        Self(
            encode: { (value, _) throws(StrongroomError) in value },
            decode: { (entry, _) throws(StrongroomError) in
                entry.withBytes { bytes in Secret(copying: bytes) }
            })
    }
}

extension EntryCoding {
    /// The coding that a caller gives.
    init(_ coding: some ValueCoding<Value>) {
        encode = { (value, key) throws(StrongroomError) in
            do {
                return Secret(try coding.encode(value))
            } catch {
                throw .cannotEncode(key: key, at: CodingPlace(error).description)
            }
        }
        decode = { (entry, key) throws(StrongroomError) in
            do {
                return try entry.withBytes { bytes in try coding.decode(bytes) }
            } catch {
                throw .cannotDecode(key: key, at: CodingPlace(error).description)
            }
        }
    }
}
