import Glibc
import StrongroomSystem
import Testing

/// Signals, limits, streams and arguments of a process.
@Suite struct ProcessTests {
    let temporary: TemporaryDirectory

    init() throws { temporary = try TemporaryDirectory() }

    @Test(arguments: [Named("INT", SIGINT), Named("TERM", SIGTERM), Named("HUP", SIGHUP)])
    func `an interrupted process tidies up and dies of the signal`(_ signal: Named<Int32>) throws {
        let child = try ChildProcess.probe("interrupt")
        #expect(try child.readLine() == "ready")
        child.signal(signal.value)
        #expect(try child.readLine() == "tidy")
        #expect(child.wait() == .signal(signal.value))
    }

    @Test func `a signal that was ignored stays ignored`() throws {
        let child = try ChildProcess.shell("trap '' HUP; exec \"$PROBE\" interrupt")
        #expect(try child.readLine() == "ready")
        child.signal(SIGHUP)
        child.signal(SIGTERM)
        #expect(try child.readLine() == "tidy")
        #expect(child.wait() == .signal(SIGTERM))
    }

    @Test func `a process that is stuck dies of a second signal`() throws {
        let child = try ChildProcess.probe("stuck")
        #expect(try child.readLine() == "ready")
        child.signal(SIGINT)
        #expect(try child.readLine() == "noted")
        // Sooner it counts as the same one, sent on by a wrapper.
        let isOver = Clock.deadline(afterSeconds: 20) ?? .max
        var ending: ChildProcess.Ending?
        while ending == nil, Clock.monotonic() < isOver {
            child.signal(SIGINT)
            ending = child.wait(seconds: 0.1)
        }
        #expect(ending == .signal(SIGINT))
    }

    @Test func `a process that leaves no core dump can still name an unnamed file`() throws {
        let child = try ChildProcess.probe("core", temporary.path.description)
        #expect(try child.readLine() == "linked")
        #expect(child.wait() == .status(0))
    }

    @Test func `a crash leaves no report of what was in memory`() throws {
        let child = try ChildProcess.shell(
            "ulimit -c unlimited; cd \"$1\"; exec \"$PROBE\" crash 2>&1",
            temporary.path.description)
        #expect(try child.readLine() == nil)
        #expect(child.wait() == .signal(SIGSEGV))
        #expect(try temporary.names() == [])
    }

    @Test func `a write over the limit of a file's size is an error, not the end`() throws {
        let child = try ChildProcess.shell(
            "ulimit -f 8; exec \"$PROBE\" large \"$1\"", temporary.path.description)
        #expect(try child.readLine() == "error \(ErrorCode.fileTooLarge)")
        #expect(try child.readLine() == "error \(ErrorCode.fileTooLarge)")
        #expect(child.wait() == .status(0))
    }

    @Test func `a stream passes through whatever its size`() throws {
        let child = try ChildProcess.shell(
            "head -c 3000000 /dev/zero | \"$PROBE\" streams | wc -c")
        #expect(try child.readLine() == "3000000")
    }

    @Test func `streams that are closed at the start become the null device`() throws {
        let child = try ChildProcess.shell(
            "\"$PROBE\" standard 3>&1 0<&- 1>&- 2>&-")
        #expect(try child.readLine() == "/dev/null /dev/null /dev/null")
    }

    @Test func `a pipe that nobody reads ends the process in silence`() throws {
        let child = try ChildProcess.shell(
            "exec 3>&1; { \"$PROBE\" flood; echo \"status $?\" >&3; } | head -c 1 >/dev/null")
        #expect(try child.readLine() == "status \(128 + SIGPIPE)")
    }

    @Test func `the same where a parent ignored the signal`() throws {
        let child = try ChildProcess.shell(
            "trap '' PIPE; exec 3>&1; { \"$PROBE\" flood; echo \"status $?\" >&3; } | head -c 1 >/dev/null"
        )
        #expect(try child.readLine() == "status \(128 + SIGPIPE)")
    }

    @Test func `arguments are bytes`() throws {
        let child = try ChildProcess.shell(
            "exec \"$PROBE\" arguments \"$(printf 'a\\377')\" ''")
        #expect(try child.readLine() == "[97, 255]")
        #expect(try child.readLine() == "[]")
    }

    @Test func `arguments are there where no descriptor is free`() throws {
        let child = try ChildProcess.shell(
            "ulimit -n 40; export PROBE_FULL=1; exec \"$PROBE\" arguments a")
        #expect(try child.readLine() == "[97]")
    }

    @Test func `the executable knows where it is`() throws {
        let executable = try #require(ProcessArguments.executable)
        #expect(executable.isAbsolute)
        #expect(
            try RealFileSystem().status(executable, at: nil, followLink: false).kind == .regular)
    }

    @Test func `a descriptor that is not open says so`() {
        let stream = StandardStream(number: 999)
        #expect(!stream.isOpen)
        let error = #expect(throws: SystemError.self) { try stream.readAll(limit: 1) }
        #expect(error?.path == "descriptor 999")
    }
}
