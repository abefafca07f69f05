import StrongroomSystem
import Testing

/// Directories that are made for our files.
@Suite struct DirectoryMakerTests {
    let temporary: TemporaryDirectory
    let system = RealFileSystem()

    init() throws { temporary = try TemporaryDirectory() }

    @Test func `missing ancestors are made, each 0700`() throws {
        let made = try DirectoryMaker.ensure(
            temporary.path.appending("a/b/c"), fileSystem: system)
        #expect(try made.status().mode == 0o700)
        for name: Path in ["a", "a/b", "a/b/c"] {
            #expect(try temporary.directory.status(of: name)?.mode == 0o700)
        }
    }

    @Test func `one that is there keeps its mode`() throws {
        let there = try temporary.directory.makeDirectory("there", mode: 0o755)
        let found = try DirectoryMaker.ensure(there.path, fileSystem: system)
        #expect(try found.status().mode == 0o755)
        #expect(try found.status().inode == there.status().inode)
    }

    @Test(arguments: [
        Named("a slash at the end", "x/y/"), Named("two slashes", "x//y"), Named("a dot", "x/./y"),
        Named("a way up", "x/z/../y"),
    ])
    func `a path spelled oddly makes the directory that it means`(_ path: Named<String>) throws {
        let made = try DirectoryMaker.ensure(
            temporary.path.appending(Path(path.value)), fileSystem: system)
        let meant = try temporary.directory.status(of: "x/y")
        #expect(try made.status().inode == meant?.inode)
    }

    @Test func `links to directories are followed, also at the end`() throws {
        let disk = try TemporaryDirectory()
        try temporary.link(to: disk.path, as: "link")
        let end = try DirectoryMaker.ensure(temporary.path.appending("link"), fileSystem: system)
        #expect(try end.status().inode == disk.directory.status().inode)
        _ = try DirectoryMaker.ensure(temporary.path.appending("link/below"), fileSystem: system)
        #expect(try disk.names() == ["below"])
        #expect(try temporary.directory.status(of: "link")?.kind == .symbolicLink)
    }

    @Test func `a file, or a link to nowhere, in the way is an error and stays`() throws {
        try temporary.write("text", to: "file")
        try temporary.link(to: "nowhere", as: "dangling")
        for name: Path in ["file", "file/below", "dangling", "dangling/below"] {
            #expect(throws: SystemError.self) {
                try DirectoryMaker.ensure(temporary.path.appending(name), fileSystem: system)
            }
        }
        #expect(try temporary.names() == ["dangling", "file"])
    }

    @Test func `a parent is synced after each making, and when all was there`() throws {
        let faulty = FaultyFileSystem()
        _ = try DirectoryMaker.ensure(temporary.path.appending("a/b"), fileSystem: faulty)
        let calls = faulty.takeCalls().filter { $0.hasPrefix("make") || $0 == "sync" }
        // The first is of the directory that holds the one in which `a` is made.
        #expect(calls == ["sync", "make directory a", "sync", "make directory b", "sync"])
        _ = try DirectoryMaker.ensure(temporary.path.appending("a/b"), fileSystem: faulty)
        #expect(faulty.takeCalls().filter { $0 == "sync" }.count == 1)
        _ = try DirectoryMaker.ensure(
            temporary.path.appending("c"), syncs: false, fileSystem: faulty)
        #expect(!faulty.takeCalls().contains("sync"))
    }

    @Test func `many threads make one directory`() throws {
        let path = temporary.path.appending("p/q/r")
        let inodes = Monitor<[UInt64]>([])
        for _ in 0..<16 {
            try Threads.start(name: "maker") { [system] in
                do {
                    let inode = try DirectoryMaker.ensure(path, fileSystem: system).status().inode
                    inodes.change { $0.append(inode) }
                } catch {
                    inodes.change { $0.append(0) }
                }
            }
        }
        let seen = inodes.wait(until: Clock.deadline(afterSeconds: 20)) {
            $0.count == 16 ? $0 : nil
        }
        let inode = try #require(try temporary.directory.status(of: "p/q/r")?.inode)
        #expect(seen == Array(repeating: inode, count: 16))
    }

    @Test func `a private directory is made 0700 and found again`() throws {
        let path = temporary.path.appending("private")
        let made = try DirectoryMaker.ensurePrivate(path, fileSystem: system)
        #expect(try made.status().mode == 0o700)
        let found = try DirectoryMaker.ensurePrivate(path, fileSystem: system)
        #expect(try found.status().inode == made.status().inode)
    }

    @Test func `what somebody else put in the place of a private directory is refused`() throws {
        try temporary.directory.makeDirectory("open", mode: 0o755)
        try temporary.write("", to: "file")
        try temporary.directory.makeDirectory("target")
        try temporary.link(to: "target", as: "link")
        try temporary.link(to: "nowhere", as: "dangling")
        var refused: [Path] = ["open", "file", "link", "dangling"]
        if Identity.isRoot {
            let theirs = try temporary.directory.makeDirectory("theirs")
            try theirs.changeOwner(to: 12345, group: 12345)
            refused.append("theirs")
        }
        for name in refused {
            let error = #expect(throws: SystemError.self) {
                try DirectoryMaker.ensurePrivate(
                    temporary.path.appending(name), fileSystem: system)
            }
            #expect(error?.code == ErrorCode.notPermitted)
        }
        #expect(try temporary.directory.status(of: "open")?.mode == 0o755)
    }

    @Test func `who is neither owner nor root only reads`() throws {
        var status = try temporary.directory.status()
        #expect(DirectoryMaker.mayWrite(status))
        status.owner = Identity.effectiveUser + 1
        #expect(DirectoryMaker.mayWrite(status) == Identity.isRoot)
    }
}
