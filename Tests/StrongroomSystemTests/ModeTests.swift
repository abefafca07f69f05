import StrongroomSystem
import Testing

/// Modes and owners of what is made (CASES C095).
@Suite struct ModeTests {
    let temporary: TemporaryDirectory

    init() throws { temporary = try TemporaryDirectory() }

    private static let modes: [Path: UInt16] = [
        "file": 0o600, "exclusive": 0o600, "wide": 0o640, "directory": 0o700, "replaced": 0o600,
        "exclusively": 0o600, "unnamed": 0o600, "lock": 0o600, "gate": 0o600, "deep": 0o700,
        "deep/deeper": 0o700, "private": 0o700,
    ]

    @Test(arguments: ["000", "002", "022", "077", "027", "0277", "0777"])
    func `modes are exact whatever the umask`(_ umask: String) throws {
        let child = try ChildProcess.shell(
            "umask \(umask); exec \"$PROBE\" make \"$1\"", temporary.path.description)
        #expect(try child.readLine() == "made")
        #expect(child.wait() == .status(0))
        for (name, mode) in Self.modes {
            #expect(try temporary.directory.status(of: name)?.mode == mode, "\(name)")
        }
    }

    @Test func `nothing is wider than it will be at the moment of its making`() throws {
        let recording = FaultyFileSystem()
        let directory = try OpenFile.open(
            temporary.path, [.read, .directory], fileSystem: recording)
        let bytes: [UInt8] = [1]
        try AtomicFile.replace(
            "file", in: directory, with: bytes.span, temporaryName: "temporary")
        _ = try FileLock(directory: directory, name: "lock", gate: "gate").tryAcquire()
        _ = try directory.openFile(".", [.write, .unnamed])
        #expect(recording.takeModes() == [0o600, 0o600, 0o600, 0o600])
        _ = try DirectoryMaker.ensure(temporary.path.appending("a/b"), fileSystem: recording)
        #expect(recording.takeModes() == [0o700, 0o700])
    }

    @Test(.enabled(if: Identity.isRoot))
    func `what root makes belongs to the owner of the directory`() throws {
        let (user, group): (UInt32, UInt32) = (23_456, 34_567)
        try temporary.directory.changeOwner(to: user, group: group)
        let child = try ChildProcess.probe("make", temporary.path.description)
        #expect(try child.readLine() == "made")
        for name in Self.modes.keys {
            // A private directory, in a place where anybody may make one, is its maker's.
            let (user, group) = name == "private" ? (0, 0) : (user, group)
            let status = try #require(try temporary.directory.status(of: name))
            #expect(status.owner == user && status.group == group, "\(name)")
        }
    }

    @Test(.enabled(if: Identity.isRoot), arguments: ["000", "022", "0277", "0777"])
    func `an ordinary user makes the same`(_ umask: String) throws {
        try temporary.directory.changeOwner(to: 23_456, group: 23_456)
        let child = try ChildProcess.shell(
            """
            cp "$PROBE" "$1/probe" && chmod 755 "$1/probe"
            umask \(umask)
            exec setpriv --reuid 23456 --regid 23456 --clear-groups "$1/probe" make "$1"
            """, temporary.path.description)
        #expect(try child.readLine() == "made")
        for (name, mode) in Self.modes {
            let status = try #require(try temporary.directory.status(of: name))
            #expect(status.mode == mode && status.owner == 23_456, "\(name)")
        }
    }
}
