import StrongroomSystem
import Synchronization

/// Files, where one call of many goes wrong.
final class FaultyFileSystem: FileSystem {
    /// What happens at the call that is chosen.
    enum Fault: CaseIterable, Sendable {
        /// It fails for want of space and does nothing; calls that need none are not counted.
        case noSpace
        /// It fails and does nothing.
        case error
        /// It does its work, and fails all the same.
        case errorAfterwards
        /// The process is killed before it: it and all that follow fail and do nothing.
        case killed

        /// The number in `errno`.
        var code: Int32 { self == .noSpace ? ErrorCode.noSpace : ErrorCode.io }
    }

    /// What kind of machine it is.
    enum Host: Sendable { case usual, network, withoutBoots }

    private struct State {
        var callsUntilFault: Int?
        var hasFailed = false
        var syncCount = 0
    }
    private let real: any FileSystem
    private let fault: Fault
    private let host: Host
    private let state = Mutex(State())

    init(
        _ fault: Fault, on real: any FileSystem = RealFileSystem(), host: Host = .usual
    ) {
        self.fault = fault
        self.real = real
        self.host = host
    }

    func isOnNetwork(_ file: Descriptor) throws(SystemError) -> Bool { host == .network }

    /// The fault comes at the call with this number, counted from 1 and from now on.
    func arm(at call: Int) { state.withLock { $0 = State(callsUntilFault: call) } }

    /// How often something was synced.
    var syncCount: Int { state.withLock { $0.syncCount } }

    /// Whether the call was reached.
    var hasFailed: Bool { state.withLock { $0.hasFailed } }

    /// Makes a call, or not.
    private func run<Result>(
        _ operation: String, needsSpace: Bool = false,
        _ call: @autoclosure () throws(SystemError) -> Result
    ) throws(SystemError) -> Result {
        if operation == "sync" { state.withLock { $0.syncCount += 1 } }
        guard fault != .noSpace || needsSpace else { return try call() }
        let isFaulty = state.withLock { state in
            if state.hasFailed { return fault == .killed }
            guard let count = state.callsUntilFault else { return false }
            state.callsUntilFault = count - 1
            state.hasFailed = count == 1
            return count == 1
        }
        guard isFaulty else { return try call() }
        if fault == .errorAfterwards { _ = try call() }
        throw SystemError(operation: operation, path: "", code: fault.code)
    }

    func open(
        _ path: Path, at directory: Descriptor?, _ options: OpenOptions, mode: UInt16
    ) throws(SystemError) -> Descriptor {
        if host == .withoutBoots, path.lastComponent == "boot_id" {
            throw SystemError(operation: "open", path: "", code: ErrorCode.noEntry)
        }
        // A descriptor whose number nobody was told would stay open, with its locks.
        let isOpened = Mutex<Descriptor?>(nil)
        do {
            let makes = options.contains(.create) || options.contains(.unnamed)
            return try run(
                "open", needsSpace: makes, try opened(path, directory, options, mode, isOpened))
        } catch {
            if let lost = isOpened.withLock({ $0 }) { real.close(lost) }
            throw error
        }
    }

    private func opened(
        _ path: Path, _ directory: Descriptor?, _ options: OpenOptions, _ mode: UInt16,
        _ isOpened: borrowing Mutex<Descriptor?>
    ) throws(SystemError) -> Descriptor {
        let descriptor = try real.open(path, at: directory, options, mode: mode)
        isOpened.withLock { $0 = descriptor }
        return descriptor
    }

    func close(_ file: Descriptor) { real.close(file) }

    func read(
        _ file: Descriptor, into buffer: inout MutableSpan<UInt8>, at offset: Int64
    ) throws(SystemError) -> Int {
        try run("read", ())
        return try real.read(file, into: &buffer, at: offset)
    }

    func write(
        _ file: Descriptor, _ bytes: Span<UInt8>, at offset: Int64
    ) throws(SystemError) -> Int {
        do {
            try run("write", needsSpace: true, ())
        } catch {
            // A write that fails has often written something.
            if fault != .killed {
                _ = try real.write(file, bytes.extracting(0..<(bytes.count / 2)), at: offset)
            }
            throw error
        }
        return try real.write(file, bytes, at: offset)
    }

    func readStream(
        _ file: Descriptor, into buffer: inout MutableSpan<UInt8>
    ) throws(SystemError) -> Int {
        try run("read", ())
        return try real.readStream(file, into: &buffer)
    }

    func writeStream(_ file: Descriptor, _ bytes: Span<UInt8>) throws(SystemError) -> Int {
        try run("write", ())
        return try real.writeStream(file, bytes)
    }

    func truncate(_ file: Descriptor, to byteCount: Int64) throws(SystemError) {
        try run("truncate", try real.truncate(file, to: byteCount))
    }

    func sync(_ file: Descriptor) throws(SystemError) {
        try run("sync", needsSpace: true, try real.sync(file))
    }

    func startSync(_ file: Descriptor, of range: Range<Int64>) throws(SystemError) {
        try run("start sync", try real.startSync(file, of: range))
    }

    func syncData(_ file: Descriptor) throws(SystemError) {
        try run("sync", try real.syncData(file))
    }

    func status(_ file: Descriptor) throws(SystemError) -> FileStatus {
        try run("status", try real.status(file))
    }

    func modified(_ file: Descriptor) throws(SystemError) -> Int64 {
        try run("status", try real.modified(file))
    }

    func status(
        _ path: Path, at directory: Descriptor?, followLink: Bool
    ) throws(SystemError) -> FileStatus {
        try run("status", try real.status(path, at: directory, followLink: followLink))
    }

    func changeMode(_ file: Descriptor, to mode: UInt16) throws(SystemError) {
        try run("change mode", try real.changeMode(file, to: mode))
    }

    func changeMode(
        _ path: Path, at directory: Descriptor?, to mode: UInt16
    ) throws(SystemError) {
        try run("change mode", try real.changeMode(path, at: directory, to: mode))
    }

    func changeOwner(_ file: Descriptor, to owner: UInt32, group: UInt32) throws(SystemError) {
        try run("change owner", try real.changeOwner(file, to: owner, group: group))
    }

    func rename(
        _ path: Path, at directory: Descriptor?, to newPath: Path, at newDirectory: Descriptor?,
        _ mode: RenameMode
    ) throws(SystemError) {
        try run(
            "rename", needsSpace: true,
            try real.rename(path, at: directory, to: newPath, at: newDirectory, mode))
    }

    func link(_ file: Descriptor, to path: Path, at directory: Descriptor?) throws(SystemError) {
        try run("link", needsSpace: true, try real.link(file, to: path, at: directory))
    }

    func unlink(_ path: Path, at directory: Descriptor?) throws(SystemError) {
        try run("remove", try real.unlink(path, at: directory))
    }

    func makeDirectory(
        _ path: Path, at directory: Descriptor?, mode: UInt16
    ) throws(SystemError) {
        try run(
            "make directory", needsSpace: true,
            try real.makeDirectory(path, at: directory, mode: mode))
    }

    func removeDirectory(_ path: Path, at directory: Descriptor?) throws(SystemError) {
        try run("remove", try real.removeDirectory(path, at: directory))
    }

    func list(_ directory: Descriptor) throws(SystemError) -> [DirectoryItem] {
        try run("list", try real.list(directory))
    }

    func lock(_ file: Descriptor, _ kind: LockKind, waits: Bool) throws(SystemError) {
        try run("lock", try real.lock(file, kind, waits: waits))
    }

    func unlock(_ file: Descriptor) throws(SystemError) { try run("lock", try real.unlock(file)) }

    func freeByteCount(_ file: Descriptor) throws(SystemError) -> UInt64 {
        try run("free space", try real.freeByteCount(file))
    }

    func readLink(_ path: Path, at directory: Descriptor?) throws(SystemError) -> Path {
        try run("read link", try real.readLink(path, at: directory))
    }
}
