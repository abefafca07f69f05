import Foundation
import Testing

/// What people see who use the command on a terminal.
///
/// Sealing a key takes a second of a processor, so each test makes one sealed vault at most.
@Suite struct `On a terminal` {
    private func vault(sealed: Bool = false) throws -> Scratch {
        let scratch = try Scratch()
        try scratch.write(Array("correct horse".utf8), to: scratch.path + "/pw")
        let made = try scratch.shell(
            sealed
                ? #""$V" -q --root . init --passphrase --new-passphrase-file pw"#
                : #""$V" -q --root . init"#)
        #expect(made.status == 0, "\(made.errorText)")
        let set = try scratch.shell(
            #"printf value | "$V" -q --root . --passphrase-file pw set k"#)
        #expect(set.status == 0, "\(set.errorText)")
        return scratch
    }

    @Test func `a passphrase is asked for on the terminal, not shown, and not in the output`()
        throws
    {
        let scratch = try vault(sealed: true)
        let terminal = try TerminalSession(
            #"x=$("$V" --root . get k < /dev/null 2> errors); printf '[%s]' "$x"; cat errors"#,
            in: scratch)
        try terminal.expect("Passphrase of the master key: ")
        terminal.type("correct horse\n")
        try terminal.expect("[value]")
        #expect(try terminal.wait() == 0)
        #expect(!terminal.screen.contains("horse"))
        #expect(terminal.screen.hasSuffix("[value]"))
    }

    @Test func `a wrong passphrase may be typed three times`() throws {
        let scratch = try vault(sealed: true)
        let terminal = try TerminalSession(#""$V" --root . get k"#, in: scratch)
        for attempt in 1...3 {
            try terminal.expect("Passphrase of the master key: ")
            terminal.type("wrong\(attempt)\n")
        }
        try terminal.expect("the passphrase is wrong; try again with the right one")
        #expect(try terminal.wait() == 5)
        #expect(!terminal.screen.contains("wrong1"))
        #expect(!terminal.screen.contains("value"))
    }

    @Test func `the second try opens the vault`() throws {
        let scratch = try vault(sealed: true)
        let terminal = try TerminalSession(#""$V" --root . get k"#, in: scratch)
        try terminal.expect("Passphrase of the master key: ")
        terminal.type("wrong\n")
        try terminal.expect("the passphrase is wrong; try again")
        try terminal.expect("Passphrase of the master key: ")
        terminal.type("correct horse\n")
        try terminal.expect("value\r\n")
        #expect(try terminal.wait() == 0)
    }

    @Test func `an interrupt at the question leaves the terminal as it was`() throws {
        let scratch = try vault(sealed: true)
        let terminal = try TerminalSession(
            // A shell that outlives its interrupted child.
            #"trap : INT; stty -a > before; "$V" --root . get k; echo "ended $?"; stty -a | diff before - && echo same"#,
            in: scratch)
        try terminal.expect("Passphrase of the master key: ")
        terminal.type("half\u{3}")
        try terminal.expect("ended 130")
        try terminal.expect("same")
        #expect(try terminal.wait() == 0)
        #expect(!terminal.screen.contains("half"))
    }

    @Test func `a value is typed twice and not shown`() throws {
        let scratch = try vault()
        let terminal = try TerminalSession(
            #""$V" --root . set 'a key' && "$V" --root . get 'a key' | od -An -c"#, in: scratch)
        try terminal.expect("Value of a key: ")
        terminal.type("s3 cret\n")
        try terminal.expect("Once more: ")
        terminal.type("s3 cret\n")
        try terminal.expect("s   3       c   r   e   t\r\n")
        #expect(try terminal.wait() == 0)
        #expect(!terminal.screen.contains("s3 cret"))
    }

    @Test func `a value that is typed differently changes nothing`() throws {
        let scratch = try vault()
        let terminal = try TerminalSession(#""$V" --root . set k"#, in: scratch)
        try terminal.expect("Value of k: ")
        terminal.type("one\n")
        try terminal.expect("Once more: ")
        terminal.type("two\n")
        try terminal.expect("what was typed is not the same twice")
        #expect(try terminal.wait() == 1)
        #expect(try scratch.run("--root", ".", "get", "k").outputText == "value")
    }

    @Test func `nothing typed replaces nothing`() throws {
        let scratch = try vault()
        let terminal = try TerminalSession(#""$V" --root . set k"#, in: scratch)
        try terminal.expect("Value of k: ")
        terminal.type("\n")
        try terminal.expect("Once more: ")
        terminal.type("\n")
        try terminal.expect("standard input is empty and there is an entry")
        #expect(try terminal.wait() == 9)
    }

    @Test func `the end of input at a question is a failure`() throws {
        let scratch = try vault()
        let terminal = try TerminalSession(#""$V" --root . set new"#, in: scratch)
        try terminal.expect("Value of new: ")
        terminal.type("\u{4}")
        try terminal.expect("nothing was typed")
        #expect(try terminal.wait() == 1)
        #expect(try scratch.run("--root", ".", "get", "new").status == 3)
    }

    @Test func `the end of input is no passphrase`() throws {
        let scratch = try vault(sealed: true)
        let terminal = try TerminalSession(#""$V" --root . get k"#, in: scratch)
        try terminal.expect("Passphrase of the master key: ")
        terminal.type("\u{4}")
        try terminal.expect("nothing was typed: no passphrase could be had")
        #expect(try terminal.wait() == 4)
        // Nor a new one; the vault is looked for first.
        let new = try TerminalSession(#""$V" --root new init --passphrase"#, in: scratch)
        try new.expect("New passphrase of the master key: ")
        new.type("\u{4}")
        try new.expect("nothing was typed: no passphrase could be had")
        #expect(try new.wait() == 4)
        let again = try TerminalSession(#""$V" --root . init --passphrase"#, in: scratch)
        try again.expect("there is a vault already")
        #expect(try again.wait() == 9)
        #expect(!again.screen.contains("passphrase"))
    }

    @Test func `a new passphrase is typed twice`() throws {
        let scratch = try vault()
        let terminal = try TerminalSession(#""$V" --root . passphrase set"#, in: scratch)
        try terminal.expect("New passphrase of the master key: ")
        terminal.type("battery staple\n")
        try terminal.expect("Once more: ")
        terminal.type("battery staple\n")
        try terminal.expect("older copies of the key file stay valid")
        #expect(try terminal.wait() == 0)
        #expect(!terminal.screen.contains("staple"))
        try scratch.write(Array("battery staple".utf8), to: scratch.path + "/pw")
        let got = try scratch.run("--root", ".", "--passphrase-file", "pw", "get", "k")
        #expect(got.outputText == "value", "\(got.errorText)")
    }

    @Test func `a value gets a newline only on a terminal, and only if it has none`() throws {
        let scratch = try vault()
        _ = try scratch.run("--root", ".", "set", "line", input: Array("line\n".utf8))
        let terminal = try TerminalSession(
            #""$V" --root . get k; "$V" --root . get line; "$V" --root . get k | od -An -c"#,
            in: scratch)
        #expect(try terminal.wait() == 0)
        #expect(terminal.screen == "value\r\nline\r\n   v   a   l   u   e\r\n")
    }

    @Test("is not shown without --force", arguments: ShownValue.refused)
    func refused(_ value: ShownValue) throws {
        let scratch = try vault()
        _ = try scratch.run("--root", ".", "set", "v", input: value.bytes)
        let terminal = try TerminalSession(#""$V" --root . get v"#, in: scratch)
        #expect(try terminal.wait() == 1)
        #expect(
            terminal.screen
                == "strongroom: v: the value has control characters and is not shown on a terminal; "
                + "use --output FILE or --force\r\n")
        let forced = try TerminalSession(#""$V" --root . get v --force"#, in: scratch)
        #expect(try forced.wait() == 0)
        #expect(forced.shown.starts(with: value.bytes))
    }

    @Test func `lines, tabs and every script are shown`() throws {
        let scratch = try vault()
        let text = "-----BEGIN KEY-----\n\té 日本 😀\n"
        _ = try scratch.run("--root", ".", "set", "v", input: Array(text.utf8))
        let terminal = try TerminalSession(#"stty -opost; "$V" --root . get v"#, in: scratch)
        #expect(try terminal.wait() == 0)
        #expect(terminal.screen == text)
    }

    @Test func `a large value is judged whole before any of it is shown`() throws {
        let scratch = try vault()
        var bytes = [UInt8](repeating: 0x61, count: 1_200_000)
        bytes[1_199_999] = 0x1B
        _ = try scratch.run("--root", ".", "set", "v", input: bytes)
        let terminal = try TerminalSession(#""$V" --root . get v"#, in: scratch)
        #expect(try terminal.wait() == 1)
        #expect(!terminal.screen.contains("aaa"))
    }

    @Test func `a rotation shows its progress, and takes it away`() throws {
        let scratch = try vault()
        let terminal = try TerminalSession(
            #""$V" --root . rotate; "$V" -q --root . rotate"#, in: scratch)
        #expect(try terminal.wait() == 0)
        #expect(terminal.screen.contains("\rrotating [##############################] 100%\r  "))
        let loud = terminal.screen.components(separatedBy: "rotating").count
        #expect(loud == 2, "a quiet rotation shows no bar:\n\(terminal.screen)")
    }

    @Test func `nothing can dump the memory of a process that knows a secret`() throws {
        let scratch = try vault(sealed: true)
        let terminal = try TerminalSession(
            #"ulimit -c unlimited; "$V" --root . get k & wait"#, in: scratch,
            environment: ["STRONGROOM_PASSPHRASE_COMMAND": "cat /proc/$PPID/limits >&2; cat pw"])
        #expect(try terminal.wait() == 0)
        let line = terminal.screen.split(separator: "\r\n").first {
            $0.hasPrefix("Max core file size")
        }
        #expect(line?.split(separator: " ").dropFirst(4).first == "0", "\(terminal.screen)")
    }
}

/// A value that could steer a terminal.
struct ShownValue: CustomTestStringConvertible, Sendable {
    var name: String
    var bytes: [UInt8]
    var testDescription: String { name }

    static let refused = [
        ShownValue(name: "an escape sequence", bytes: Array("a\u{1B}[31m".utf8)),
        ShownValue(name: "a carriage return", bytes: Array("safe\rgood".utf8)),
        ShownValue(name: "NUL", bytes: [0x61, 0]),
        ShownValue(name: "C1", bytes: [0x61, 0xC2, 0x9B]),
        ShownValue(name: "a raw C1 byte", bytes: [0x61, 0x9B]),
        ShownValue(name: "half a character", bytes: [0x61, 0xC3]),
        ShownValue(name: "a mark of direction", bytes: Array("a\u{202E}b".utf8)),
    ]
}
