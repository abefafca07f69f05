import Glibc
import StrongroomSystem
import Synchronization
import Testing

/// A process that a test starts, with pipes to it; killed and reaped with its last reference.
final class ChildProcess {
    enum Ending: Equatable {
        case status(Int32)
        case signal(Int32)
        case stopped(Int32)
    }

    /// Between making a pipe and marking it, no other test may start a process.
    private static let starting = Mutex(())

    let number: Int32
    private var input: Int32
    private let output: Int32
    private var pending: [UInt8] = []
    private var isReaped = false

    /// Runs the probe with `arguments`; with a `terminal` in a session of its own, which that terminal controls.
    static func probe(_ arguments: String..., terminal: String? = nil) throws -> ChildProcess {
        let executable = try #require(ProcessArguments.executable)
        let probe = executable.parent.appending("SystemProbe").description
        return try ChildProcess([probe] + arguments, terminal: terminal)
    }

    /// Runs a shell script, in which `$PROBE` is the probe.
    static func shell(
        _ script: String, _ arguments: String..., terminal: String? = nil
    ) throws -> ChildProcess {
        let executable = try #require(ProcessArguments.executable)
        let probe = executable.parent.appending("SystemProbe").description
        return try ChildProcess(
            ["/bin/sh", "-c", "PROBE=\(probe)\n" + script, "sh"] + arguments, terminal: terminal)
    }

    private init(_ arguments: [String], terminal: String?) throws {
        let (number, input, output) = try Self.starting.withLock { _ in
            try Self.start(arguments, terminal: terminal)
        }
        self.number = number
        self.input = input
        self.output = output
    }

    deinit {
        closeInput()
        close(output)
        if !isReaped {
            kill(number, SIGKILL)
            waitpid(number, nil, 0)
        }
    }

    private static func start(
        _ arguments: [String], terminal: String?
    ) throws -> (Int32, Int32, Int32) {
        let (toChild, fromChild) = (try pipe(), try pipe())
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe _ = posix_spawn_file_actions_destroy(&actions) }
        if let terminal {
            // Opened by the leader of a new session it becomes the controlling terminal.
            unsafe posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
        } else {
            unsafe posix_spawn_file_actions_adddup2(&actions, toChild.0, 0)
        }
        unsafe posix_spawn_file_actions_adddup2(&actions, fromChild.1, 1)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe _ = posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        let session: Int32 = terminal == nil ? 0 : 0x80  // POSIX_SPAWN_SETSID
        unsafe posix_spawnattr_setflags(
            &attributes, Int16(Int32(POSIX_SPAWN_SETSIGMASK) | session))
        var texts = unsafe arguments.map { unsafe strdup($0) } + [nil]
        defer { for index in arguments.indices { unsafe free(texts[index]) } }
        var process: pid_t = 0
        let code = unsafe posix_spawn(
            &process, arguments[0], &actions, &attributes, &texts, environ)
        close(toChild.0)
        close(fromChild.1)
        try #require(code == 0, "cannot start \(arguments[0])")
        return (process, toChild.1, fromChild.0)
    }

    private static func pipe() throws -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        try #require(unsafe Glibc.pipe(&ends) == 0)
        for end in ends { try StandardStream(number: end).setCloseOnExec(true) }
        return (ends[0], ends[1])
    }

    /// Ends the child's standard input.
    func closeInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    /// Writes to the child's standard input.
    func write(_ text: String) throws {
        let bytes = Array(text.utf8)
        try StandardStream(number: input).write(bytes.span)
    }

    /// The next line of the child's standard output, nil at its end.
    func readLine(seconds: Double = 20) throws -> String? {
        while true {
            if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: pending[..<end], as: UTF8.self)
                pending.removeFirst(end + 1)
                return line
            }
            var request = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            let count = unsafe poll(&request, 1, Int32(seconds * 1000))
            try #require(count > 0, "the child said nothing in time")
            var piece = [UInt8](repeating: 0, count: 65_536)
            var span = piece.mutableSpan
            let byteCount = try StandardStream(number: output).read(into: &span)
            if byteCount == 0 {
                defer { pending = [] }
                return pending.isEmpty ? nil : String(decoding: pending, as: UTF8.self)
            }
            pending += piece[..<byteCount]
        }
    }

    func signal(_ signal: Int32) { kill(number, signal) }

    /// How the child ended, or that it stopped.
    func wait(options: Int32 = 0, seconds: Double = 20) -> Ending? {
        var status: Int32 = 0
        let isSeen = eventually(seconds: seconds) {
            unsafe waitpid(number, &status, options | WNOHANG) == number
        }
        guard isSeen else { return nil }
        if status & 0xff == 0x7f { return .stopped((status >> 8) & 0xff) }
        if status == 0xffff { return nil }
        isReaped = true
        return status & 0x7f == 0 ? .status((status >> 8) & 0xff) : .signal(status & 0x7f)
    }
}
