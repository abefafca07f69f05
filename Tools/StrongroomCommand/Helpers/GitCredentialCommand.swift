import StrongroomCrypto
import StrongroomFormats
import StrongroomSystem

/// `git-credential`: git's helper protocol (gitcredentials(7), git-credential(1)).
enum GitCredentialCommand {
    /// Runs it; an operation that newer versions of git may have does nothing.
    static func run(_ session: Session) throws(Failure) {
        let operation = String(decoding: session.invocation.operands[0], as: UTF8.self)
        guard ["get", "store", "erase"].contains(operation) else { return }
        var description = try read(session)
        defer {
            wipe(&description.password)
            wipe(&description.refreshToken)
        }
        guard let folder = GitKey.folder(of: description) else { return }
        switch operation {
        case "get":
            let place = try session.helperPlace()
            let credentials = GitCredentials(place: place, folder: folder)
            guard var found = try credentials.newest(description, now: Clock.now()) else { return }
            defer {
                wipe(&found.password)
                wipe(&found.refreshToken)
            }
            try answer(found, session)
        case "store":
            guard let key = GitKey(description), description.password?.isEmpty == false else {
                return
            }
            let place = try session.helperPlace()
            let credentials = GitCredentials(place: place, folder: folder)
            try session.storing(in: place) { () throws(Failure) in
                try credentials.store(description, key)
            }
        default:
            let place = try session.helperPlace()
            try GitCredentials(place: place, folder: folder).erase(description)
        }
    }

    private static func read(_ session: Session) throws(Failure) -> GitCredential {
        let input = try HelperInput.read(session, until: GitCredential.isComplete)
        do throws(GitCredential.Refusal) {
            let bytes = input.bytes
            return try GitCredential(reading: bytes)
        } catch {
            throw failure(error, "the description")
        }
    }

    private static func answer(_ found: GitCredential, _ session: Session) throws(Failure) {
        var lines: [UInt8]
        do throws(GitCredential.Refusal) { lines = try found.written() } catch {
            throw failure(error, "the entry")
        }
        defer { wipe(&lines) }
        try session.console.write(lines.span)
    }

    private static func failure(_ refusal: GitCredential.Refusal, _ of: String) -> Failure {
        switch refusal {
        case .control(let field):
            Failure(.usage, field, "\(of) holds a NUL or a line break, which git cannot say")
        }
    }
}

/// Wipes bytes that may be absent.
private func wipe(_ bytes: inout [UInt8]?) {
    guard var taken = bytes.take() else { return }
    StrongroomCrypto.wipe(&taken)
}
