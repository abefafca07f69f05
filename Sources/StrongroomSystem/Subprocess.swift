import CLinux
import Glibc

/// Running a command for what it prints.
package enum Subprocess {
    /// How a command ended, and how many bytes it printed.
    package struct Outcome: Equatable, Sendable {
        /// Its exit status, or the signal that ended it.
        package enum Ending: Equatable, Sendable {
            case status(Int32)
            case signal(Int32)
        }
        /// How it ended.
        package var ending: Ending
        /// Bytes in the front of the buffer.
        package var byteCount: Int
    }

    /// Runs `sh -c command` and puts what it prints on standard output into the front of `buffer`.
    ///
    /// Its standard input is `/dev/null`, its standard error ours, its environment the one given; no descriptor of
    /// ours is open in it. It runs in a process group of its own, the whole of which is killed when
    /// `timeoutSeconds` are over (`ErrorCode.timedOut`), when it prints more than the buffer holds
    /// (`ErrorCode.fileTooLarge`), when it stops because it wants the terminal (`ErrorCode.notTerminal`), or when we
    /// are interrupted (`ErrorCode.interrupted`). A throw leaves the buffer zero and no process.
    package static func capture(
        shell command: Path, environment: Environment, timeoutSeconds: Double = 30,
        into buffer: inout MutableSpan<UInt8>
    ) throws(SystemError) -> Outcome {
        do throws(SystemError) {
            return try captureUnguarded(command, environment, timeoutSeconds, into: &buffer)
        } catch {
            Memory.wipe(&buffer)
            // Not the command: it may have a secret in it.
            throw error.on("sh")
        }
    }

    private static func captureUnguarded(
        _ command: Path, _ environment: Environment, _ timeoutSeconds: Double,
        into buffer: inout MutableSpan<UInt8>
    ) throws(SystemError) -> Outcome {
        let deadline = Clock.deadline(afterSeconds: timeoutSeconds)
        let child = try ShellProcess.start(command, environment)
        do throws(SystemError) {
            let byteCount = try child.read(into: &buffer, until: deadline)
            return Outcome(
                ending: try child.waitForEnd(until: deadline), byteCount: byteCount)
        } catch {
            child.kill()
            throw error
        }
    }
}
