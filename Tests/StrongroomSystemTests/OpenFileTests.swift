import StrongroomSystem
import Testing

/// Files and directories that are opened, made, read and written.
@Suite struct OpenFileTests {
    let temporary: TemporaryDirectory

    init() throws { temporary = try TemporaryDirectory() }

    private var directory: OpenFile { temporary.directory }

    /// The same directory, through a file system with faults.
    private func open(_ fileSystem: FaultyFileSystem) throws -> OpenFile {
        try OpenFile.open(temporary.path, [.read, .directory], fileSystem: fileSystem)
    }

    private static let sample = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    @Test(arguments: [
        Named("one byte at a time", 1), Named("seven at a time", 7), Named("all at once", Int.max),
    ])
    func `reads and writes end only when all is done`(_ piece: Named<Int>) throws {
        let faulty = FaultyFileSystem(pieceByteCount: piece.value, interrupts: true)
        let file = try open(faulty).openFile("file", [.read, .write, .create])
        try file.write(Self.sample.span, at: 5)
        #expect(try file.status().byteCount == 1005)
        #expect(try file.read(at: 0, count: 5) == [0, 0, 0, 0, 0])
        #expect(try file.read(at: 5, count: 1000) == Self.sample)
        #expect(try file.read(at: 1000, count: 99) == Array(Self.sample[995...]))
        #expect(try file.read(at: 2000, count: 99) == [])
        #expect(try file.read(at: 0, count: 0) == [])
        #expect(try file.readAll(limit: 1005).count == 1005)
        var buffer = [UInt8](repeating: 7, count: 10)
        var span = buffer.mutableSpan
        #expect(try file.read(into: &span, at: 1000) == 5)
        #expect(buffer == Array(Self.sample[995...]) + [7, 7, 7, 7, 7])
    }

    @Test func `errors of a file without a name are its directory's`() throws {
        let directory = try open(FaultyFileSystem())
        let file = try directory.openFile(".", [.write, .unnamed])
        #expect(file.path == temporary.path)
        let bytes: [UInt8] = [1]
        let error = #expect(throws: SystemError.self) { try file.write(bytes.span, at: -1) }
        #expect(error?.path == temporary.path.description)
        let other = #expect(throws: SystemError.self) { try directory.unlink(".") }
        #expect(other?.path == temporary.path.description)
    }

    @Test func `every call is made again after a signal`() throws {
        let faulty = FaultyFileSystem(interrupts: true)
        let directory = try open(faulty)
        try directory.makeDirectory("made")
        let file = try directory.openFile("file", [.read, .write, .create])
        try file.write(Self.sample.span, at: 0)
        try file.truncate(to: 10)
        try file.sync()
        try file.startSync(of: 0..<10)
        try file.syncData()
        try file.lock(.exclusive, waits: false)
        try file.unlock()
        try directory.link(file, as: "second")
        try directory.rename("file", to: "third")
        #expect(try directory.status(of: "third")?.byteCount == 10)
        #expect(try directory.list().count == 3)
        #expect(try file.freeByteCount() > 0)
        try temporary.link(to: "target", as: "link")
        #expect(try directory.readLink("link") == "target")
        try directory.unlink("second")
        try directory.removeDirectory("made")
    }

    @Test func `a stream is read and written to its end`() throws {
        let faulty = FaultyFileSystem(pieceByteCount: 3, interrupts: true)
        let file = try open(faulty).openFile("file", [.write, .create])
        try file.writeStream(Self.sample.span)
        let again = try open(faulty).openFile("file", [.read])
        var buffer = [UInt8](repeating: 0, count: 2000)
        var span = buffer.mutableSpan
        #expect(try again.readStreamFully(into: &span) == 1000)
        #expect(Array(buffer[..<1000]) == Self.sample)
    }

    @Test func `a write that takes nothing is an error, not a wait`() throws {
        let faulty = FaultyFileSystem(pieceByteCount: 0)
        let file = try open(faulty).openFile("file", [.write, .create])
        let error = #expect(throws: SystemError.self) { try file.write(Self.sample.span, at: 0) }
        #expect(error?.code == ErrorCode.io)
        #expect(error?.path == temporary.path.appending("file").description)
        #expect(throws: SystemError.self) { try file.writeStream(Self.sample.span) }
    }

    @Test func `an error names the whole path and what was tried`() throws {
        let error = #expect(throws: SystemError.self) { try directory.openFile("none", [.read]) }
        #expect(
            error
                == SystemError(
                    operation: "open", path: temporary.path.appending("none").description,
                    code: ErrorCode.noEntry))
        #expect(error?.meaning == "No such file or directory")
        let unlinking = #expect(throws: SystemError.self) { try directory.unlink("none") }
        #expect(unlinking?.path == temporary.path.appending("none").description)
    }

    @Test func `a file larger than the limit is not read`() throws {
        try temporary.write("12345", to: "file")
        let file = try directory.openFile("file", [.read])
        #expect(try file.readAll(limit: 5) == Array("12345".utf8))
        let error = #expect(throws: SystemError.self) { try file.readAll(limit: 4) }
        #expect(error?.code == ErrorCode.fileTooLarge)
        // A file of the kernel says that it has no bytes.
        let kernel = try OpenFile.open(
            "/proc/self/status", [.read], fileSystem: RealFileSystem())
        #expect(try kernel.readAll(limit: 100_000).count > 100)
        #expect(throws: SystemError.self) { try kernel.readAll(limit: 10) }
    }

    @Test func `a read past a file's end takes no memory for what is not there`() throws {
        try temporary.write("12345", to: "file")
        let file = try directory.openFile("file", [.read])
        #expect(try file.read(at: 0, count: 1 << 40) == Array("12345".utf8))
        let large = [UInt8](repeating: 9, count: 3 << 20)
        let other = try directory.openFile("large", [.read, .write, .create])
        try other.write(large.span, at: 0)
        #expect(try other.read(at: 0, count: 1 << 40) == large)
        #expect(try other.read(at: 1, count: (2 << 20) + 1).count == (2 << 20) + 1)
    }

    @Test func `a link is followed only where that was asked`() throws {
        try temporary.write("text", to: "file")
        try temporary.link(to: "file", as: "link")
        try temporary.link(to: ".", as: "here")
        try temporary.link(to: "nowhere", as: "dangling")
        let error = #expect(throws: SystemError.self) { try directory.openFile("link", [.read]) }
        #expect(error?.code == ErrorCode.link)
        let other = #expect(throws: SystemError.self) {
            try directory.openFile("here", [.read, .directory])
        }
        #expect(other?.code == ErrorCode.notDirectory)
        #expect(try directory.openFile("link", [.read, .followLink]).readAll(limit: 9).count == 4)
        #expect(try directory.status(of: "link")?.kind == .symbolicLink)
        #expect(try directory.status(of: "link", followLink: true)?.kind == .regular)
        #expect(try directory.status(of: "dangling", followLink: true) == nil)
        // Nothing is made where a link points.
        for options: OpenOptions in [[.write, .create], [.write, .create, .followLink]] {
            #expect(throws: SystemError.self) { try directory.openFile("dangling", options) }
        }
        #expect(try !temporary.names().contains("nowhere"))
    }

    @Test func `an exclusive open takes no file that is there`() throws {
        try temporary.write("text", to: "file")
        try temporary.link(to: "nowhere", as: "dangling")
        for name: Path in ["file", "dangling"] {
            let error = #expect(throws: SystemError.self) {
                try directory.openFile(name, [.write, .create, .exclusive])
            }
            #expect(error?.code == ErrorCode.exists)
        }
        #expect(try temporary.text("file") == "text")
    }

    @Test func `a file that cannot be given its mode is not left behind`() throws {
        let faulty = FaultyFileSystem()
        let directory = try open(faulty)
        for operation in ["status"] {
            faulty.fail(operation, code: ErrorCode.io)
            #expect(throws: SystemError.self) {
                try directory.openFile("file", [.write, .create])
            }
            faulty.fail(operation, code: ErrorCode.io)
            #expect(throws: SystemError.self) { try directory.makeDirectory("made") }
        }
        #expect(try temporary.names() == [])
    }

    @Test func `a name with NUL, an empty one and one that is too long are refused`() throws {
        for (name, code) in [
            (Path(bytes: [0x61, 0]), ErrorCode.invalid), (Path(bytes: []), ErrorCode.invalid),
            (Path(String(repeating: "x", count: 256)), ErrorCode.nameTooLong),
        ] {
            let errors = [
                #expect(throws: SystemError.self) { try directory.openFile(name, [.read]) },
                #expect(throws: SystemError.self) { try directory.status(of: name) },
                #expect(throws: SystemError.self) { try directory.unlink(name) },
                #expect(throws: SystemError.self) { try directory.removeDirectory(name) },
                #expect(throws: SystemError.self) { try directory.makeDirectory(name) },
                #expect(throws: SystemError.self) { try directory.readLink(name) },
                #expect(throws: SystemError.self) { try directory.link(directory, as: name) },
            ]
            #expect(errors.dropLast().allSatisfy { $0?.code == code })
        }
    }

    @Test func `names are bytes, of any length that the disk takes`() throws {
        let odd = Path(bytes: [0xff, 0xfe, 0x0a, 0x20, 0x22])
        let long = Path(String(repeating: "ü", count: 127))
        for name in [odd, long, "-rf", "..."] {
            _ = try directory.openFile(name, [.write, .create])
        }
        try directory.makeDirectory("folder")
        let items = try directory.list()
        #expect(Set(items.map(\.name)) == [odd, long, "-rf", "...", "folder"])
        #expect(items.first { $0.name == "folder" }?.kind == .directory)
        #expect(items.first { $0.name == odd }?.kind == .regular)
    }

    @Test func `two listings of one directory at once are both whole`() throws {
        for number in 0..<300 { try temporary.write("", to: Path("file \(number)")) }
        let counts = Monitor<[Int]>([])
        for _ in 0..<4 {
            try Threads.start(name: "lister") { [directory] in
                for _ in 0..<20 {
                    do {
                        let count = try directory.list().count
                        counts.change { $0.append(count) }
                    } catch {
                        counts.change { $0.append(-1) }
                    }
                }
            }
        }
        let seen = counts.wait(until: Clock.deadline(afterSeconds: 20)) {
            $0.count == 80 ? $0 : nil
        }
        #expect(seen?.allSatisfy { $0 == 300 } == true)
    }

    @Test func `renames replace, refuse or exchange`() throws {
        try temporary.write("one", to: "a")
        try temporary.write("two", to: "b")
        let error = #expect(throws: SystemError.self) {
            try directory.rename("a", to: "b", .noReplace)
        }
        #expect(error?.code == ErrorCode.exists)
        try directory.rename("a", to: "b", .exchange)
        #expect(try temporary.text("a") == "two" && temporary.text("b") == "one")
        try directory.rename("a", to: "b")
        #expect(try temporary.names() == ["b"] && temporary.text("b") == "two")
        let other = try directory.makeDirectory("other")
        try directory.rename("b", to: "c", in: other, .noReplace)
        #expect(try temporary.text("other/c") == "two")
    }

    @Test func `an unnamed file has no name until it is given one, and then that one only`() throws
    {
        let file = try directory.openFile(".", [.read, .write, .unnamed])
        try file.write(Self.sample.span, at: 0)
        #expect(try temporary.names() == [])
        try directory.link(file, as: "named")
        #expect(throws: SystemError.self) { try directory.link(file, as: "named") }
        #expect(try directory.status(of: "named")?.byteCount == 1000)
    }

    @Test
    func `what is begun to be written is what was written, and a pipe has nothing to begin with`()
        throws
    {
        let file = try directory.openFile("file", [.read, .write, .create])
        try file.write(Self.sample.span, at: 0)
        try file.startSync(of: 0..<1000)
        try file.startSync(of: 5000..<6000)
        try file.syncData()
        #expect(try file.read(at: 0, count: 2000) == Self.sample)
        let isDirectory = try OpenFile.open(
            temporary.path, [.read, .directory], fileSystem: RealFileSystem())
        try isDirectory.startSync(of: 0..<1)
    }
}
