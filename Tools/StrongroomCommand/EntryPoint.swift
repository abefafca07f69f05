import StrongroomSystem

/// The process around the command: its streams, its limits and its end.
public enum EntryPoint {
    /// Runs the command with what the process was started with, and ends the process.
    public static func run() -> Never {
        let environment = Environment.current
        do throws(SystemError) {
            try StandardStream.openMissing()
            try ProcessLimits.forbidCoreDumps()
        } catch {
            // Without these a secret could go where nobody expects it.
            Console(.process).complain("\(error.operation): \(error.meaning)")
            ProcessExit.exit(ExitStatus.failed.rawValue)
        }
        Signals.resetInherited()
        let arguments = ProcessArguments.all.dropFirst().map(\.bytes)
        let outcome = Program.run(
            Array(arguments), environment: environment, streams: .process,
            interruption: .process, executable: ProcessArguments.executable)
        switch outcome {
        case .status(let status): ProcessExit.exit(status.rawValue)
        case .interrupted:
            InterruptFlag.raiseAgain()
            ProcessExit.exit(ExitStatus.failed.rawValue)
        }
    }
}
