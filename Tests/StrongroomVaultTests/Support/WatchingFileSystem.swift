import StrongroomSystem
import Synchronization

/// The kernel's files, telling a test of each call that changes something, before it and after it, and of what is to
/// be opened.
final class WatchingFileSystem: FileSystem {
    /// One call: its name and the path that it was given.
    struct Call: Sendable {
        let operation: String
        let path: Path
    }

    private let real = RealFileSystem()
    private let before: @Sendable (Call) -> Void
    private let after: @Sendable (Call) -> Void
    private let opening: @Sendable (Path) -> Void
    private let refusing: @Sendable (Call) -> Int32?
    /// Whether it really syncs, beside telling of it.
    private let syncs: Bool
    /// Whether it says that machines share its disk.
    private let isShared: Bool
    /// What open files were opened as.
    private let names = Mutex<[Int32: Path]>([:])

    init(
        before: @escaping @Sendable (Call) -> Void = { _ in },
        after: @escaping @Sendable (Call) -> Void = { _ in },
        opening: @escaping @Sendable (Path) -> Void = { _ in },
        refusing: @escaping @Sendable (Call) -> Int32? = { _ in nil },
        syncs: Bool = false, isOnNetwork: Bool = false
    ) {
        isShared = isOnNetwork
        self.syncs = syncs
        self.before = before
        self.after = after
        self.opening = opening
        self.refusing = refusing
    }

    private func watching<Result>(
        _ operation: String, _ path: Path = "", _ call: () throws(SystemError) -> Result
    ) throws(SystemError) -> Result {
        let what = Call(operation: operation, path: path)
        if let code = refusing(what) {
            throw SystemError(operation: operation, path: path.description, code: code)
        }
        before(what)
        let result = try call()
        after(what)
        return result
    }

    func open(
        _ path: Path, at directory: Descriptor?, _ options: OpenOptions, mode: UInt16
    ) throws(SystemError) -> Descriptor {
        opening(path)
        let file: Descriptor
        if options.contains(.create) || options.contains(.unnamed) {
            file = try watching("create", path) { () throws(SystemError) in
                try real.open(path, at: directory, options, mode: mode)
            }
        } else {
            file = try real.open(path, at: directory, options, mode: mode)
        }
        names.withLock { $0[file.number] = path }
        return file
    }

    func close(_ file: Descriptor) {
        _ = names.withLock { $0.removeValue(forKey: file.number) }
        real.close(file)
    }

    private func name(_ file: Descriptor) -> Path { names.withLock { $0[file.number] } ?? "" }

    func read(
        _ file: Descriptor, into buffer: inout MutableSpan<UInt8>, at offset: Int64
    ) throws(SystemError) -> Int {
        try real.read(file, into: &buffer, at: offset)
    }

    func write(
        _ file: Descriptor, _ bytes: Span<UInt8>, at offset: Int64
    ) throws(SystemError) -> Int {
        let what = Call(operation: "write", path: name(file))
        if let code = refusing(what) {
            throw SystemError(
                operation: "write", path: what.path.description, code: code)
        }
        before(what)
        let count = try real.write(file, bytes, at: offset)
        after(what)
        return count
    }

    func readStream(
        _ file: Descriptor, into buffer: inout MutableSpan<UInt8>
    ) throws(SystemError) -> Int {
        try real.readStream(file, into: &buffer)
    }

    func writeStream(_ file: Descriptor, _ bytes: Span<UInt8>) throws(SystemError) -> Int {
        try real.writeStream(file, bytes)
    }

    func truncate(_ file: Descriptor, to byteCount: Int64) throws(SystemError) {
        try watching("truncate") { () throws(SystemError) in
            try real.truncate(file, to: byteCount)
        }
    }

    func sync(_ file: Descriptor) throws(SystemError) {
        try watching("sync", name(file)) { () throws(SystemError) in
            if syncs { try real.sync(file) }
        }
    }

    func startSync(_ file: Descriptor, of range: Range<Int64>) throws(SystemError) {
        try real.startSync(file, of: range)
    }

    func syncData(_ file: Descriptor) throws(SystemError) {
        try watching("sync", name(file)) { () throws(SystemError) in
            if syncs { try real.syncData(file) }
        }
    }

    func status(_ file: Descriptor) throws(SystemError) -> FileStatus {
        try real.status(file)
    }

    func modified(_ file: Descriptor) throws(SystemError) -> Int64 {
        try real.modified(file)
    }

    func status(
        _ path: Path, at directory: Descriptor?, followLink: Bool
    ) throws(SystemError) -> FileStatus {
        try real.status(path, at: directory, followLink: followLink)
    }

    func changeMode(_ file: Descriptor, to mode: UInt16) throws(SystemError) {
        try watching("change mode") { () throws(SystemError) in
            try real.changeMode(file, to: mode)
        }
    }

    func changeMode(
        _ path: Path, at directory: Descriptor?, to mode: UInt16
    ) throws(SystemError) {
        try watching("change mode", path) { () throws(SystemError) in
            try real.changeMode(path, at: directory, to: mode)
        }
    }

    func changeOwner(_ file: Descriptor, to owner: UInt32, group: UInt32) throws(SystemError) {
        try watching("change owner") { () throws(SystemError) in
            try real.changeOwner(file, to: owner, group: group)
        }
    }

    func rename(
        _ path: Path, at directory: Descriptor?, to newPath: Path, at newDirectory: Descriptor?,
        _ mode: RenameMode
    ) throws(SystemError) {
        try watching("rename", newPath) { () throws(SystemError) in
            try real.rename(path, at: directory, to: newPath, at: newDirectory, mode)
        }
    }

    func link(
        _ file: Descriptor, to path: Path, at directory: Descriptor?
    ) throws(SystemError) {
        try watching("link", path) { () throws(SystemError) in
            try real.link(file, to: path, at: directory)
        }
    }

    func unlink(_ path: Path, at directory: Descriptor?) throws(SystemError) {
        try watching("unlink", path) { () throws(SystemError) in
            try real.unlink(path, at: directory)
        }
    }

    func makeDirectory(
        _ path: Path, at directory: Descriptor?, mode: UInt16
    ) throws(SystemError) {
        try watching("make directory", path) { () throws(SystemError) in
            try real.makeDirectory(path, at: directory, mode: mode)
        }
    }

    func removeDirectory(_ path: Path, at directory: Descriptor?) throws(SystemError) {
        try watching("remove directory", path) { () throws(SystemError) in
            try real.removeDirectory(path, at: directory)
        }
    }

    func list(_ directory: Descriptor) throws(SystemError) -> [DirectoryItem] {
        try real.list(directory)
    }

    func lock(_ file: Descriptor, _ kind: LockKind, waits: Bool) throws(SystemError) {
        try watching("lock", name(file)) { () throws(SystemError) in
            try real.lock(file, kind, waits: waits)
        }
    }

    func unlock(_ file: Descriptor) throws(SystemError) { try real.unlock(file) }

    func isOnNetwork(_ file: Descriptor) throws(SystemError) -> Bool { isShared }

    func freeByteCount(_ file: Descriptor) throws(SystemError) -> UInt64 {
        try real.freeByteCount(file)
    }

    func readLink(_ path: Path, at directory: Descriptor?) throws(SystemError) -> Path {
        try real.readLink(path, at: directory)
    }
}
