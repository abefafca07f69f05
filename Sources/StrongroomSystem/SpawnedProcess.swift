import CLinux
import Glibc

/// A program that was started, in a process group of its own, and the pipe that it prints into.
final class SpawnedProcess {
    private enum State: Sendable {
        case running
        case stopped
        case ended
    }

    /// For messages.
    private let name: Path
    private let process: Int32
    private let output: Int32
    /// What a thread that waits in the kernel has seen.
    ///
    /// The process is reaped only by `reap`, so until then its number is no other's.
    private let state: Monitor<State>

    private init(name: Path, process: Int32, output: Int32) {
        self.name = name
        self.process = process
        self.output = output
        state = Monitor(.running)
    }

    deinit { _ = close(output) }

    /// Starts `program` with `arguments`, its own name first; `isSilent` if its standard error is nobody's business.
    static func start(
        _ program: Path, _ arguments: [Path], _ environment: Environment, isSilent: Bool
    ) throws(SystemError) -> SpawnedProcess {
        let name = program.lastComponent
        for text in [program] + arguments {
            guard !text.bytes.contains(0) else {
                throw SystemError(operation: "run", path: name.description, code: EINVAL)
            }
        }
        var ends: (Int32, Int32) = (-1, -1)
        let piped = unsafe withUnsafeMutableBytes(of: &ends) { bytes in
            unsafe strongroom_pipe(bytes.assumingMemoryBound(to: Int32.self).baseAddress)
        }
        guard piped == 0 else { throw .last("make a pipe", "") }
        var process: Int32 = 0
        let code = unsafe program.withCString { program in
            unsafe CStrings.with(arguments) { arguments in
                unsafe environment.withCStrings { environment in
                    unsafe strongroom_spawn(
                        program, arguments, environment, ends.1, isSilent ? 1 : 0, &process)
                }
            }
        }
        _ = close(ends.1)
        guard code == 0 else {
            _ = close(ends.0)
            throw SystemError(operation: "run", path: name.description, code: code)
        }
        let child = SpawnedProcess(name: name, process: process, output: ends.0)
        do {
            try Threads.start(name: "child") { [state = child.state, process] in
                watch(process, state)
            }
        } catch {
            _ = Glibc.kill(-process, SIGKILL)
            child.reap()
            throw error
        }
        return child
    }

    /// What is printed, up to the end: how many bytes.
    func read(
        into buffer: inout MutableSpan<UInt8>, until deadline: Int64?
    ) throws(SystemError) -> Int {
        var filled = 0
        while true {
            try waitUntilReadable(deadline)
            let count: Int
            if filled < buffer.count {
                var rest = buffer._mutatingExtracting(filled..<buffer.count)
                count = unsafe rest.withUnsafeMutableBytes { bytes in
                    unsafe Glibc.read(output, bytes.baseAddress, bytes.count)
                }
            } else {
                var more: UInt8 = 0
                count = unsafe Glibc.read(output, &more, 1)
                if count > 0 { throw error(ErrorCode.fileTooLarge) }
            }
            if count == 0 { return filled }
            if count > 0 {
                filled += count
            } else if errno != EINTR {
                throw .last("read", "")
            }
        }
    }

    /// How it ends; the process is gone then.
    func waitForEnd(until deadline: Int64?) throws(SystemError) -> Subprocess.Outcome.Ending {
        let state = state.wait(until: deadline, endsOnInterrupt: true) { state -> State? in
            if case .running = state { nil } else { state }
        }
        switch state {
        case .ended: return reap()
        case .stopped: throw error(ErrorCode.notTerminal)
        default:
            throw error(InterruptFlag.isRaised ? ErrorCode.interrupted : ErrorCode.timedOut)
        }
    }

    /// Kills the whole process group and waits until its leader is gone.
    func kill() {
        _ = Glibc.kill(-process, SIGKILL)
        reap()
    }

    @discardableResult
    private func reap() -> Subprocess.Outcome.Ending {
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0 {
            // Somebody else reaped it: nothing is known of it, and nothing good.
            guard errno == EINTR else { return .signal(SIGKILL) }
        }
        // WIFEXITED and its kin are macros that Swift does not import.
        let signal = status & 0x7f
        return signal == 0 ? .status((status >> 8) & 0xff) : .signal(signal)
    }

    private func waitUntilReadable(_ deadline: Int64?) throws(SystemError) {
        while true {
            if InterruptFlag.isRaised { throw error(ErrorCode.interrupted) }
            // A stopped child prints nothing: it is looked after now and then.
            let isStopped = state.change { state in
                if case .stopped = state { true } else { false }
            }
            if isStopped { throw error(ErrorCode.notTerminal) }
            var milliseconds: Int64 = 100
            if let deadline {
                let rest = (deadline - Clock.monotonic() + 999_999) / 1_000_000
                if rest <= 0 { throw error(ErrorCode.timedOut) }
                milliseconds = min(rest, milliseconds)
            }
            var request = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            let count = unsafe poll(&request, 1, Int32(milliseconds))
            if count > 0 { return }
            if count < 0, errno != EINTR { throw .last("wait", "") }
        }
    }

    /// Waits, on a thread of its own, until the process ends or stops, and leaves it to be reaped.
    private static func watch(_ process: Int32, _ state: Monitor<State>) {
        while true {
            var info = unsafe siginfo_t()
            let options = WEXITED | WSTOPPED | WNOWAIT
            if unsafe waitid(P_PID, id_t(process), &info, options) != 0 {
                if errno == EINTR { continue }
                break
            }
            if unsafe info.si_code == CLD_STOPPED {
                state.change { $0 = .stopped }
                return
            }
            break
        }
        state.change { $0 = .ended }
    }

    private func error(_ code: Int32) -> SystemError {
        SystemError(operation: "run", path: name.description, code: code)
    }
}
