/// Entries as KeePassXC and KeePass export them as CSV (RFC 4180, a first line of names).
///
/// The names that are known: of KeePassXC `Group`, `Title`, `Username`, `Password`, `URL`, `Notes`, `TOTP`; of KeePass 1 and 2
/// `Account`, `Login Name`, `Password`, `Web Site`, `Comments`. Other columns are passed over.
public struct KeePassCSV: Equatable, Sendable {
    /// Why a text is refused: the record, the line of names being 1, and what is wrong.
    ///
    /// It never holds a value.
    public struct Failure: Error, Equatable, Sendable {
        /// The record.
        public let record: Int
        /// What is wrong.
        public let what: String
    }

    /// One entry.
    public struct Entry: Equatable, Sendable {
        /// Its group, parts parted by slashes; empty of KeePass, which exports none.
        public var group = ""
        /// What it is called.
        public var title = ""
        /// Who.
        public var username = ""
        /// The password.
        public var password = ""
        /// Where.
        public var url = ""
        /// What was written beside it.
        public var notes = ""
        /// What makes one-time passwords (an `otpauth` address).
        public var totp = ""
    }

    /// The entries, in their order.
    public private(set) var entries: [Entry] = []

    /// Reads a file, also with a byte order mark.
    public init(parsing bytes: [UInt8]) throws(Failure) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(record: 1, what: "it is not UTF-8")
        }
        var scalars = text.unicodeScalars[...]
        if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
        var records = try Self.records(&scalars)[...]
        guard let names = records.popFirst() else { throw Failure(record: 1, what: "it is empty") }
        var columns: [Int: WritableKeyPath<Entry, String>] = [:]
        for (index, name) in names.enumerated() { columns[index] = Self.column(name) }
        let found = columns.values
        guard found.contains(\.title), found.contains(\.password) else {
            throw Failure(record: 1, what: "it names no columns of KeePass")
        }
        for (index, record) in records.enumerated() {
            guard record.count == names.count else {
                throw Failure(
                    record: index + 2, what: "it has not as many fields as there are names")
            }
            var entry = Entry()
            for (place, field) in record.enumerated() {
                if let column = columns[place] { entry[keyPath: column] = field }
            }
            entries.append(entry)
        }
    }

    private static func column(_ name: String) -> WritableKeyPath<Entry, String>? {
        switch name {
        case "Group": \.group
        case "Title", "Account": \.title
        case "Username", "Login Name": \.username
        case "Password": \.password
        case "URL", "Web Site": \.url
        case "Notes", "Comments": \.notes
        case "TOTP": \.totp
        default: nil
        }
    }

    private static func records(
        _ rest: inout Substring.UnicodeScalarView
    ) throws(Failure) -> [[String]] {
        var records: [[String]] = []
        while !rest.isEmpty {
            var fields: [String] = []
            var hasMore = true
            while hasMore {
                fields.append(try field(&rest, records.count + 1))
                hasMore = rest.first == ","
                if hasMore { rest.removeFirst() }
            }
            if rest.first == "\r" { rest.removeFirst() }
            if let end = rest.popFirst(), end != "\n" {
                throw Failure(record: records.count + 1, what: "something follows a closing quote")
            }
            // A blank line at the end is none.
            if fields != [""] { records.append(fields) }
        }
        return records
    }

    private static func field(
        _ rest: inout Substring.UnicodeScalarView, _ record: Int
    ) throws(Failure) -> String {
        var field = ""
        guard rest.first == "\"" else {
            while let scalar = rest.first, scalar != ",", scalar != "\n", scalar != "\r" {
                guard scalar != "\"" else {
                    throw Failure(record: record, what: "a quote stands inside a field")
                }
                field.unicodeScalars.append(scalar)
                rest.removeFirst()
            }
            return field
        }
        rest.removeFirst()
        while let scalar = rest.popFirst() {
            // KeePass writes a backslash before a quote or a backslash, RFC 4180 a quote twice.
            if scalar == "\"" {
                guard rest.first == "\"" else { return field }
                rest.removeFirst()
            } else if scalar == "\\", let next = rest.first, next == "\"" || next == "\\" {
                rest.removeFirst()
                field.unicodeScalars.append(next)
                continue
            }
            field.unicodeScalars.append(scalar)
        }
        throw Failure(record: record, what: "a quote is not closed")
    }
}
