import StrongroomSystem

/// The process around the command: its streams, its limits and its end.
public enum EntryPoint {
    /// Runs the command with what the process was started with, and ends the process.
    public static func run() -> Never {
        let environment = Environment.current
        let coreLimit: ProcessLimits.CoreLimit
        do throws(SystemError) {
            try StandardStream.openMissing()
            coreLimit = try ProcessLimits.forbidCoreDumps()
        } catch {
            // Without these a secret could go where nobody expects it.
            Console(.process).complain("\(error.operation): \(error.meaning)")
            ProcessExit.exit(ExitStatus.failed.rawValue)
        }
        Signals.resetInherited()
        let arguments = InvokedName.arguments(ProcessArguments.all.map(\.bytes))
        let outcome = Program.run(
            arguments, environment: environment, streams: .process,
            interruption: .process, executable: ProcessArguments.executable, coreLimit: coreLimit)
        switch outcome {
        case .status(let status): ProcessExit.exit(status.rawValue)
        case .interrupted:
            InterruptFlag.raiseAgain()
            ProcessExit.exit(ExitStatus.failed.rawValue)
        }
    }
}
