/// What git and its credential helpers tell each other: a description of a credential, or a whole one.
///
/// The format is that of git-credential(1), "INPUT/OUTPUT FORMAT": lines `name=value` of bytes, each ended by a line feed,
/// up to an empty line or the end. A line is cut at its first `=` only, and at nothing else, so a value may have spaces
/// and further `=`. Of two lines of one name the later counts. Names that are not fields here are ignored, as that page
/// wants it, and so are lines without a `=`: newer versions of git send more.
///
/// A value is bytes, in memory that nobody wipes: whoever holds a password wipes it.
public struct GitCredential: Equatable, Sendable {
    /// `https`, as git writes it.
    public var protocolName: [UInt8]?
    /// The host, with its port if the address names one.
    public var host: [UInt8]?
    /// The path on the host, which git sends if `credential.useHttpPath` is set; never empty.
    public var path: [UInt8]?
    /// The account, which may be empty.
    public var username: [UInt8]?
    /// The password or token.
    public var password: [UInt8]?
    /// The second since 1970 after which the password is of no use.
    public var passwordExpiry: UInt64?
    /// What a helper may get a new password with.
    public var refreshToken: [UInt8]?

    /// Why a description is not read or written: a field that would be another one on the way.
    public enum Refusal: Error, Equatable, Sendable {
        /// The field of this name holds a NUL, a carriage return or a line feed.
        case control(field: String)
    }

    /// A description of no field.
    public init() {}

    /// Reads a description.
    ///
    /// An empty path is none. An expiry that is no decimal number above zero is none, as git takes it.
    ///
    /// - Parameter bytes: What came in; what follows the first empty line is not looked at.
    /// - Throws: ``Refusal`` if a field holds a NUL or a carriage return (a line feed ends it).
    public init(reading bytes: Span<UInt8>) throws(Refusal) {
        var start = 0
        while start < bytes.count {
            var end = start
            while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
            if end == start { break }
            try read(bytes.extracting(start..<end))
            start = end + 1
        }
    }

    /// True if `bytes` hold a whole description: up to an empty line, so that no more has to be waited for.
    public static func isComplete(_ bytes: Span<UInt8>) -> Bool {
        var isLineEmpty = true
        for index in bytes.indices {
            guard bytes[index] == UInt8(ascii: "\n") else {
                isLineEmpty = false
                continue
            }
            if isLineEmpty { return true }
            isLineEmpty = true
        }
        return false
    }

    /// The description as git reads it, a line for each field that is there.
    ///
    /// - Throws: ``Refusal`` if a field holds a NUL, a carriage return or a line feed.
    public func written() throws(Refusal) -> [UInt8] {
        var bytes: [UInt8] = []
        for field in Field.allCases {
            guard let value = self[field] else { continue }
            for byte in value where Self.isRefused(byte) {
                throw .control(field: field.rawValue)
            }
            bytes += field.rawValue.utf8
            bytes.append(UInt8(ascii: "="))
            bytes += value
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }

    /// True if the credential of `key` is one that this description asks for.
    ///
    /// Protocol and host (with its port) have to be given and the same, the host in whatever case; the account and the
    /// path only if they are given. So a credential stored with a path is also one for who names none.
    public func matches(_ key: GitKey) -> Bool {
        guard protocolName == key.protocolName, host.map(GitKey.lowercased) == key.host else {
            return false
        }
        if let username, username != key.username { return false }
        if let path, path != key.path { return false }
        return true
    }
}

extension GitCredential {
    /// The names of the fields, in the order of writing.
    private enum Field: String, CaseIterable {
        case protocolName = "protocol"
        case host, path, username, password
        case passwordExpiry = "password_expiry_utc"
        case refreshToken = "oauth_refresh_token"
    }

    private subscript(field: Field) -> [UInt8]? {
        switch field {
        case .protocolName: protocolName
        case .host: host
        case .path: path
        case .username: username
        case .password: password
        case .passwordExpiry: passwordExpiry.map { Array(String($0).utf8) }
        case .refreshToken: refreshToken
        }
    }

    /// Takes one line.
    private mutating func read(_ line: Span<UInt8>) throws(Refusal) {
        var split = 0
        while split < line.count, line[split] != UInt8(ascii: "=") { split += 1 }
        guard split < line.count else { return }
        for field in Field.allCases where Self.isName(line.extracting(0..<split), field) {
            var value: [UInt8] = []
            value.reserveCapacity(line.count - split)
            for index in split + 1..<line.count {
                guard !Self.isRefused(line[index]) else { throw .control(field: field.rawValue) }
                value.append(line[index])
            }
            set(field, value)
        }
    }

    private mutating func set(_ field: Field, _ value: [UInt8]) {
        switch field {
        case .protocolName: protocolName = value
        case .host: host = value
        case .path: path = value.isEmpty ? nil : value
        case .username: username = value
        case .password: password = value
        case .passwordExpiry: passwordExpiry = Self.time(value)
        case .refreshToken: refreshToken = value.isEmpty ? nil : value
        }
    }

    private static func isName(_ bytes: Span<UInt8>, _ field: Field) -> Bool {
        guard bytes.count == field.rawValue.utf8.count else { return false }
        for (index, byte) in field.rawValue.utf8.enumerated() where bytes[index] != byte {
            return false
        }
        return true
    }

    private static func isRefused(_ byte: UInt8) -> Bool {
        byte == 0 || byte == 0x0A || byte == 0x0D
    }

    /// Decimal digits above zero; nil for anything else.
    private static func time(_ bytes: [UInt8]) -> UInt64? {
        for byte in bytes where !(0x30...0x39).contains(byte) { return nil }
        guard let number = UInt64(String(decoding: bytes, as: UTF8.self)), number > 0 else {
            return nil
        }
        return number
    }
}
