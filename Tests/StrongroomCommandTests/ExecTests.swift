import Glibc
import Testing

/// `exec`: the program that takes the command's place is the parent's own child.
@Suite struct `A program that exec starts` {
    private func vault() throws -> Scratch {
        let scratch = try Scratch()
        let set = try scratch.run("--root", ".", "-q", "set", "k", input: Array("value".utf8))
        #expect(set.status == 0, "\(set.errorText)")
        return scratch
    }

    /// C115: the process that gets the signal is the program itself. (SIGINT is ignored in what a shell starts in the
    /// background.)
    @Test(arguments: [SIGTERM, SIGHUP, SIGUSR1])
    func `gets the signals`(_ signal: Int32) throws {
        let scratch = try vault()
        let result = try scratch.shell(
            """
            mkfifo ready
            "$V" --root . exec --set S=k -- \\
                sh -c 'trap "echo trapped; exit 9" TERM HUP USR1; echo > ready; while :; do sleep 0.01; done' &
            read -r _ < ready; kill -\(signal) $!; wait $!; echo $?
            """)
        #expect(result.outputText == "trapped\n9\n", "\(result.errorText)")
    }

    /// C127: its terminal is ours, and it is the process that we were.
    @Test func `has the terminal`() throws {
        let scratch = try vault()
        let terminal = try TerminalSession(
            #""$V" --root . exec --set S=k -- "#
                + #"sh -c 'test -t 0 && test -t 1 && test -t 2 && tty && echo "[$S]"'"#,
            in: scratch)
        try terminal.expect("/dev/pts/")
        try terminal.expect("[value]")
        #expect(try terminal.wait() == 0)
    }

    /// C049: the value is in the program's environment, and in no other process's nor in any arguments.
    @Test func `is the only one with the value`() throws {
        let scratch = try vault()
        let result = try scratch.shell(
            """
            needle=$(printf NEEDLE-%s 51); mkfifo ready done; printf %s "$needle" | "$V" --root . set k
            "$V" --root . exec --set S=k -- sh -c 'echo > ready; read -r _ < done' & child=$!
            read -r _ < ready
            printf %s "$needle" > pattern; unset needle
            for file in /proc/[0-9]*/cmdline /proc/[0-9]*/environ; do
                grep -aqF -f pattern "$file" 2> /dev/null && echo "$file" | sed "s/\\/$child\\//\\/child\\//"
            done
            echo > done; wait $child
            rm pattern; grep -rlaF -e NEEDLE-5''1 . && echo found
            true
            """)
        #expect(result.outputText == "/proc/child/environ\n", "\(result.errorText)")
    }
}
