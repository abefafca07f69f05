import Glibc
import StrongroomCommand
import StrongroomCrypto
import StrongroomSystem
import StrongroomVault
import Synchronization
import Testing

/// Does something at the n-th look whether to stop, and counts the looks.
private final class AtLook: Sendable {
    private let count = Mutex(0)
    private let look: Int
    private let action: @Sendable () -> Bool
    init(_ look: Int, _ action: @escaping @Sendable () -> Bool) {
        self.look = look
        self.action = action
    }
    func tick() -> Bool {
        let count = count.withLock { count in
            count += 1
            return count
        }
        return count == look && action()
    }
}

@Suite struct `A copy of everything` {
    private static let large = String(repeating: "large ", count: 300_000)
    private static let values = ["a": "1", "folder/b": "", "large": large, "z": "last"]

    /// A container with a few entries, and an empty directory beside its areas.
    private func filled() throws -> (command: InProcess, other: String) {
        let scratch = try Scratch()
        let command = InProcess(scratch: scratch)
        for (key, value) in Self.values {
            #expect(try command.run("set", key, "-q", input: value).outcome == .status(.done))
        }
        let other = scratch.path + "/other"
        unsafe mkdir(other, 0o700)
        return (command, other)
    }

    private func expectWhole(_ other: String, _ command: InProcess) throws {
        let scratch = command.scratch
        for (key, value) in Self.values {
            let got = try scratch.run("--root", other, "get", key)
            #expect(got.outputText == value, "\(key): \(got.errorText)")
        }
        let check = try scratch.run("--root", other, "check")
        #expect(check.outputText.hasSuffix("sound: 4 entries\n"), "\(check.outputText)")
    }

    @Test func `stops cleanly wherever it is interrupted, and ends right when it is run again`()
        throws
    {
        var stopCount = 0
        for number in 1... {
            // One by one through the first entries, then in steps through the pieces of the large value.
            let look = number < 12 ? number : number * 7 - 72
            var (command, other) = try filled()
            let interrupting = AtLook(look) { true }
            command.isInterrupted = { interrupting.tick() }
            let result = try command.run("copy", "--all", "--to", other)
            command.isInterrupted = { false }
            if result.outcome == .status(.done) { break }
            stopCount += 1
            #expect(result.outcome == .interrupted)
            let last = try #require(result.error.split(separator: "\n").last)
            #expect(last.hasPrefix("strongroom: stopped with "))
            #expect(
                last.hasSuffix(
                    "of 4 entries copied and compared; to go on, run it again with --force"))
            // What came is whole.
            for (key, value) in Self.values {
                let got = try command.scratch.run("--root", other, "get", key)
                #expect(got.status == 3 || got.outputText == value, "\(key): \(got.errorText)")
            }
            let again = try command.run("copy", "--all", "--to", other, "--force")
            #expect(again.outcome == .status(.done), "\(again.error)")
            try expectWhole(other, command)
        }
        #expect(stopCount > 12)
    }

    @Test func `killed at any moment, ends right when it is run again`() throws {
        let (command, other) = try filled()
        let scratch = command.scratch
        var killCount = 0
        for round in 0..<60 where killCount < 12 {
            let running = try scratch.start(
                ["--root", scratch.path, "copy", "--all", "--to", other, "--force"])
            usleep(useconds_t(round % 20) * 4_000)
            running.signal(SIGKILL)
            if try running.wait().status == 128 + SIGKILL { killCount += 1 }
        }
        #expect(killCount == 12)
        let again = try command.run("copy", "--all", "--to", other, "--force")
        #expect(again.outcome == .status(.done), "\(again.error)")
        try expectWhole(other, command)
    }

    @Test func `copies a large value again that changes meanwhile`() throws {
        var sawSecondAttempt = false
        for look in stride(from: 4, through: 120, by: 4) {
            var (command, other) = try filled()
            let script =
                "printf 'small now' | '\(BuiltCommand.path)' --root "
                + "'\(command.scratch.path)' set large"
            let changing = AtLook(look) {
                let status = unsafe Glibc.system(script)
                if status != 0 { Issue.record("the value could not be changed") }
                return false
            }
            command.isInterrupted = { changing.tick() }
            let result = try command.run("copy", "--all", "--to", other)
            #expect(result.outcome == .status(.done), "\(result.error)")
            // The new value, or the old one if all was copied and compared before.
            let got = try command.scratch.run("--root", other, "get", "large")
            #expect(got.outputText == "small now" || got.outputText == Self.large)
            if got.outputText == "small now" { sawSecondAttempt = true }
        }
        #expect(sawSecondAttempt)
    }

    @Test func `keeps attributes and times in a vault, and says that a plain area does not`() throws
    {
        let scratch = try Scratch()
        let command = InProcess(scratch: scratch)
        _ = try command.run("init")
        let root = Path(scratch.path)
        let vault = Vault(
            VaultConfiguration(
                app: "strongroom", location: .directory(root.appending("vault")),
                masterKey: .file(root.appending("master.key"), isCredential: false),
                fileSystem: RealFileSystem(), now: { Clock.now() }))
        let times = EntryTimes(created: 86_400_000_000_000, modified: 172_800_000_000_007)
        let attributes = ["user": "me", "url": "https://example.org"]
        let value = SecretBytes(SecretBuffer(copying: Array("v".utf8).span))
        try vault.commit(
            [.set(key: "small", value: value, attributes: attributes, times: times)], if: [:])
        try vault.write("large", attributes: attributes, times: times, if: nil) { writer in
            try writer.write(Array(Self.large.utf8).span)
        }
        unsafe mkdir(scratch.path + "/other", 0o700)
        let copied = try command.run("copy", "--all", "--to", scratch.path + "/other")
        #expect(copied.outcome == .status(.done), "\(copied.error)")
        let list = try scratch.run("--root", "other", "list", "--json").outputText
        #expect(list == (try command.run("list", "--json").output))
        let expected =
            #""created":"1970-01-02T00:00:00.000000000Z","modified":"1970-01-03T00:00:00.000000007Z","#
            + #""attributes":{"url":"https://example.org","user":"me"}"#
        #expect(list.split(separator: expected, omittingEmptySubsequences: false).count == 3)
        let plain = try command.run("copy", "--all", "--to", "storage")
        #expect(plain.outcome == .status(.done))
        #expect(
            plain.error == """
                strongroom: what is in storage is in the clear, and its bytes may stay on the disk \
                when it is removed
                strongroom: attributes are not kept in storage: 2 entries had some
                strongroom: 2 entries copied and compared

                """)
    }

    @Test func `moves a bar on a terminal, and asks for the passphrase of each key`() throws {
        let scratch = try Scratch()
        try scratch.write(Array("one".utf8), to: scratch.path + "/pw1")
        try scratch.write(Array("two".utf8), to: scratch.path + "/pw2")
        let made = try scratch.shell(
            #"mkdir a b; for n in 1 2; do r=$(echo $n | tr 12 ab); "#
                + #""$V" -q --root $r init --passphrase --new-passphrase-file pw$n || exit 1; done; "#
                + #"head -c 200000 /dev/zero | "$V" -q --root a --passphrase-file pw1 set k"#)
        #expect(made.status == 0, "\(made.errorText)")
        let terminal = try TerminalSession(#""$V" --root a copy --all --to b"#, in: scratch)
        try terminal.expect("Passphrase of the master key: ")
        terminal.type("one\n")
        try terminal.expect("Passphrase of \(scratch.path)/b/master.key: ")
        terminal.type("one\n")
        try terminal.expect("the passphrase is wrong; try again")
        try terminal.expect("Passphrase of \(scratch.path)/b/master.key: ")
        terminal.type("two\n")
        try terminal.expect("copying [##############################] 100%")
        try terminal.expect("1 entry copied and compared")
        #expect(try terminal.wait() == 0)
        #expect(!terminal.screen.contains("two"))
    }
}
