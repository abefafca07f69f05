import StrongroomSystem
import Testing

/// Small files that are replaced whole.
@Suite struct AtomicFileTests {
    let temporary: TemporaryDirectory

    init() throws { temporary = try TemporaryDirectory() }

    private func replace(
        _ text: String, in directory: OpenFile, exclusive: Bool = false
    ) throws {
        let bytes = Array(text.utf8)
        try AtomicFile.replace(
            "file", in: directory, with: bytes.span, temporaryName: "temporary",
            exclusive: exclusive)
    }

    @Test func `a file is made, and replaced, and nothing else stays (C064)`() throws {
        for text in ["1", "22", "", "3"] {
            try replace(text, in: temporary.directory)
            #expect(try temporary.text("file") == text)
        }
        #expect(try temporary.names() == ["file"])
        #expect(try temporary.directory.status(of: "file")?.mode == 0o600)
    }

    @Test func `the file is synced before it has the name, the directory after`() throws {
        let faulty = FaultyFileSystem()
        let directory = try OpenFile.open(
            temporary.path, [.read, .directory], fileSystem: faulty)
        _ = faulty.takeCalls()
        try replace("text", in: directory)
        let calls = faulty.takeCalls().filter { call in
            ["open", "write", "sync", "rename"].contains { call.hasPrefix($0) }
        }
        #expect(calls == ["open temporary", "write", "sync", "rename temporary", "sync"])
    }

    @Test(arguments: ["open", "write", "sync", "rename"])
    func `a failure leaves the old file and no other`(_ operation: String) throws {
        try replace("old", in: temporary.directory)
        let faulty = FaultyFileSystem()
        let directory = try OpenFile.open(
            temporary.path, [.read, .directory], fileSystem: faulty)
        for exclusive in [false, true] {
            faulty.fail(operation, code: ErrorCode.noSpace)
            let error = #expect(throws: SystemError.self) {
                try replace("new", in: directory, exclusive: exclusive)
            }
            #expect(error?.code == ErrorCode.noSpace)
            #expect(try temporary.names() == ["file"])
            #expect(try temporary.text("file") == "old")
        }
    }

    @Test func `an exclusive one refuses a name that is taken`() throws {
        try replace("old", in: temporary.directory, exclusive: true)
        let error = #expect(throws: SystemError.self) {
            try replace("new", in: temporary.directory, exclusive: true)
        }
        #expect(error?.code == ErrorCode.exists)
        #expect(try temporary.text("file") == "old")
        #expect(try temporary.names() == ["file"])
    }

    @Test func `it is as exclusive on a disk that cannot rename so`() throws {
        let faulty = FaultyFileSystem()
        let directory = try OpenFile.open(
            temporary.path, [.read, .directory], fileSystem: faulty)
        faulty.fail("rename", code: ErrorCode.invalid)
        try replace("old", in: directory, exclusive: true)
        #expect(try temporary.names() == ["file"])
        faulty.fail("rename", code: ErrorCode.invalid)
        let error = #expect(throws: SystemError.self) {
            try replace("new", in: directory, exclusive: true)
        }
        #expect(error?.code == ErrorCode.exists)
        #expect(try temporary.names() == ["file"])
        #expect(try temporary.text("file") == "old")
    }

    @Test func `a leftover of the temporary name, also a link, is not written through`() throws {
        let outside = try TemporaryDirectory()
        try outside.write("theirs", to: "victim")
        try temporary.link(to: outside.path.appending("victim"), as: "temporary")
        try replace("ours", in: temporary.directory)
        #expect(try outside.text("victim") == "theirs")
        #expect(try temporary.text("file") == "ours")
        try temporary.write("left by a crash", to: "temporary")
        try replace("again", in: temporary.directory)
        #expect(try temporary.text("file") == "again")
        #expect(try temporary.names() == ["file"])
    }

    @Test func `a link of the name is replaced, not followed`() throws {
        let outside = try TemporaryDirectory()
        try outside.write("theirs", to: "victim")
        try temporary.link(to: outside.path.appending("victim"), as: "file")
        try replace("ours", in: temporary.directory)
        #expect(try outside.text("victim") == "theirs")
        #expect(try temporary.directory.status(of: "file")?.kind == .regular)
    }
}
