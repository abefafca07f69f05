/// Why a request of docker is refused.
///
/// Its text is the line that docker reads from standard output; docker tells three of them from all others by their exact
/// words (docker-credential-helpers, `credentials/error.go`).
public enum DockerRefusal: Error, Equatable, Sendable, CustomStringConvertible {
    /// There is no credential of that registry.
    case notFound
    /// The request names no registry.
    case noServerURL
    /// The request names no account.
    case noUsername
    /// The request is not of the format; why.
    case malformed(String)

    /// The line, without its end.
    public var description: String {
        switch self {
        case .notFound: "credentials not found in native keychain"
        case .noServerURL: "no credentials server URL"
        case .noUsername: "no credentials username"
        case .malformed(let reason): "no docker credential: \(reason)"
        }
    }
}
