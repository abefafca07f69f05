/// The key of an entry that holds a credential of git: `git/<protocol>/<host>/<username>[/<path>]`.
///
/// Each part is percent-escaped (RFC 3986, all but its unreserved characters, in upper-case digits), the host in lower
/// case: one credential has one key, and a slash, a colon or a byte that is no text does no harm. A port is part of the
/// host: `git/https/example.com%3A3000/me`.
public struct GitKey: Hashable, Sendable {
    /// `https`.
    public let protocolName: [UInt8]
    /// The host in lower case, with its port.
    public let host: [UInt8]
    /// The account; it may be empty.
    public let username: [UInt8]
    /// The path that the credential is kept for; nil for any of the host.
    public let path: [UInt8]?

    /// The key of these parts; nil if protocol or host is empty, or the path is there and empty.
    public init?(protocolName: [UInt8], host: [UInt8], username: [UInt8], path: [UInt8]? = nil) {
        guard !protocolName.isEmpty, !host.isEmpty, path?.isEmpty != true else { return nil }
        self.protocolName = protocolName
        self.host = Self.lowercased(host)
        self.username = username
        self.path = path
    }

    /// The key that `credential` is kept under; nil if it names no protocol, no host or no account.
    public init?(_ credential: GitCredential) {
        guard let protocolName = credential.protocolName, let host = credential.host,
            let username = credential.username
        else { return nil }
        self.init(
            protocolName: protocolName, host: host, username: username, path: credential.path)
    }

    /// Reads a key; nil if `text` is no key that ``text`` gives.
    public init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 4 || parts.count == 5, parts[0].elementsEqual("git".utf8) else {
            return nil
        }
        var values: [[UInt8]] = []
        for part in parts.dropFirst() {
            guard let value = PercentEscaping.unescaped(part) else { return nil }
            values.append(value)
        }
        self.init(
            protocolName: values[0], host: values[1], username: values[2],
            path: values.count == 4 ? values[3] : nil)
        guard host == values[1] else { return nil }
    }

    /// The key as text: ASCII.
    public var text: String {
        var text = Self.folder(protocolName, host) + "/" + PercentEscaping.escaped(username)
        if let path { text += "/" + PercentEscaping.escaped(path) }
        return text
    }

    /// What every key of this one's protocol and host begins with, before a slash: `git/https/example.com`.
    public var folder: String { Self.folder(protocolName, host) }

    /// The same for the protocol and host that `credential` names; nil if one is missing or empty.
    public static func folder(of credential: GitCredential) -> String? {
        guard let protocolName = credential.protocolName, !protocolName.isEmpty,
            let host = credential.host, !host.isEmpty
        else { return nil }
        return folder(protocolName, lowercased(host))
    }

    private static func folder(_ protocolName: [UInt8], _ host: [UInt8]) -> String {
        "git/" + PercentEscaping.escaped(protocolName) + "/" + PercentEscaping.escaped(host)
    }

    /// ASCII letters in lower case, other bytes as they are.
    static func lowercased(_ host: [UInt8]) -> [UInt8] {
        host.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }
}
