import FoundationEssentials

/// An entry as `strongroom export --format json` writes it: an object with `key`, `byteCount`, `created`, `modified` (RFC 3339,
/// or null), `attributes` and `value` (base64, RFC 4648).
public struct ExportedEntry: Equatable, Sendable {
    /// Why a text is no export: what is wrong, and in which entry if that is known.
    ///
    /// It never holds a value.
    public struct Failure: Error, Equatable, Sendable {
        /// The key, or nil.
        public let key: String?
        /// What is wrong.
        public let what: String
    }

    /// The key, as it is written.
    public let key: String
    /// The value's bytes.
    public let value: [UInt8]
    /// When an entry of that key was first set, nanoseconds since 1970.
    public let created: Int64?
    /// When this one was set, nanoseconds since 1970.
    public let modified: Int64?
    /// What is kept with the value.
    public let attributes: [String: String]

    /// The entries of an export, in its order.
    ///
    /// A field that is not known is refused, as is a value of another length than it says: nothing is to be lost on the way
    /// without a word.
    public static func list(parsing bytes: [UInt8]) throws(Failure) -> [ExportedEntry] {
        let objects: [Fields]
        do {
            objects = try JSONDecoder().decode([Fields].self, from: Data(bytes))
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(key: nil, what: "it is no JSON array of entries")
        }
        var entries: [ExportedEntry] = []
        for object in objects { entries.append(try object.entry()) }
        return entries
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private struct Fields: Decodable {
        var key: String
        var byteCount: UInt64?
        var created: String?
        var modified: String?
        var attributes: [String: String]?
        var value: String

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: Name.self)
            func name(_ text: String) -> Name { Name(stringValue: text) }
            key = try fields.decode(String.self, forKey: name("key"))
            let known = ["key", "byteCount", "created", "modified", "attributes", "value"]
            for field in fields.allKeys where !known.contains(field.stringValue) {
                throw Failure(key: key, what: "a field is not known")
            }
            do {
                byteCount = try fields.decodeIfPresent(UInt64.self, forKey: name("byteCount"))
                created = try fields.decodeIfPresent(String.self, forKey: name("created"))
                modified = try fields.decodeIfPresent(String.self, forKey: name("modified"))
                attributes = try fields.decodeIfPresent(
                    [String: String].self, forKey: name("attributes"))
                value = try fields.decode(String.self, forKey: name("value"))
            } catch {
                throw Failure(key: key, what: "a field is missing or of the wrong kind")
            }
        }

        func entry() throws(Failure) -> ExportedEntry {
            guard let data = Data(base64Encoded: value) else {
                throw Failure(key: key, what: "the value is no base64")
            }
            if let byteCount, byteCount != UInt64(data.count) {
                throw Failure(key: key, what: "the value is not as long as byteCount says")
            }
            return ExportedEntry(
                key: key, value: Array(data), created: try time(created),
                modified: try time(modified), attributes: attributes ?? [:])
        }

        private func time(_ text: String?) throws(Failure) -> Int64? {
            guard let text else { return nil }
            guard let time = RFC3339.nanoseconds(text) else {
                throw Failure(key: key, what: "a time is not as RFC 3339 has it, in UTC")
            }
            return time
        }
    }
}
