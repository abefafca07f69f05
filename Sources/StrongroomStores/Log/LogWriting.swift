import StrongroomSystem

/// A log's directory, open for writing, and its lock: one for all threads of an object, so that they stand in one queue.
final class LogWriting: Sendable {
    let directory: OpenFile
    let lock: FileLock
    private let inode: UInt64
    private let device: UInt64

    init(_ directory: OpenFile, _ status: FileStatus) {
        self.directory = directory
        lock = FileLock(directory: directory, name: LogName.lock, gate: LogName.gate)
        inode = status.inode
        device = status.device
    }

    /// True if `status` is that of the directory.
    func isSame(_ status: FileStatus) -> Bool {
        status.inode == inode && status.device == device
    }
}
