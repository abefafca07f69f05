import StrongroomSystem
import Synchronization

/// The kernel's files with faults: calls that a signal interrupts, short reads and writes, one call that fails.
final class FaultyFileSystem: FileSystem {
    private struct State {
        var calls: [String] = []
        var modes: [UInt16] = []
        var failing: (operation: String, code: Int32)?
        var isInterruptedNext = true
    }

    /// The most bytes that one read or write moves.
    private let pieceByteCount: Int
    /// True if every call is interrupted once before it does anything.
    private let interrupts: Bool
    private let real = RealFileSystem()
    private let state = Mutex(State())

    init(pieceByteCount: Int = .max, interrupts: Bool = false) {
        self.pieceByteCount = pieceByteCount
        self.interrupts = interrupts
    }

    /// What was called since the last look, with names: `write temporary`.
    func takeCalls() -> [String] {
        state.withLock { state in
            defer { state.calls = [] }
            return state.calls
        }
    }

    /// The modes that files and directories were made with since the last look.
    func takeModes() -> [UInt16] {
        state.withLock { state in
            defer { state.modes = [] }
            return state.modes
        }
    }

    /// Lets the next call of `operation` fail.
    func fail(_ operation: String, code: Int32) {
        state.withLock { $0.failing = (operation, code) }
    }

    private func begin(_ operation: String, _ path: Path? = nil) throws(SystemError) {
        let code: Int32? = state.withLock { state in
            if interrupts {
                defer { state.isInterruptedNext.toggle() }
                if state.isInterruptedNext { return ErrorCode.interrupted }
            }
            state.calls.append(path.map { "\(operation) \($0)" } ?? operation)
            if let failing = state.failing, failing.operation == operation {
                state.failing = nil
                return failing.code
            }
            return nil
        }
        if let code { throw SystemError(operation: operation, path: "", code: code) }
    }

    func open(
        _ path: Path, at directory: Descriptor?, _ options: OpenOptions, mode: UInt16
    ) throws(SystemError) -> Descriptor {
        try begin("open", path)
        if options.contains(.create) || options.contains(.unnamed) {
            state.withLock { $0.modes.append(mode) }
        }
        return try real.open(path, at: directory, options, mode: mode)
    }

    func close(_ file: Descriptor) { real.close(file) }

    func read(
        _ file: Descriptor, into buffer: inout MutableSpan<UInt8>, at offset: Int64
    ) throws(SystemError) -> Int {
        try begin("read")
        var piece = buffer._mutatingExtracting(0..<min(buffer.count, pieceByteCount))
        return try real.read(file, into: &piece, at: offset)
    }

    func write(
        _ file: Descriptor, _ bytes: Span<UInt8>, at offset: Int64
    ) throws(SystemError) -> Int {
        try begin("write")
        return try real.write(
            file, bytes.extracting(0..<min(bytes.count, pieceByteCount)), at: offset)
    }

    func readStream(
        _ file: Descriptor, into buffer: inout MutableSpan<UInt8>
    ) throws(SystemError) -> Int {
        try begin("read stream")
        var piece = buffer._mutatingExtracting(0..<min(buffer.count, pieceByteCount))
        return try real.readStream(file, into: &piece)
    }

    func writeStream(_ file: Descriptor, _ bytes: Span<UInt8>) throws(SystemError) -> Int {
        try begin("write stream")
        return try real.writeStream(
            file, bytes.extracting(0..<min(bytes.count, pieceByteCount)))
    }

    func truncate(_ file: Descriptor, to byteCount: Int64) throws(SystemError) {
        try begin("truncate")
        try real.truncate(file, to: byteCount)
    }

    func sync(_ file: Descriptor) throws(SystemError) {
        try begin("sync")
        try real.sync(file)
    }

    func startSync(_ file: Descriptor, of range: Range<Int64>) throws(SystemError) {
        try begin("start sync")
        try real.startSync(file, of: range)
    }

    func syncData(_ file: Descriptor) throws(SystemError) {
        try begin("sync data")
        try real.syncData(file)
    }

    func status(_ file: Descriptor) throws(SystemError) -> FileStatus {
        try begin("status")
        return try real.status(file)
    }

    func modified(_ file: Descriptor) throws(SystemError) -> Int64 {
        try begin("status")
        return try real.modified(file)
    }

    func status(
        _ path: Path, at directory: Descriptor?, followLink: Bool
    ) throws(SystemError) -> FileStatus {
        try begin("status", path)
        return try real.status(path, at: directory, followLink: followLink)
    }

    func changeMode(_ file: Descriptor, to mode: UInt16) throws(SystemError) {
        try begin("change mode")
        try real.changeMode(file, to: mode)
    }

    func changeMode(
        _ path: Path, at directory: Descriptor?, to mode: UInt16
    ) throws(SystemError) {
        try begin("change mode", path)
        try real.changeMode(path, at: directory, to: mode)
    }

    func changeOwner(_ file: Descriptor, to owner: UInt32, group: UInt32) throws(SystemError) {
        try begin("change owner")
        try real.changeOwner(file, to: owner, group: group)
    }

    func rename(
        _ path: Path, at directory: Descriptor?, to newPath: Path, at newDirectory: Descriptor?,
        _ mode: RenameMode
    ) throws(SystemError) {
        try begin("rename", path)
        try real.rename(path, at: directory, to: newPath, at: newDirectory, mode)
    }

    func link(
        _ file: Descriptor, to path: Path, at directory: Descriptor?
    ) throws(SystemError) {
        try begin("link", path)
        try real.link(file, to: path, at: directory)
    }

    func unlink(_ path: Path, at directory: Descriptor?) throws(SystemError) {
        try begin("unlink", path)
        try real.unlink(path, at: directory)
    }

    func makeDirectory(
        _ path: Path, at directory: Descriptor?, mode: UInt16
    ) throws(SystemError) {
        try begin("make directory", path)
        state.withLock { $0.modes.append(mode) }
        try real.makeDirectory(path, at: directory, mode: mode)
    }

    func removeDirectory(_ path: Path, at directory: Descriptor?) throws(SystemError) {
        try begin("remove directory", path)
        try real.removeDirectory(path, at: directory)
    }

    func list(_ directory: Descriptor) throws(SystemError) -> [DirectoryItem] {
        try begin("list")
        return try real.list(directory)
    }

    func lock(_ file: Descriptor, _ kind: LockKind, waits: Bool) throws(SystemError) {
        try begin("lock")
        try real.lock(file, kind, waits: waits)
    }

    func unlock(_ file: Descriptor) throws(SystemError) {
        try begin("unlock")
        try real.unlock(file)
    }

    func freeByteCount(_ file: Descriptor) throws(SystemError) -> UInt64 {
        try begin("free space")
        return try real.freeByteCount(file)
    }

    func readLink(_ path: Path, at directory: Descriptor?) throws(SystemError) -> Path {
        try begin("read link", path)
        return try real.readLink(path, at: directory)
    }
}
