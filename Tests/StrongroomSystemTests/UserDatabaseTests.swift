import StrongroomSystem
import Testing

/// Home directories of users.
@Suite struct UserDatabaseTests {
    let temporary: TemporaryDirectory

    init() throws { temporary = try TemporaryDirectory() }

    private static let file = """
        # root:x:0:0::/comment:/bin/sh
        root:x:0:0:root:/root:/bin/bash
        +nis:x:7:7::/nis:
        -nis:x:7:7::/nis:
        short:x:7
        long:x:7:7::/long:/bin/sh:more
        word:x:seven:7::/word:/bin/sh
        :x:7:7::/nameless:/bin/sh
        seven:x:7:7::/seven:/bin/sh
        again:x:7:7::/again:/bin/sh
        none:x:8:8:::/bin/sh
        last:x:9:9::/home/l\u{e4}st:/bin/sh
        """

    /// The home of `user` by the file above and a program that is this script.
    private func home(of user: UInt32, script: String = "exit 2") throws -> Path? {
        try write(Self.file, to: "passwd")
        try write("#!/bin/sh\n" + script + "\n", to: "script")
        // Not written by this process: another test's child, just forked, would have it open, and what is open for
        // writing is not run.
        let copying = try ChildProcess.shell(
            "cd \"$1\" && cp script program && chmod 700 program", temporary.path.description)
        try #require(copying.wait() == .status(0))
        return UserDatabase.homeDirectory(
            of: user, file: temporary.path.appending("passwd"),
            program: temporary.path.appending("program"))
    }

    private func write(_ text: String, to name: Path) throws {
        let bytes = Array(text.utf8)
        try AtomicFile.replace(
            name, in: temporary.directory, with: bytes.span, temporaryName: "temporary")
    }

    @Test(arguments: [
        Named("the first line of the file", 0 as UInt32),
        Named("a line behind others that are none", 7),
        Named("a last line without an end", 9),
    ])
    func `the file of users says where a user is at home`(_ user: Named<UInt32>) throws {
        let homes: [UInt32: Path] = [0: "/root", 7: "/seven", 9: "/home/l\u{e4}st"]
        #expect(try home(of: user.value) == homes[user.value])
    }

    @Test func `a user without a home has none, and nobody else is asked`() throws {
        #expect(try home(of: 8, script: "echo none:x:8:8::/other:/bin/sh") == nil)
    }

    @Test func `of whom the file does not know, the program does`() throws {
        let script = #"[ "$*" = "passwd 54321" ] && echo "who:x:54321:1::/srv/who:/bin/sh""#
        #expect(try home(of: 54_321, script: script) == "/srv/who")
        #expect(try home(of: 54_322, script: script) == nil)
    }

    @Test(arguments: [
        Named("a failure", "echo who:x:5:5::/who:/bin/sh; exit 1"),
        Named("a death", "echo who:x:5:5::/who:/bin/sh; kill $$"),
        Named("a line without its end", "printf who:x:5:5::/who:/bin/sh"),
        Named("somebody else", "echo who:x:6:5::/who:/bin/sh"),
        Named("too much", "yes who:x:5:5::/who:/bin/sh"),
        Named("nothing", ":"),
    ])
    func `an answer that is none is no home`(_ script: Named<String>) throws {
        #expect(try home(of: 5, script: script.value) == nil)
    }

    @Test func `a program that is not there knows nobody`() {
        #expect(
            UserDatabase.homeDirectory(
                of: 5, file: temporary.path.appending("none"),
                program: temporary.path.appending("none")) == nil)
    }

    @Test func `the program gets neither descriptors nor variables of ours`() throws {
        let file = try temporary.directory.openFile("open", [.write, .create])
        let script = """
            cd "${0%/*}"
            readlink /proc/$$/fd/0 /proc/$$/fd/2 > seen
            cd /proc/$$/fd && set -- * && cd "$OLDPWD" && echo "$*" >> seen
            tr '\\0' '\\n' < /proc/$$/environ | wc -l >> seen
            """
        #expect(try home(of: 5, script: script) == nil)
        #expect(try temporary.text("seen") == "/dev/null\n/dev/null\n0 1 10 2 3\n0\n")
        withExtendedLifetime(file) {}
    }

    @Test func `the system knows the home of root and of nobody else's number`() {
        #expect(UserDatabase.homeDirectory(of: 0) == "/root")
        #expect(UserDatabase.homeDirectory(of: 3_999_999_999) == nil)
    }
}
