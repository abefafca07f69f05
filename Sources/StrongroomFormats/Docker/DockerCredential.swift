/// What docker and its credential helpers tell each other: the credential of a registry.
///
/// The format is that of docker-credential-helpers (`credentials/credentials.go`), JSON (RFC 8259) in UTF-8. Docker's
/// requests are on standard input; answers, and errors too, are on standard output.
///
/// The secret is bytes in memory that nobody wipes: whoever holds one wipes it.
public struct DockerCredential: Equatable, Sendable {
    /// The registry, as docker writes it: `https://index.docker.io/v1/`, or only `registry.example.com:5000`.
    public var serverURL: String
    /// The account; `<token>` where the secret is an identity token.
    public var username: String
    /// The password or token, UTF-8.
    public var secret: [UInt8]

    /// A credential of these parts.
    public init(serverURL: String, username: String, secret: [UInt8]) {
        self.serverURL = serverURL
        self.username = username
        self.secret = secret
    }

    /// Reads what `store` gets: an object with `ServerURL`, `Username` and `Secret`, others ignored.
    ///
    /// - Throws: ``DockerRefusal``, whose text is what docker expects to read.
    public init(storing request: Span<UInt8>) throws(DockerRefusal) {
        let fields = try JSONFields(
            reading: request, names: [Name.serverURL, Name.username, Name.secret])
        guard let serverURL = fields[Name.serverURL], !serverURL.isEmpty else {
            throw .noServerURL
        }
        self.serverURL = String(decoding: serverURL, as: UTF8.self)
        (username, secret) = try Self.account(fields)
    }

    /// Reads what ``stored`` wrote, the value of the entry of `serverURL`.
    ///
    /// - Throws: ``DockerRefusal`` if it is something else.
    public init(stored value: Span<UInt8>, serverURL: String) throws(DockerRefusal) {
        let fields = try JSONFields(reading: value, names: [Name.username, Name.secret])
        self.serverURL = serverURL
        (username, secret) = try Self.account(fields)
    }

    /// The value of the entry that keeps it: an object with `Username` and `Secret`.
    public var stored: [UInt8] {
        JSONFields.object([(Name.username, Array(username.utf8)), (Name.secret, secret)])
    }

    /// What `get` answers: an object with `ServerURL`, `Username` and `Secret`, in one line.
    public var answer: [UInt8] {
        JSONFields.object([
            (Name.serverURL, Array(serverURL.utf8)), (Name.username, Array(username.utf8)),
            (Name.secret, secret),
        ]) + [UInt8(ascii: "\n")]
    }

    private static func account(
        _ fields: JSONFields
    ) throws(DockerRefusal) -> (username: String, secret: [UInt8]) {
        guard let username = fields[Name.username], !username.isEmpty else { throw .noUsername }
        guard let secret = fields[Name.secret] else { throw .malformed("there is no Secret") }
        return (String(decoding: username, as: UTF8.self), secret)
    }

    private enum Name {
        static let serverURL = "ServerURL"
        static let username = "Username"
        static let secret = "Secret"
    }
}
