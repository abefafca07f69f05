import Glibc
import StrongroomSystem
import Testing

/// Commands that are run for what they print.
@Suite struct SubprocessTests {
    private func capture(
        _ command: Path, environment: Environment = .current, timeoutSeconds: Double = 30,
        byteCountLimit: Int = 65_536
    ) throws -> (Subprocess.Outcome.Ending, [UInt8]) {
        var buffer = [UInt8](repeating: 7, count: byteCountLimit)
        var span = buffer.mutableSpan
        let outcome = try Subprocess.capture(
            shell: command, environment: environment, timeoutSeconds: timeoutSeconds, into: &span)
        return (outcome.ending, Array(buffer[..<outcome.byteCount]))
    }

    @Test func `what a command prints comes back, byte for byte`() throws {
        let (ending, bytes) = try capture("printf 'a\\000b\\n\\377'")
        #expect(ending == .status(0))
        #expect(bytes == [0x61, 0, 0x62, 0x0a, 0xff])
    }

    @Test func `status and signal are told`() throws {
        #expect(try capture("exit 42").0 == .status(42))
        #expect(try capture("kill -TERM $$").0 == .signal(SIGTERM))
        #expect(try capture("no-such-command-anywhere 2>/dev/null").0 == .status(127))
    }

    @Test func `standard input is empty, and no descriptor of ours is there`() throws {
        let file = try OpenFile.open("/", [.read, .directory], fileSystem: RealFileSystem())
        // One that a caller left open for children, as a shell does.
        try StandardStream(number: file.descriptor.number).setCloseOnExec(false)
        let (_, input) = try capture("wc -c")
        #expect(String(decoding: input, as: UTF8.self) == "0\n")
        // The listing itself takes a descriptor.
        let (_, open) = try capture("ls /proc/self/fd | tr '\\n' ' '")
        #expect(String(decoding: open, as: UTF8.self) == "0 1 2 3 ")
        withExtendedLifetime(file) {}
    }

    @Test func `the environment is the one given`() throws {
        let environment = Environment(["PATH": "/usr/bin:/bin", "ONE": "1 = one"])
        let (_, bytes) = try capture(
            "env | sort | grep -v ^PWD= | grep -v ^_=", environment: environment)
        #expect(String(decoding: bytes, as: UTF8.self) == "ONE=1 = one\nPATH=/usr/bin:/bin\n")
    }

    @Test func `a command that takes too long is killed with all that it started`() throws {
        let temporary = try TemporaryDirectory()
        let command = Path("echo $$ > \(temporary.path)/pid; sleep 1000 & sleep 1000; echo late")
        let error = #expect(throws: SystemError.self) {
            try capture(command, timeoutSeconds: 0.2)
        }
        #expect(error?.code == ErrorCode.timedOut)
        let text = try temporary.text("pid")
        let group = try #require(Int32(text.dropLast()))
        #expect(eventually { kill(-group, 0) != 0 })
    }

    private struct Interrupted: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var signal: Int32
        var script = "sleep 1000 & sleep 1000"
        var isWatched = false
        var ending: ChildProcess.Ending { isWatched ? .status(1) : .signal(signal) }
    }

    @Test(arguments: [
        Interrupted(testDescription: "TERM", signal: SIGTERM),
        Interrupted(testDescription: "INT", signal: SIGINT),
        Interrupted(testDescription: "HUP", signal: SIGHUP),
        Interrupted(testDescription: "QUIT", signal: SIGQUIT),
        Interrupted(
            testDescription: "TERM, of a command that has closed its output", signal: SIGTERM,
            script: "exec >&-; sleep 1000"),
        Interrupted(
            testDescription: "TERM, of one that ignores it", signal: SIGTERM,
            script: "trap '' TERM; sleep 1000"),
        Interrupted(testDescription: "TERM, noted", signal: SIGTERM, isWatched: true),
    ])
    private func `a signal that ends us ends the command first`(_ row: Interrupted) throws {
        let temporary = try TemporaryDirectory()
        let child = try ChildProcess.probe(
            row.isWatched ? "capture-watched" : "capture",
            "echo $$ > \(temporary.path)/new; mv \(temporary.path)/new \(temporary.path)/pid; "
                + row.script)
        #expect(try eventually { try temporary.directory.status(of: "pid") != nil })
        let group = try #require(Int32(try temporary.text("pid").dropLast()))
        child.signal(row.signal)
        #expect(child.wait(seconds: 10) == row.ending)
        #expect(eventually(seconds: 10) { kill(-group, 0) != 0 })
    }

    @Test func `after a command signals have the effects that they had`() throws {
        for (command, ending) in [
            ("capture", ChildProcess.Ending.signal(SIGTERM)), ("capture-watched", .status(0)),
        ] {
            let child = try ChildProcess.probe(command, "printf 1")
            #expect(try child.readLine() == "got 1")
            child.signal(SIGTERM)
            child.closeInput()
            // Whoever dies of the signal may have read the end of its input first.
            let found = child.wait()
            #expect(found == ending || (command == "capture" && found == .status(0)))
        }
    }

    @Test func `a command that closes its output and stays is killed too`() throws {
        let error = #expect(throws: SystemError.self) {
            try capture("exec >&-; exec sleep 1000", timeoutSeconds: 0.2)
        }
        #expect(error?.code == ErrorCode.timedOut)
    }

    @Test func `a command that prints too much is killed, one that just fits is not`() throws {
        #expect(try capture("printf 12345678", byteCountLimit: 8).1.count == 8)
        let error = #expect(throws: SystemError.self) {
            try capture("printf 123456789; exec sleep 1000", byteCountLimit: 8)
        }
        #expect(error?.code == ErrorCode.fileTooLarge)
    }

    @Test func `after a throw nothing of what was printed is left`() {
        var buffer = [UInt8](repeating: 7, count: 4)
        var span = buffer.mutableSpan
        do {
            _ = try Subprocess.capture(
                shell: "printf 12345", environment: .current, into: &span)
            Issue.record("no throw")
        } catch {
            // The command may hold a secret: no error tells it.
            #expect(!error.path.contains("12345"))
        }
        #expect(buffer == [0, 0, 0, 0])
    }

    @Test func `a command that stops itself is not waited for`() throws {
        let error = #expect(throws: SystemError.self) { try capture("kill -STOP $$") }
        #expect(error?.code == ErrorCode.notTerminal)
    }

    @Test func `a command with a NUL is refused`() {
        let error = #expect(throws: SystemError.self) {
            try capture(Path(bytes: [0x61, 0, 0x62]))
        }
        #expect(error?.code == ErrorCode.invalid)
    }
}
