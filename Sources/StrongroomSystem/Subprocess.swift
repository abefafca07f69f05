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
    /// are interrupted (`ErrorCode.interrupted`; without an `InterruptFlag` in force our process then ends by the signal).
    /// A throw leaves the buffer zero and no process.
    package static func capture(
        shell command: Path, environment: Environment, timeoutSeconds: Double = 30,
        into buffer: inout MutableSpan<UInt8>
    ) throws(SystemError) -> Outcome {
        do throws(SystemError) {
            try RealFileSystem.require(command, "run")
            return try capture(
                "/bin/sh", ["sh", "-c", command], environment, isSilent: false, timeoutSeconds,
                into: &buffer)
        } catch {
            // Not the command: it may have a secret in it.
            throw error.on("sh")
        }
    }

    /// Runs `program`, an absolute path, with `arguments`, its own name first.
    ///
    /// Like `capture(shell:environment:timeoutSeconds:into:)`, but that its environment is empty and its standard error
    /// `/dev/null`.
    package static func capture(
        program: Path, arguments: [Path], timeoutSeconds: Double,
        into buffer: inout MutableSpan<UInt8>
    ) throws(SystemError) -> Outcome {
        try capture(
            program, arguments, Environment([]), isSilent: true, timeoutSeconds, into: &buffer)
    }

    private static func capture(
        _ program: Path, _ arguments: [Path], _ environment: Environment, isSilent: Bool,
        _ timeoutSeconds: Double, into buffer: inout MutableSpan<UInt8>
    ) throws(SystemError) -> Outcome {
        let deadline = Clock.deadline(afterSeconds: timeoutSeconds)
        // The program is in a group of its own: the terminal's signals do not reach it, and our end is not its end.
        InterruptFlag.hold()
        defer { InterruptFlag.letGo() }
        do throws(SystemError) {
            let child = try SpawnedProcess.start(
                program, arguments, environment, isSilent: isSilent)
            do throws(SystemError) {
                let byteCount = try child.read(into: &buffer, until: deadline)
                return Outcome(
                    ending: try child.waitForEnd(until: deadline), byteCount: byteCount)
            } catch {
                child.kill()
                throw error
            }
        } catch {
            Memory.wipe(&buffer)
            throw error
        }
    }
}
