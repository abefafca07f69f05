import StrongroomCrypto
import StrongroomFormats
import StrongroomSystem
import StrongroomVault

/// `exec`: another program takes the place of the command, with values in its environment.
enum ExecCommand {
    /// The longest text of a variable, `NAME=VALUE` with its final NUL: 32 pages (execve(2), `MAX_ARG_STRLEN`).
    private static let textByteCountLimit = 131_072

    /// The variables that `--pristine` keeps.
    private static let pristineNames: [Path] = [
        "PATH", "HOME", "USER", "LANG", "TERM", "TMPDIR",
    ]

    /// Runs it; it comes back only to say why nothing was started.
    static func run(_ session: Session) throws(Failure) {
        do throws(Failure) {
            try start(session)
        } catch {
            throw ofExec(error)
        }
    }

    private static func start(_ session: Session) throws(Failure) {
        let folder = try session.folder(
            session.invocation.options[.prefix], named: OptionName.prefix.written)
        var place: (any EntryPlace)?
        let variables = try ExecVariables(session.invocation, folder: folder) {
            () throws(Failure) in
            let opened = try session.place()
            place = opened
            return try opened.list()
        }
        var environment = session.environment.withoutOurs
        if session.invocation.has(.pristine) {
            environment.remove { !pristineNames.contains($0) }
        }
        var largest: (key: String, byteCount: UInt64)?
        var isComplete = true
        for variable in variables.all {
            do throws(Failure) {
                if place == nil { place = try session.place() }
                guard let place else { continue }
                let value = try value(of: variable, in: place)
                if !variable.isFile, value.byteCount > largest?.byteCount ?? 0 {
                    largest = (variable.key, value.byteCount)
                }
                environment.set(Path(variable.name.text), to: value.text)
            } catch {
                session.report(ofExec(error))
                isComplete = false
            }
        }
        guard isComplete else { return }
        try becomeProgram(session, environment, largest: largest?.key)
    }

    /// What a variable is set to.
    ///
    /// Plain copies of it are gone with this program's memory when the other one starts.
    private static func value(
        of variable: ExecVariables.Variable, in place: any EntryPlace
    ) throws(Failure) -> (text: Path, byteCount: UInt64) {
        let key = variable.key
        guard let pieces = try place.open(key) else { throw Failure.noEntry(key) }
        let room = UInt64(textByteCountLimit - variable.name.text.utf8.count - 2)
        guard variable.isFile || pieces.byteCount <= room else {
            throw Failure(
                .notStarted, key, "is too large for a variable", advice: "use --file NAME=KEY")
        }
        let value = SecretBytes(try GetCommand.whole(pieces))
        if variable.isFile {
            do throws(SystemError) {
                let number = try ProgramReplacement.sealedFile(of: value.bytes)
                return (Path("/dev/fd/\(number)"), 0)
            } catch {
                throw Failure(.notStarted, key, "\(error.operation): \(error.meaning)")
            }
        }
        let bytes = value.buffer.copyToArray()
        guard !bytes.contains(0) else {
            throw Failure(
                .notStarted, key, "holds a NUL, which no variable can",
                advice: "use --file NAME=KEY")
        }
        return (Path(bytes: bytes), pieces.byteCount)
    }

    private static func becomeProgram(
        _ session: Session, _ environment: Environment, largest: String?
    ) throws(Failure) {
        let arguments = session.invocation.operands.map { Path(bytes: $0) }
        try closeSources(session)
        try session.console.flush()
        do throws(SystemError) {
            if let limit = session.coreLimit { try ProcessLimits.restoreCoreLimit(limit) }
            try ProgramReplacement.run(arguments, environment: environment)
        } catch {
            let shown = arguments.first?.description ?? ""
            switch error.code {
            case ErrorCode.noEntry: throw Failure(.notFound, shown, "there is no such program")
            case ErrorCode.listTooLong:
                throw Failure(
                    .notStarted, largest ?? shown,
                    "makes the environment larger than the system takes",
                    advice: "use --file NAME=KEY")
            default: throw Failure(.notExecutable, shown, "cannot be run: \(error.meaning)")
            }
        }
    }

    /// The program is not to inherit what the key and the passphrase came from.
    private static func closeSources(_ session: Session) throws(Failure) {
        for names in [SecretSource.Names.masterKey, .passphrase] {
            guard
                let source = try SecretSource.named(
                    names, session.invocation, session.environment),
                source.kind == .descriptor
            else { continue }
            let number = try Invocation.number(
                source.value, named: source.name, in: 0...Int(Int32.max))
            guard number > 2 else { continue }
            do throws(SystemError) {
                try StandardStream(number: Int32(number)).setCloseOnExec(true)
            } catch {
                throw Failure(.notStarted, source.name, error.meaning)
            }
        }
    }

    /// Wrong usage is that of any command; whatever else kept the program from being started is 125.
    private static func ofExec(_ failure: Failure) -> Failure {
        switch failure.status {
        case .usage, .notStarted, .notExecutable, .notFound: failure
        default: failure == .interrupted ? failure : failure.ending(with: .notStarted)
        }
    }
}
