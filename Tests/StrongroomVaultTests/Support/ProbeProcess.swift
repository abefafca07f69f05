import Glibc
import StrongroomSystem
import Synchronization
import Testing

/// A `VaultProbe` that a test starts, with pipes to it; killed and reaped with its last reference.
final class ProbeProcess {
    /// Between making a pipe and marking it, no other test may start a process.
    private static let starting = Mutex(())

    let number: Int32
    private var input: Int32
    private let output: Int32
    private var pending: [UInt8] = []
    private var isReaped = false

    convenience init(_ command: String, _ root: Path, _ arguments: String...) throws {
        let executable = try #require(ProcessArguments.executable)
        let probe = executable.parent.appending("VaultProbe").description
        try self.init([probe, command, root.description] + arguments)
    }

    /// The same as an unprivileged user, who owns what lies below `root`.
    convenience init(
        unprivileged command: String, umask: String, _ root: Path, _ arguments: String...
    ) throws {
        let executable = try #require(ProcessArguments.executable)
        let probe = executable.parent.appending("VaultProbe").description
        let user = "\(ProbeProcess.user)"
        try self.init([probe, "as", user, umask, command, root.description] + arguments)
    }

    /// Whom that user is: nobody, or who runs the tests.
    static var user: UInt32 { Identity.isRoot ? 65_534 : Identity.effectiveUser }

    private init(_ all: [String]) throws {
        (number, input, output) = try Self.starting.withLock { _ in try Self.start(all) }
    }

    deinit {
        closeInput()
        close(output)
        if !isReaped {
            kill(number, SIGKILL)
            waitpid(number, nil, 0)
        }
    }

    private static func start(_ arguments: [String]) throws -> (Int32, Int32, Int32) {
        let (toChild, fromChild) = (try pipe(), try pipe())
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe _ = posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, toChild.0, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, fromChild.1, 1)
        var texts = unsafe arguments.map { unsafe strdup($0) } + [nil]
        defer { for index in arguments.indices { unsafe free(texts[index]) } }
        var process: pid_t = 0
        let code = unsafe posix_spawn(&process, arguments[0], &actions, nil, &texts, environ)
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

    /// Ends the probe's standard input, which ends its loops.
    func closeInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    func write(_ text: String) throws {
        try StandardStream(number: input).write(Array(text.utf8).span)
    }

    /// The next line of the probe's standard output, nil at its end, or if it takes longer than `seconds`.
    func readLine(seconds: Double = 60) throws -> String? {
        while true {
            if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: pending[..<end], as: UTF8.self)
                pending.removeFirst(end + 1)
                return line
            }
            var request = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&request, 1, Int32(seconds * 1000)) > 0 else { return nil }
            var piece = [UInt8](repeating: 0, count: 65_536)
            var span = piece.mutableSpan
            let byteCount = try StandardStream(number: output).read(into: &span)
            // What a killed process wrote of a line is none.
            if byteCount == 0 { return nil }
            pending += piece[..<byteCount]
        }
    }

    /// Every line until the probe closes its output.
    func readToEnd() throws -> [String] {
        var lines: [String] = []
        while let line = try readLine() { lines.append(line) }
        return lines
    }

    /// SIGKILL, and the end of the process.
    func killNow() {
        kill(number, SIGKILL)
        waitpid(number, nil, 0)
        isReaped = true
    }

    /// The exit status, once its output has ended.
    func status() throws -> Int32 {
        var status: Int32 = 0
        try #require(unsafe waitpid(number, &status, 0) == number)
        isReaped = true
        return status & 0x7f == 0 ? (status >> 8) & 0xff : -(status & 0x7f)
    }
}
