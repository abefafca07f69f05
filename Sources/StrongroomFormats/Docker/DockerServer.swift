/// A registry as docker's `get` and `erase` name it, and as the key of an entry does.
///
/// The key is `docker/<server URL>`, percent-escaped (RFC 3986, all but its unreserved characters, in upper-case digits):
/// `docker/https%3A%2F%2Findex.docker.io%2Fv1%2F`.
public enum DockerServer {
    /// What every key begins with, before a slash.
    public static let folder = "docker"

    /// Reads what `get` and `erase` get: a bare URL, white space around it dropped.
    ///
    /// - Throws: ``DockerRefusal`` if nothing is left, or it is not UTF-8.
    public static func url(reading request: Span<UInt8>) throws(DockerRefusal) -> String {
        var start = 0
        var end = request.count
        while start < end, isSpace(request[start]) { start += 1 }
        while end > start, isSpace(request[end - 1]) { end -= 1 }
        var bytes: [UInt8] = []
        for index in start..<end { bytes.append(request[index]) }
        guard !bytes.isEmpty else { throw .noServerURL }
        guard let url = String(validating: bytes, as: UTF8.self) else {
            throw .malformed("the server URL is not UTF-8")
        }
        return url
    }

    /// The key of the entry of a registry.
    public static func key(_ url: String) -> String {
        folder + "/" + PercentEscaping.escaped(url.utf8)
    }

    /// The registry whose entry has that key; nil if ``key(_:)`` gives it for none.
    public static func url(ofKey key: String) -> String? {
        let prefix = folder + "/"
        guard key.utf8.starts(with: prefix.utf8),
            let bytes = PercentEscaping.unescaped(key.utf8.dropFirst(prefix.utf8.count)),
            !bytes.isEmpty
        else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    /// What `list` answers: an object of registries and their accounts, in one line; `{}` for none.
    public static func list(_ accounts: [(url: String, username: String)]) -> [UInt8] {
        var fields: [(name: String, value: [UInt8])] = []
        for account in accounts { fields.append((account.url, Array(account.username.utf8))) }
        return JSONFields.object(fields) + [UInt8(ascii: "\n")]
    }

    /// What Go's `strings.TrimSpace` drops of ASCII.
    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }
}
