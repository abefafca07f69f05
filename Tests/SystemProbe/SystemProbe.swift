import Glibc
import StrongroomSystem

/// What the tests of `StrongroomSystem` need a process of its own for: `SystemProbe COMMAND [ARGUMENT…]`.
@main struct SystemProbe {
    static func main() {
        // Before anything else, so that nothing of the process is known yet.
        if unsafe getenv("PROBE_FULL") != nil { while dup(0) >= 0 {} }
        let arguments = ProcessArguments.all.map(\.description)
        do {
            try run(arguments[1], Array(arguments[2...]))
        } catch {
            say("error \((error as? SystemError)?.code ?? -1) \(error)")
            ProcessExit.exit(1)
        }
    }

    private static func run(_ command: String, _ arguments: [String]) throws {
        switch command {
        case "lock": try lock(in: arguments[0])
        case "lock-watched":
            InterruptFlag.watch()
            try lock(in: arguments[0])
        case "lock-stopping":
            InterruptFlag.watch()
            say("ready")
            while !InterruptFlag.isRaised { usleep(1000) }
            try lock(in: arguments[0])
        case "lock-twice":
            InterruptFlag.watch()
            let lock = try makeLock(arguments[0])
            let held = try lock.acquire(waitSeconds: 0)
            say("held")
            try lock.acquire(waitSeconds: 30).release()
            held.release()
        case "capture": try capture(arguments[0])
        case "capture-watched":
            InterruptFlag.watch()
            try capture(arguments[0])
        case "share": try share(in: arguments[0], seconds: arguments[1])
        case "fork-stay": try forkAndStay(in: arguments[0])
        case "fork": try fork(in: arguments[0])
        case "secret": try secret(limit: arguments.first)
        case "secret-handled":
            InterruptFlag.watch()
            try secret(limit: nil)
        case "line": try line()
        case "interrupt": interrupt()
        case "stuck": stuck()
        case "crash": try crash()
        case "standard": try standard()
        case "flood": try flood()
        case "core": try core(in: arguments[0])
        case "make": try make(in: arguments[0])
        case "large": try large(in: arguments[0])
        case "streams": try streams()
        case "directories": try directories()
        case "arguments":
            for argument in ProcessArguments.all.dropFirst(2) { say("\(argument.bytes)") }
        default: ProcessExit.exit(64)
        }
    }

    /// Holds the lock until standard input ends.
    private static func lock(in path: String) throws {
        let held = try makeLock(path).acquire(waitSeconds: 30)
        say("held")
        _ = try StandardStream.input.readAll(limit: 1024)
        held.release()
        say("released")
    }

    /// Runs a command, and says how many bytes it printed.
    private static func capture(_ command: String) throws {
        // As the command does, or the runtime takes SIGQUIT for a crash.
        try ProcessLimits.forbidCoreDumps()
        var buffer = [UInt8](repeating: 0, count: 1024)
        var span = buffer.mutableSpan
        let outcome = try Subprocess.capture(
            shell: Path(command), environment: .current, into: &span)
        say("got \(outcome.byteCount)")
        _ = try StandardStream.input.readAll(limit: 1024)
    }

    /// Takes the lock as often as it can, and says how often that was.
    private static func share(in path: String, seconds: String) throws {
        let lock = try makeLock(path)
        say("ready")
        var byte: [UInt8] = [0]
        var span = byte.mutableSpan
        _ = try StandardStream.input.read(into: &span)
        let end = Clock.deadline(afterSeconds: Double(seconds) ?? 1) ?? .max
        var count = 0
        while Clock.monotonic() < end {
            let held = try lock.acquire(waitSeconds: 30)
            try held.file.sync()
            held.release()
            count += 1
        }
        say("\(count)")
    }

    /// A child forked while the lock is held must neither have it nor let go of it.
    private static func fork(in path: String) throws {
        let lock = try makeLock(path)
        let held = try lock.acquire(waitSeconds: 0)
        let child = fork()
        if child == 0 {
            held.release()
            do {
                _exit(try lock.tryAcquire() == nil ? 0 : 1)
            } catch {
                _exit(2)
            }
        }
        var status: Int32 = 0
        unsafe _ = waitpid(child, &status, 0)
        say("child \((status >> 8) & 0xff)")
        // Another process must still find it held.
        say(try makeLock(path).tryAcquire() == nil ? "held" : "lost")
        held.release()
        say(try makeLock(path).tryAcquire() == nil ? "held" : "free")
    }

    /// A child forked while the lock is held lives on after it was released.
    private static func forkAndStay(in path: String) throws {
        let held = try makeLock(path).acquire(waitSeconds: 0)
        if fork() == 0 {
            _ = try StandardStream.input.readAll(limit: 1024)
            _exit(0)
        }
        held.release()
        say("released")
        _ = try StandardStream.input.readAll(limit: 1024)
    }

    private static func fork() -> Int32 {
        // Swift hides fork(2), for good reasons; here it is what is tested.
        typealias Fork = @convention(c) () -> Int32
        guard let symbol = unsafe dlsym(nil, "fork") else { ProcessExit.exit(65) }
        return unsafe unsafeBitCast(symbol, to: Fork.self)()
    }

    private static func secret(limit: String?) throws {
        try ProcessLimits.forbidCoreDumps()
        var buffer = [UInt8](repeating: 7, count: limit.flatMap { Int($0) } ?? 8192)
        var span = buffer.mutableSpan
        let count = try Terminal.readSecret(prompt: "Passphrase: ", into: &span)
        guard let count else {
            say("end")
            return
        }
        let isClean = buffer[count...].allSatisfy { $0 == 0 }
        say(
            "\(isClean ? "got" : "dirty") \(count) \(String(decoding: buffer[..<count], as: UTF8.self))"
        )
    }

    private static func line() throws {
        let line = try Terminal.readLine(prompt: "Name: ")
        say("got \(line.map { String(decoding: $0, as: UTF8.self) } ?? "end")")
    }

    /// Works until somebody interrupts, tidies up, and dies of it.
    private static func interrupt() {
        InterruptFlag.watch()
        say("ready")
        while !InterruptFlag.isRaised { usleep(1000) }
        say("tidy")
        InterruptFlag.raiseAgain()
    }

    /// Notes a signal and goes on.
    private static func stuck() {
        InterruptFlag.watch()
        say("ready")
        while !InterruptFlag.isRaised { usleep(1000) }
        say("noted")
        while true { pause() }
    }

    /// Dies of a fault.
    private static func crash() throws {
        let before = try ProcessLimits.forbidCoreDumps()
        // Even with the limit that was found a process that is not dumpable leaves none.
        try ProcessLimits.restoreCoreLimit(before)
        kill(getpid(), SIGSEGV)
    }

    /// What the standard streams are, told on descriptor 3.
    private static func standard() throws {
        try StandardStream.openMissing()
        var names: [String] = []
        for number in 0..<3 {
            let link = Path("/proc/self/fd/\(number)")
            names.append(try RealFileSystem().readLink(link, at: nil).description)
        }
        let bytes = Array((names.joined(separator: " ") + "\n").utf8)
        try StandardStream(number: 3).write(bytes.span)
    }

    /// Writes for ever.
    private static func flood() throws {
        Signals.resetInherited()
        while true { try write([UInt8](repeating: 0, count: 65_536)) }
    }

    /// Whether a process that cannot be dumped can still give an unnamed file a name.
    private static func core(in path: String) throws {
        let before = try ProcessLimits.forbidCoreDumps()
        let directory = try open(path)
        let file = try directory.openFile(".", [.write, .unnamed])
        try directory.link(file, as: "linked")
        say(try directory.status(of: "linked")?.kind == .regular ? "linked" : "lost")
        try ProcessLimits.restoreCoreLimit(before)
    }

    /// Makes one of everything.
    private static func make(in path: String) throws {
        let directory = try open(path)
        _ = try directory.openFile("file", [.write, .create])
        _ = try directory.openFile("exclusive", [.write, .create, .exclusive])
        _ = try directory.openFile("wide", [.write, .create], mode: 0o640)
        try directory.makeDirectory("directory")
        let bytes: [UInt8] = [1]
        try AtomicFile.replace(
            "replaced", in: directory, with: bytes.span, temporaryName: "temporary")
        try AtomicFile.replace(
            "exclusively", in: directory, with: bytes.span, temporaryName: "temporary",
            exclusive: true)
        let unnamed = try directory.openFile(".", [.write, .unnamed])
        try directory.link(unnamed, as: "unnamed")
        _ = try FileLock(directory: directory, name: "lock", gate: "gate").acquire(waitSeconds: 0)
        _ = try DirectoryMaker.ensure(
            directory.path.appending("deep/deeper"), fileSystem: RealFileSystem())
        _ = try DirectoryMaker.ensurePrivate(
            directory.path.appending("private"), fileSystem: RealFileSystem())
        say("made")
    }

    /// Writes over the limit of a file's size.
    private static func large(in path: String) throws {
        let file = try open(path).openFile("large", [.write, .create])
        let bytes = [UInt8](repeating: 1, count: 1 << 20)
        do {
            try file.write(bytes.span, at: 0)
            say("written")
        } catch {
            say("error \(error.code)")
        }
        do {
            try file.truncate(to: 1 << 21)
            say("extended")
        } catch {
            say("error \(error.code)")
        }
    }

    /// Where the app `app` keeps things.
    private static func directories() throws {
        let found = try AppDirectories.resolve(
            app: "app", root: nil, environment: .current, executable: ProcessArguments.executable)
        say(found.storage.path.description)
        say(found.cache.path.description)
    }

    /// Copies standard input to standard output.
    private static func streams() throws {
        try StandardStream.openMissing()
        let bytes = try StandardStream.input.readAll(limit: 1 << 24)
        try StandardStream.output.write(bytes.span)
    }

    private static func makeLock(_ path: String) throws -> FileLock {
        FileLock(directory: try open(path), name: "lock", gate: "gate")
    }

    private static func open(_ path: String) throws -> OpenFile {
        try OpenFile.open(Path(path), [.read, .directory], fileSystem: RealFileSystem())
    }

    private static func say(_ text: String) {
        do {
            try write(Array((text + "\n").utf8))
        } catch {
            ProcessExit.exit(66)
        }
    }

    private static func write(_ bytes: [UInt8]) throws {
        try StandardStream.output.write(bytes.span)
    }
}
