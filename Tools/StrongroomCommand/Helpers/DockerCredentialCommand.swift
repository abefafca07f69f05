import StrongroomCrypto
import StrongroomFormats
import StrongroomSystem

/// `docker-credential`: docker's helper protocol (docker-credential-helpers), in which errors too go to standard output.
enum DockerCredentialCommand {
    /// Runs it: whatever fails is one line on standard output and status 1, as docker reads it.
    static func run(_ session: Session) throws(Failure) {
        let line: String
        do {
            try answer(session)
            return
        } catch let refusal as DockerRefusal {
            line = Escaping.shown(refusal.description)
        } catch let failure as Failure {
            guard failure != .interrupted else { throw failure }
            line = failure.line
        } catch {
            line = "failed"
        }
        session.end(with: .failed)
        try session.console.writeLine(line)
    }

    private static func answer(_ session: Session) throws {
        let operands = session.invocation.operands
        let operation = operands.count == 1 ? String(decoding: operands[0], as: UTF8.self) : ""
        switch operation {
        case "get": try get(session)
        case "store": try store(session)
        case "erase": try erase(session)
        case "list": try list(session)
        case "version":
            try session.console.writeLine(
                "docker-credential-strongroom \(Program.version)")
        default:
            throw Failure(
                .failed, CommandName.dockerCredential.rawValue,
                "takes get, store, erase, list or version")
        }
    }

    private static func get(_ session: Session) throws {
        let url = try url(session)
        let place = try session.helperPlace()
        guard let entry = try place.open(DockerServer.key(url)) else {
            throw DockerRefusal.notFound
        }
        var found = try credential(entry, url, place)
        defer { wipe(&found.secret) }
        var answer = found.answer
        defer { wipe(&answer) }
        try session.console.write(answer.span)
    }

    private static func store(_ session: Session) throws {
        let input = try HelperInput.read(session) { _ in false }
        let request = input.bytes
        var given = try DockerCredential(storing: request)
        defer { wipe(&given.secret) }
        var stored = given.stored
        defer { wipe(&stored) }
        let value = EntryValue(bytes: SecretBytes(SecretBuffer(copying: stored.span)))
        let place = try session.helperPlace()
        try session.storing(in: place) { () throws(Failure) in
            try place.set(DockerServer.key(given.serverURL), value, mustBeAbsent: false)
        }
    }

    private static func erase(_ session: Session) throws {
        let url = try url(session)
        try session.helperPlace().del([DockerServer.key(url)])
    }

    /// Registries and accounts; what cannot be read is left out, with a line on standard error.
    private static func list(_ session: Session) throws {
        let place = try session.helperPlace()
        let listing = try place.list()
        var accounts: [(url: String, username: String)] = []
        for entry in listing.below(DockerServer.folder) where entry.key != DockerServer.folder {
            guard let url = DockerServer.url(ofKey: entry.key) else {
                session.console.complain(
                    Escaping.shown(entry.key) + ": is no key of a registry, which is left out")
                continue
            }
            do throws(Failure) {
                // One that was removed meanwhile is left out.
                guard let pieces = try place.open(entry.key) else { continue }
                var found = try credential(pieces, url, place)
                wipe(&found.secret)
                accounts.append((url, found.username))
            } catch {
                guard error != .interrupted else { throw error }
                session.console.complain(error.line)
            }
        }
        for failure in listing.failures
        where failure.mayConcern(keysBelow: DockerServer.folder + "/") {
            session.console.complain(failure.line)
        }
        let answer = DockerServer.list(accounts)
        try session.console.write(answer.span)
    }

    private static func url(_ session: Session) throws -> String {
        let input = try HelperInput.read(session) { _ in false }
        let request = input.bytes
        return try DockerServer.url(reading: request)
    }

    private static func credential(
        _ entry: any EntryPieces, _ url: String, _ place: VaultPlace
    ) throws(Failure) -> DockerCredential {
        let key = DockerServer.key(url)
        guard let value = try place.helperValue(entry) else {
            throw Failure(.failed, key, "the value is too large for a credential")
        }
        do throws(DockerRefusal) {
            let stored = value.bytes
            return try DockerCredential(stored: stored, serverURL: url)
        } catch {
            throw Failure(
                .failed, key, "the value is \(error.description)",
                advice: "log in again, or remove the entry")
        }
    }
}
