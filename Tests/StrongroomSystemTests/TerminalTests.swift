import Glibc
import StrongroomSystem
import Testing

/// Questions on a terminal, typed at by the test (CASES C043, C044, C046).
@Suite struct TerminalTests {
    let terminal: PseudoTerminal

    init() throws { terminal = try PseudoTerminal() }

    @Test func `what is typed at a secret never shows, and the terminal is as before`() throws {
        let child = try ChildProcess.probe("secret", terminal: terminal.path)
        try terminal.waitFor("Passphrase: ")
        #expect(!terminal.echoes)
        try terminal.type("open sésame\n")
        #expect(try child.readLine() == "got 12 open sésame")
        #expect(child.wait() == .status(0))
        try terminal.readShown()
        #expect(terminal.shown == "Passphrase: \r\n")
        #expect(terminal.echoes)
    }

    @Test func `a line that is no secret shows`() throws {
        let child = try ChildProcess.probe("line", terminal: terminal.path)
        try terminal.waitFor("Name: ")
        try terminal.type("ann\n")
        #expect(try child.readLine() == "got ann")
        #expect(child.wait() == .status(0))
        try terminal.readShown()
        #expect(terminal.shown == "Name: ann\r\n")
    }

    @Test func `an empty line is an answer, the end of input is none`() throws {
        let empty = try ChildProcess.probe("secret", terminal: terminal.path)
        try terminal.waitFor("Passphrase: ")
        try terminal.type("\n")
        #expect(try empty.readLine() == "got 0 ")
        #expect(empty.wait() == .status(0))
        terminal.clear()
        let end = try ChildProcess.probe("secret", terminal: terminal.path)
        try terminal.waitFor("Passphrase: ")
        try terminal.type("\u{4}")
        #expect(try end.readLine() == "end")
    }

    @Test func `the keys that correct a line work`() throws {
        let child = try ChildProcess.probe("secret", terminal: terminal.path)
        try terminal.waitFor("Passphrase: ")
        try terminal.type("wrong\u{15}righx\u{7f}t\n")
        #expect(try child.readLine() == "got 5 right")
    }

    @Test func `a line longer than the buffer is refused whole`() throws {
        for (typed, expected) in [
            ("12345678", "got 8 12345678"), ("123456789", "error \(ErrorCode.fileTooLarge)"),
            (String(repeating: "x", count: 200), "error \(ErrorCode.fileTooLarge)"),
        ] {
            terminal.clear()
            let child = try ChildProcess.probe("secret", "8", terminal: terminal.path)
            try terminal.waitFor("Passphrase: ")
            try terminal.type(typed + "\n")
            let line = try #require(try child.readLine())
            #expect(line.hasPrefix(expected))
            #expect(!line.contains("999") && !line.contains("xxx"))
            _ = child.wait()
            #expect(terminal.echoes)
        }
    }

    @Test func `a line longer than a terminal hands over is refused, not cut`() throws {
        let fits = String(repeating: "y", count: Terminal.lineByteCountLimit)
        for (typed, expected) in [
            (fits, "got \(Terminal.lineByteCountLimit) "), (fits + "yy", "error "),
        ] {
            terminal.clear()
            let child = try ChildProcess.probe("secret", terminal: terminal.path)
            try terminal.waitFor("Passphrase: ")
            // In pieces: a terminal takes only so much at once.
            var rest = typed[...]
            while !rest.isEmpty {
                try terminal.type(String(rest.prefix(256)))
                rest = rest.dropFirst(256)
            }
            try terminal.type("\n")
            let line = try #require(try child.readLine())
            #expect(line.hasPrefix(expected))
        }
    }

    @Test(arguments: [
        Named("INT", SIGINT), Named("TERM", SIGTERM), Named("HUP", SIGHUP), Named("QUIT", SIGQUIT),
        Named("ALRM", SIGALRM), Named("USR1", SIGUSR1), Named("XCPU", SIGXCPU),
    ])
    func `a signal ends the question with the terminal as before`(_ signal: Named<Int32>) throws {
        let child = try ChildProcess.probe("secret", terminal: terminal.path)
        try terminal.waitFor("Passphrase: ")
        try terminal.type("half")
        child.signal(signal.value)
        #expect(child.wait() == .signal(signal.value))
        #expect(terminal.echoes)
        try terminal.readShown()
        #expect(!terminal.shown.contains("half"))
    }

    @Test func `the interrupt key does the same`() throws {
        let child = try ChildProcess.probe("secret", terminal: terminal.path)
        try terminal.waitFor("Passphrase: ")
        try terminal.type("half\u{3}")
        #expect(child.wait() == .signal(SIGINT))
        #expect(terminal.echoes)
    }

    @Test(arguments: [Named("TSTP", SIGTSTP), Named("TTIN", SIGTTIN), Named("TTOU", SIGTTOU)])
    func `a stop sets the terminal back, and going on asks again`(_ signal: Named<Int32>) throws {
        // The shell leads the session and controls jobs; what it runs in front is a group of its own.
        let shell = try ChildProcess.shell(
            """
            set -m
            sh -c 'echo $$; exec "$0" secret' "$PROBE"
            echo "stopped $?"
            read line
            fg >/dev/null
            echo "ended $?"
            """, terminal: terminal.path)
        let line = try #require(try shell.readLine())
        let number = try #require(Int32(line))
        try terminal.waitFor("Passphrase: ")
        try terminal.type("half")
        kill(number, signal.value)
        #expect(try shell.readLine() == "stopped \(128 + signal.value)")
        #expect(terminal.echoes)
        terminal.clear()
        try terminal.type("go\n")
        try terminal.waitFor("Passphrase: ")
        #expect(!terminal.echoes)
        try terminal.type("whole\n")
        #expect(try shell.readLine() == "got 5 whole")
        #expect(try shell.readLine() == "ended 0")
        #expect(terminal.echoes)
        try terminal.readShown()
        #expect(!terminal.shown.contains("whole"))
    }

    @Test func `a question from the background waits until it is in front`() throws {
        let shell = try ChildProcess.shell(
            """
            set -m
            "$PROBE" secret & child=$!
            until grep -q '^State:.T' /proc/$child/status; do :; done
            echo stopped
            read line
            fg >/dev/null
            echo "ended $?"
            """, terminal: terminal.path)
        #expect(try shell.readLine() == "stopped")
        #expect(terminal.echoes)
        try terminal.type("go\n")
        try terminal.waitFor("Passphrase: ")
        #expect(!terminal.echoes)
        try terminal.type("front\n")
        #expect(try shell.readLine() == "got 5 front")
        #expect(try shell.readLine() == "ended 0")
        #expect(terminal.echoes)
    }

    @Test func `after a stop that no program sees the echo is off again`() throws {
        let child = try ChildProcess.probe("secret", terminal: terminal.path)
        try terminal.waitFor("Passphrase: ")
        child.signal(SIGSTOP)
        #expect(child.wait(options: WUNTRACED) == .stopped(SIGSTOP))
        terminal.clear()
        terminal.setEcho()
        child.signal(SIGCONT)
        try terminal.waitFor("Passphrase: ")
        #expect(!terminal.echoes)
        try terminal.type("later\n")
        #expect(try child.readLine() == "got 5 later")
    }

    @Test func `a handler that lives on makes the question fail as interrupted`() throws {
        let child = try ChildProcess.probe("secret-handled", terminal: terminal.path)
        try terminal.waitFor("Passphrase: ")
        child.signal(SIGINT)
        let line = try #require(try child.readLine())
        #expect(line.hasPrefix("error \(ErrorCode.interrupted)"))
        #expect(terminal.echoes)
        #expect(child.wait() == .status(1))
    }

    @Test func `without a terminal it fails at once`() throws {
        let child = try ChildProcess.shell("exec setsid -w \"$PROBE\" secret")
        let line = try #require(try child.readLine(seconds: 5))
        #expect(line.hasPrefix("error \(ErrorCode.notTerminal)"))
    }

    @Test func `a pipe is no terminal and has no width`() throws {
        #expect(!Terminal.isTerminal(-1))
        #expect(Terminal.width(of: -1) == nil)
    }
}
