package import StrongroomSystem

/// The command, from its arguments to its exit status.
package enum Program {
    /// What `--version` shows.
    static let version = "0.1.0"

    /// How a run ended.
    package enum Outcome: Equatable, Sendable {
        /// With this exit status.
        case status(ExitStatus)
        /// A signal stopped it; all is tidied up, and the signal is to be raised again.
        case interrupted
    }

    /// Runs the command line `arguments`, without the program's name.
    ///
    /// Nothing of the process is used but what is given here, so a test can run it; only a prompt goes to the controlling
    /// terminal.
    package static func run(
        _ arguments: [[UInt8]], environment: Environment, streams: CommandStreams,
        interruption: Interruption, fileSystem: any FileSystem = RealFileSystem(),
        executable: Path? = nil, coreLimit: ProcessLimits.CoreLimit? = nil
    ) -> Outcome {
        let console = Console(streams)
        do throws(Failure) {
            let invocation = try ArgumentParser.parse(arguments)
            console.isQuiet = invocation.has(.quiet)
            if try !answered(invocation, console) {
                let session = Session(
                    invocation, environment: environment, console: console,
                    interruption: interruption, fileSystem: fileSystem, executable: executable,
                    coreLimit: coreLimit)
                return outcome(of: session)
            }
            try console.finish()
        } catch {
            if error == .noCommand { console.writeError(Array((HelpText.usage + "\n").utf8).span) }
            console.complain(error.line)
            return .status(error.status)
        }
        return .status(.done)
    }

    private static func outcome(of session: Session) -> Outcome {
        var said: Failure?
        do throws(Failure) { try run(session) } catch {
            if error == Failure.interrupted { return .interrupted }
            session.report(error)
            said = error
        }
        session.noteAnchorFailure()
        // Output that failed fails again when it is closed.
        do throws(Failure) { try session.console.finish() } catch {
            if error != said { session.report(error) }
        }
        return .status(session.status)
    }

    /// Answers `--version` and `--help`, which need no vault; false if neither is asked for.
    private static func answered(
        _ invocation: Invocation, _ console: Console
    ) throws(Failure) -> Bool {
        if invocation.has(.version) {
            try console.writeLine("strongroom " + version)
            return true
        }
        guard invocation.has(.help) else { return false }
        try console.write(invocation.command.map(HelpText.command) ?? HelpText.general)
        return true
    }

    private static func run(_ session: Session) throws(Failure) {
        switch session.invocation.command {
        case .initialize: try InitCommand.run(session)
        case .set: try SetCommand.run(session)
        case .get: try GetCommand.run(session)
        case .del: try DelCommand.run(session)
        case .list: try ListCommand.run(session)
        case .move: try Transfer.move(session)
        case .copy: try Transfer.copy(session)
        case .rotate: try RotateCommand.run(session)
        case .passphraseSet: try PassphraseCommand.set(session)
        case .passphraseRemove: try PassphraseCommand.remove(session)
        case .keyNew: try KeyCommand.new(session)
        case .keyShowID: try KeyCommand.showID(session)
        case .keyExport: try KeyCommand.export(session)
        case .keyImport: try KeyCommand.importKey(session)
        case .check: try CheckCommand.run(session)
        case .compact: try CompactCommand.run(session)
        case .status: try StatusCommand.run(session)
        case .export: try ExportCommand.run(session)
        case .importEntries: try ImportCommand.run(session)
        case .exec: try ExecCommand.run(session)
        case .gitCredential: try GitCredentialCommand.run(session)
        case .dockerCredential: try DockerCredentialCommand.run(session)
        case .help, nil: try HelpCommand.run(session)
        }
    }
}
