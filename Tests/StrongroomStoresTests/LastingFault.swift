import SimulatedDisk
import StrongroomSystem
import Synchronization

/// Files on a machine that something is wrong with from some call on, until it is set right.
final class LastingFault: FileSystemWrapper {
    /// What is wrong.
    enum Kind: CaseIterable, Sendable {
        /// The user has written all that he may.
        case quota
        /// The kernel has found an error on the disk and takes no writes any more.
        case readOnly
        /// The process has as many files open as it may.
        case fileLimit
        /// Every call is interrupted by a signal once before it does its work.
        case signals
        /// Every call reads or writes a few bytes alone.
        case shortCalls

        /// Whether calls fail, or only take more turns.
        var fails: Bool { self != .signals && self != .shortCalls }
    }

    private struct State {
        var callsUntilFault = Int.max
        var isInterrupted = false
        var refusedCount = 0
    }

    let inner: any FileSystem = RealFileSystem()
    private let kind: Kind
    private let state = Mutex(State())

    init(_ kind: Kind) { self.kind = kind }

    /// Something is wrong from the call with this number on, counted from 1 and from now on.
    func begin(at call: Int) { state.withLock { $0 = State(callsUntilFault: call) } }

    /// All is well again.
    func end() { state.withLock { $0.callsUntilFault = .max } }

    /// How many calls failed.
    var refusedCount: Int { state.withLock { $0.refusedCount } }

    /// Counts a call, and throws if it is one that fails.
    private func pass(
        _ operation: String, writes: Bool = false, allocates: Bool = false, opens: Bool = false
    ) throws(SystemError) {
        let code = state.withLock { state -> Int32? in
            if state.callsUntilFault < .max { state.callsUntilFault -= 1 }
            guard state.callsUntilFault <= 0 else { return nil }
            let code: Int32?
            switch kind {
            case .quota: code = allocates ? ErrorCode.quota : nil
            case .readOnly: code = writes || allocates ? ErrorCode.readOnly : nil
            case .fileLimit: code = opens ? ErrorCode.tooManyOpen : nil
            case .signals:
                state.isInterrupted.toggle()
                code = state.isInterrupted ? ErrorCode.interrupted : nil
            case .shortCalls: code = nil
            }
            if code != nil { state.refusedCount += 1 }
            return code
        }
        if let code { throw SystemError(operation: operation, path: "", code: code) }
    }

    /// How many of `count` bytes a call takes.
    private func share(of count: Int) -> Int {
        let isShort = kind == .shortCalls && state.withLock { $0.callsUntilFault <= 0 }
        return isShort ? min(count, 7) : count
    }

    func open(
        _ path: Path, at directory: Descriptor?, _ options: OpenOptions, mode: UInt16
    ) throws(SystemError) -> Descriptor {
        let makes = options.contains(.create) || options.contains(.unnamed)
        try pass("open", writes: options.contains(.write), allocates: makes, opens: true)
        return try inner.open(path, at: directory, options, mode: mode)
    }

    func read(
        _ file: Descriptor, into buffer: inout MutableSpan<UInt8>, at offset: Int64
    ) throws(SystemError) -> Int {
        try pass("read")
        var part = buffer._mutatingExtracting(0..<share(of: buffer.count))
        return try inner.read(file, into: &part, at: offset)
    }

    func write(
        _ file: Descriptor, _ bytes: Span<UInt8>, at offset: Int64
    ) throws(SystemError) -> Int {
        try pass("write", writes: true, allocates: true)
        return try inner.write(file, bytes.extracting(0..<share(of: bytes.count)), at: offset)
    }

    func truncate(_ file: Descriptor, to byteCount: Int64) throws(SystemError) {
        try pass("truncate", writes: true)
        try inner.truncate(file, to: byteCount)
    }

    func sync(_ file: Descriptor) throws(SystemError) {
        try pass("sync", writes: true)
        try inner.sync(file)
    }

    func syncData(_ file: Descriptor) throws(SystemError) {
        try pass("sync", writes: true)
        try inner.syncData(file)
    }

    func status(_ file: Descriptor) throws(SystemError) -> FileStatus {
        try pass("status")
        return try inner.status(file)
    }

    func status(
        _ path: Path, at directory: Descriptor?, followLink: Bool
    ) throws(SystemError) -> FileStatus {
        try pass("status")
        return try inner.status(path, at: directory, followLink: followLink)
    }

    func changeMode(_ file: Descriptor, to mode: UInt16) throws(SystemError) {
        try pass("change mode", writes: true)
        try inner.changeMode(file, to: mode)
    }

    func rename(
        _ path: Path, at directory: Descriptor?, to newPath: Path, at newDirectory: Descriptor?,
        _ mode: RenameMode
    ) throws(SystemError) {
        try pass("rename", writes: true)
        try inner.rename(path, at: directory, to: newPath, at: newDirectory, mode)
    }

    func link(_ file: Descriptor, to path: Path, at directory: Descriptor?) throws(SystemError) {
        try pass("link", writes: true)
        try inner.link(file, to: path, at: directory)
    }

    func unlink(_ path: Path, at directory: Descriptor?) throws(SystemError) {
        try pass("remove", writes: true)
        try inner.unlink(path, at: directory)
    }

    func makeDirectory(
        _ path: Path, at directory: Descriptor?, mode: UInt16
    ) throws(SystemError) {
        try pass("make directory", allocates: true)
        try inner.makeDirectory(path, at: directory, mode: mode)
    }

    func removeDirectory(_ path: Path, at directory: Descriptor?) throws(SystemError) {
        try pass("remove", writes: true)
        try inner.removeDirectory(path, at: directory)
    }

    func list(_ directory: Descriptor) throws(SystemError) -> [DirectoryItem] {
        try pass("list")
        return try inner.list(directory)
    }

    func lock(_ file: Descriptor, _ kind: LockKind, waits: Bool) throws(SystemError) {
        try pass("lock")
        try inner.lock(file, kind, waits: waits)
    }
}
