import FoundationEssentials
import StrongroomCrypto

/// How a value is stored when nobody says otherwise: its type decides, here and nowhere else.
///
/// `[UInt8]`, `Data` and `String` are their own bytes, an optional is its value or nothing at all,
/// everything else is JSON with sorted keys. Types are compared, not cast: an empty `[Int]` casts
/// to `[UInt8]`.
enum AutomaticCoding {
    /// The bytes of `value`, or nil if it is an optional without a value.
    static func encode<Value: Encodable>(
        _ value: Value, key: String
    ) throws(StrongroomError) -> Secret? {
        if Value.self == [UInt8].self, let bytes = value as? [UInt8] { return Secret(bytes) }
        if Value.self == String.self, let text = value as? String { return Secret(text) }
        if Value.self == Data.self, let data = value as? Data { return Secret(copying: data.span) }
        if Value.self is any OptionalEncodable.Type,
            let optional = value as? any OptionalEncodable
        {
            guard let wrapped = optional.wrappedValue else { return nil }
            return try encode(wrapped, key: key)
        }
        return try encodeJSON(value, key: key)
    }

    /// The value of `entry`.
    static func decode<Value: Decodable>(
        _ type: Value.Type, from entry: borrowing Entry, key: String
    ) throws(StrongroomError) -> Value {
        if Value.self == [UInt8].self, let value = entry.copyBytes() as? Value { return value }
        // This copy nobody asked for.
        var bytes = entry.copyBytes()
        defer { wipe(&bytes) }
        return try decode(type, from: bytes, key: key)
    }

    private static func decode<Value: Decodable>(
        _ type: Value.Type, from bytes: [UInt8], key: String
    ) throws(StrongroomError) -> Value {
        if Value.self == [UInt8].self, let value = bytes as? Value { return value }
        if Value.self == String.self {
            guard let text = String(validating: bytes, as: UTF8.self), let value = text as? Value
            else { throw .cannotDecode(key: key, at: "") }
            return value
        }
        if Value.self == Data.self, let value = Data(bytes) as? Value { return value }
        if let optional = Value.self as? any OptionalDecodable.Type,
            let value = try decodeWrapped(optional, from: bytes, key: key) as? Value
        {
            return value
        }
        return try decodeJSON(type, from: bytes, key: key)
    }

    private static func decodeWrapped<Optional: OptionalDecodable>(
        _ type: Optional.Type, from bytes: [UInt8], key: String
    ) throws(StrongroomError) -> any OptionalDecodable {
        Optional(wrapping: try decode(Optional.WrappedValue.self, from: bytes, key: key))
    }

    private static func encodeJSON(
        _ value: some Encodable, key: String
    ) throws(StrongroomError) -> Secret {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            var json = try encoder.encode(value)
            defer { json.resetBytes(in: json.indices) }
            return Secret(copying: json.span)
        } catch {
            throw .cannotEncode(key: key, at: CodingPlace(error).description)
        }
    }

    private static func decodeJSON<Value: Decodable>(
        _ type: Value.Type, from bytes: [UInt8], key: String
    ) throws(StrongroomError) -> Value {
        var json = Data(bytes)
        defer { json.resetBytes(in: json.indices) }
        do {
            return try JSONDecoder().decode(type, from: json)
        } catch {
            throw .cannotDecode(key: key, at: CodingPlace(error).description)
        }
    }
}

/// An optional of something encodable, whatever that is.
private protocol OptionalEncodable {
    /// The value, if there is one.
    var wrappedValue: (any Encodable)? { get }
}

extension Optional: OptionalEncodable where Wrapped: Encodable {
    fileprivate var wrappedValue: (any Encodable)? { self }
}

/// An optional of something decodable, whatever that is.
private protocol OptionalDecodable {
    associatedtype WrappedValue: Decodable
    /// An optional with a value.
    init(wrapping value: WrappedValue)
}

extension Optional: OptionalDecodable where Wrapped: Decodable {
    fileprivate init(wrapping value: Wrapped) { self = value }
}
