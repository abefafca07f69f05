import StrongroomSystem
import Synchronization

/// The kernel's files as a process sees them that is killed after `count` calls that change
/// something: from then on nothing it does has any effect.
///
/// Its locks go with its descriptors, as the kernel lets them go.
///
/// A killed write may have written the first half (`tears`). Nothing is really synced: power stays on.
final class KillingFileSystem: FileSystem {
    private struct State {
        var remaining: Int
        var isKilled = false
        var count = 0
        var diedWriting = false
    }

    static let error = SystemError(
        operation: "be killed", path: "", code: ErrorCode.interrupted + 1000)

    private let real = RealFileSystem()
    private let tears: Bool
    private let target: (operation: String, path: Path)?
    private let state: Mutex<State>

    init(after count: Int, tears: Bool = false) {
        self.tears = tears
        target = nil
        state = Mutex(State(remaining: count))
    }

    /// One that kills before the first call of that kind on that path.
    init(before operation: String, _ path: Path) {
        tears = false
        target = (operation, path)
        state = Mutex(State(remaining: .max))
    }

    /// One that kills nobody, and does not sync: power stays on in tests.
    static var unsynced: KillingFileSystem { KillingFileSystem(after: .max) }

    /// True once a call has been refused.
    var isKilled: Bool { state.withLock { $0.isKilled } }
    /// True if the refused call was a write.
    var diedWriting: Bool { state.withLock { $0.diedWriting } }
    /// Calls that changed something.
    var changeCount: Int { state.withLock { $0.count } }

    /// Throws if the process is dead.
    private func live() throws(SystemError) {
        if isKilled { throw Self.error }
    }

    /// One call that changes something; false if the process dies of it.
    private func change() throws(SystemError) -> Bool {
        let isAlive: Bool? = state.withLock { state in
            if state.isKilled { return nil }
            if state.remaining == 0 {
                state.isKilled = true
                return false
            }
            state.remaining -= 1
            state.count += 1
            return true
        }
        guard let isAlive else { throw Self.error }
        return isAlive
    }

    private func changing<Result>(
        _ operation: String = "", _ path: Path = "", _ call: () throws(SystemError) -> Result
    ) throws(SystemError) -> Result {
        if let target, target == (operation, path) {
            state.withLock { if !$0.isKilled { $0.remaining = 0 } }
        }
        guard try change() else { throw Self.error }
        return try call()
    }

    func open(
        _ path: Path, at directory: Descriptor?, _ options: OpenOptions, mode: UInt16
    ) throws(SystemError) -> Descriptor {
        guard options.contains(.create) || options.contains(.unnamed) else {
            try live()
            return try real.open(path, at: directory, options, mode: mode)
        }
        return try changing("create", path) { () throws(SystemError) in
            try real.open(path, at: directory, options, mode: mode)
        }
    }

    func close(_ file: Descriptor) { real.close(file) }

    func read(
        _ file: Descriptor, into buffer: inout MutableSpan<UInt8>, at offset: Int64
    ) throws(SystemError) -> Int {
        try live()
        return try real.read(file, into: &buffer, at: offset)
    }

    func write(
        _ file: Descriptor, _ bytes: Span<UInt8>, at offset: Int64
    ) throws(SystemError) -> Int {
        guard try change() else {
            state.withLock { $0.diedWriting = true }
            if tears {
                _ = try real.write(
                    file, bytes.extracting(0..<bytes.count / 2), at: offset)
            }
            throw Self.error
        }
        return try real.write(file, bytes, at: offset)
    }

    func readStream(
        _ file: Descriptor, into buffer: inout MutableSpan<UInt8>
    ) throws(SystemError) -> Int {
        try live()
        return try real.readStream(file, into: &buffer)
    }

    func writeStream(_ file: Descriptor, _ bytes: Span<UInt8>) throws(SystemError) -> Int {
        try live()
        return try real.writeStream(file, bytes)
    }

    func truncate(_ file: Descriptor, to byteCount: Int64) throws(SystemError) {
        try changing { () throws(SystemError) in try real.truncate(file, to: byteCount) }
    }

    func sync(_ file: Descriptor) throws(SystemError) { try live() }
    func startSync(_ file: Descriptor, of range: Range<Int64>) throws(SystemError) { try live() }
    func syncData(_ file: Descriptor) throws(SystemError) { try live() }

    func status(_ file: Descriptor) throws(SystemError) -> FileStatus {
        try live()
        return try real.status(file)
    }

    func modified(_ file: Descriptor) throws(SystemError) -> Int64 {
        try live()
        return try real.modified(file)
    }

    func status(
        _ path: Path, at directory: Descriptor?, followLink: Bool
    ) throws(SystemError) -> FileStatus {
        try live()
        return try real.status(path, at: directory, followLink: followLink)
    }

    func changeMode(_ file: Descriptor, to mode: UInt16) throws(SystemError) {
        try changing { () throws(SystemError) in try real.changeMode(file, to: mode) }
    }

    func changeMode(
        _ path: Path, at directory: Descriptor?, to mode: UInt16
    ) throws(SystemError) {
        try changing { () throws(SystemError) in
            try real.changeMode(path, at: directory, to: mode)
        }
    }

    func changeOwner(_ file: Descriptor, to owner: UInt32, group: UInt32) throws(SystemError) {
        try changing { () throws(SystemError) in
            try real.changeOwner(file, to: owner, group: group)
        }
    }

    func rename(
        _ path: Path, at directory: Descriptor?, to newPath: Path, at newDirectory: Descriptor?,
        _ mode: RenameMode
    ) throws(SystemError) {
        try changing("rename", newPath) { () throws(SystemError) in
            try real.rename(path, at: directory, to: newPath, at: newDirectory, mode)
        }
    }

    func link(
        _ file: Descriptor, to path: Path, at directory: Descriptor?
    ) throws(SystemError) {
        try changing { () throws(SystemError) in try real.link(file, to: path, at: directory) }
    }

    func unlink(_ path: Path, at directory: Descriptor?) throws(SystemError) {
        try changing { () throws(SystemError) in try real.unlink(path, at: directory) }
    }

    func makeDirectory(
        _ path: Path, at directory: Descriptor?, mode: UInt16
    ) throws(SystemError) {
        try changing { () throws(SystemError) in
            try real.makeDirectory(path, at: directory, mode: mode)
        }
    }

    func removeDirectory(_ path: Path, at directory: Descriptor?) throws(SystemError) {
        try changing { () throws(SystemError) in
            try real.removeDirectory(path, at: directory)
        }
    }

    func list(_ directory: Descriptor) throws(SystemError) -> [DirectoryItem] {
        try live()
        return try real.list(directory)
    }

    func lock(_ file: Descriptor, _ kind: LockKind, waits: Bool) throws(SystemError) {
        try live()
        try real.lock(file, kind, waits: waits)
    }

    func unlock(_ file: Descriptor) throws(SystemError) { try real.unlock(file) }

    func freeByteCount(_ file: Descriptor) throws(SystemError) -> UInt64 {
        try live()
        return try real.freeByteCount(file)
    }

    func readLink(_ path: Path, at directory: Descriptor?) throws(SystemError) -> Path {
        try live()
        return try real.readLink(path, at: directory)
    }
}
