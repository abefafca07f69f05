import Glibc
import StrongroomSystem
import Testing

@testable import StrongroomVault

/// A vault of somebody who is not root, in processes of their own.
@Suite struct UnprivilegedTests {
    static func made() throws -> TemporaryVault {
        let place = try TemporaryVault()
        try #require(
            unsafe chown(place.root.description, ProbeProcess.user, ProbeProcess.user) == 0
                || !Identity.isRoot)
        return place
    }

    static func run(
        _ command: String, umask: String = "022", _ place: TemporaryVault, _ arguments: String
    ) throws -> String? {
        let words = arguments.split(separator: " ").map(String.init)
        let probe =
            switch words.count {
            case 0: try ProbeProcess(unprivileged: command, umask: umask, place.root)
            case 1: try ProbeProcess(unprivileged: command, umask: umask, place.root, words[0])
            default:
                try ProbeProcess(
                    unprivileged: command, umask: umask, place.root, words[0], words[1])
            }
        return try probe.readToEnd().last
    }

    @Test(arguments: ["000", "022", "077", "777"])
    func `directories are 0700 and files 0600 under any umask, and belong to the user`(
        _ umask: String
    ) throws {
        let place = try Self.made()
        for (command, arguments) in [
            ("set", "a 1"), ("set", "a 2"), ("set", "b 3"), ("rotate", ""), ("set", "a 4"),
            ("rewrap", ""),
        ] {
            let answer = try Self.run(command, umask: umask, place, arguments)
            #expect(answer?.hasPrefix("error") == false, "\(command): \(answer ?? "")")
        }
        #expect(try Self.run("get", umask: umask, place, "a") == "value 4")
        try Self.expectModes(place.root)
    }

    private static func expectModes(_ path: Path) throws {
        let directory = try OpenFile.open(
            path, [.read, .directory], fileSystem: RealFileSystem())
        for item in try directory.list() {
            let status = try #require(try directory.status(of: item.name))
            #expect(status.owner == ProbeProcess.user)
            let mode: UInt16 = status.kind == .directory ? 0o700 : 0o600
            #expect(status.mode == mode, "\(path.appending(item.name))")
            if status.kind == .directory { try expectModes(path.appending(item.name)) }
        }
    }

    @Test func `where nothing can be written reads work, and writes say why and change nothing`()
        throws
    {
        let place = try Self.made()
        // The probe would make a log.
        let made = place.vault()
        try made.set("a", "1")
        for key in ["a", "b", "c"] { _ = try Self.run("set", place, "\(key) 1") }
        let generation = place.directory.appending("entries.1")
        let directories = [generation, place.directory, place.root]
        for directory in directories {
            try #require(unsafe chmod(directory.description, 0o500) == 0)
        }
        defer { for directory in directories { unsafe _ = chmod(directory.description, 0o700) } }
        let before = try place.everything
        #expect(try Self.run("get", place, "a") == "value 1")
        #expect(try Self.run("get", place, "nothing") == "none")
        #expect(try Self.run("keys", place, "") == "done")
        for (command, arguments) in [
            ("set", "a 2"), ("set", "d 1"), ("rotate", ""), ("rewrap", ""),
        ] {
            let answer = try Self.run(command, place, arguments)
            #expect(answer?.hasPrefix("error") == true, "\(command): \(answer ?? "")")
        }
        // A writer may leave his mark in the lock, which is open to him.
        let after = try place.everything.filter { $0.key != "vault/lock" }
        #expect(after == before.filter { $0.key != "vault/lock" })
        #expect(try Self.run("get", place, "a") == "value 1")
    }

    @Test func `a directory that somebody else owns is only read`() throws {
        guard Identity.isRoot else { return }
        let place = try TemporaryVault()
        try place.vault().set("a", "1")
        // Everybody may do anything there, and the key is the user's.
        try #require(unsafe chown(place.key.description, ProbeProcess.user, 0) == 0)
        for file in try place.everything.keys where file != "master.key" {
            try #require(unsafe chmod(place.root.appending(file).description, 0o666) == 0)
        }
        for directory in [place.root, place.directory, place.directory.appending("entries.1")] {
            try #require(unsafe chmod(directory.description, 0o777) == 0)
        }
        let before = try place.everything
        #expect(try Self.run("get", place, "a") == "value 1")
        for (command, arguments) in [("set", "a 2"), ("rotate", ""), ("rewrap", "")] {
            let answer = try Self.run(command, place, arguments)
            #expect(answer?.hasPrefix("error notOwner") == true, "\(command): \(answer ?? "")")
        }
        #expect(try place.everything == before)
    }

    @Test func `a first set where somebody else owns the directory of the key makes nothing`()
        throws
    {
        guard Identity.isRoot else { return }
        let place = try TemporaryVault()
        // Where everybody may make files, as in /tmp.
        try #require(unsafe chmod(place.root.description, 0o1777) == 0)
        let answer = try Self.run("set", place, "a 1")
        #expect(answer?.hasPrefix("error notOwner") == true, "\(answer ?? "")")
        #expect(try place.everything == [:])
        #expect(try !Tree.exists(place.directory))
    }

    @Test func `a key that cannot be read is refused at once`() throws {
        let place = try Self.made()
        _ = try Self.run("set", place, "a 1")
        for (mode, words) in [(0o640, "0640"), (0o000, "open")] as [(mode_t, String)] {
            try #require(unsafe chmod(place.key.description, mode) == 0)
            let answer = try Self.run("get", place, "a")
            #expect(answer?.hasPrefix("error") == true)
            #expect(answer?.contains(words) == true)
        }
    }
}
