/// An open file or directory that closes itself with its last reference.
///
/// It has the loops that one system call leaves to its caller: `EINTR`, short reads, short writes. Its errors name
/// the whole path.
package final class OpenFile: Sendable {
    package let fileSystem: any FileSystem
    package let descriptor: Descriptor
    /// For messages.
    package let path: Path

    /// Takes over a descriptor that is open.
    package init(_ descriptor: Descriptor, path: Path, fileSystem: any FileSystem) {
        self.descriptor = descriptor
        self.path = path
        self.fileSystem = fileSystem
    }

    deinit { fileSystem.close(descriptor) }

    /// What it is (statx(2)).
    package func status() throws(SystemError) -> FileStatus {
        try calling { () throws(SystemError) in try fileSystem.status(descriptor) }
    }

    /// Last change of the contents, nanoseconds since 1970.
    package func modified() throws(SystemError) -> Int64 {
        try calling { () throws(SystemError) in try fileSystem.modified(descriptor) }
    }

    /// Bytes free for this user on the disk that holds the file.
    package func freeByteCount() throws(SystemError) -> UInt64 {
        try calling { () throws(SystemError) in try fileSystem.freeByteCount(descriptor) }
    }

    /// True if machines share the disk that holds the file, as far as its kind says.
    package func isOnNetwork() throws(SystemError) -> Bool {
        try calling { () throws(SystemError) in try fileSystem.isOnNetwork(descriptor) }
    }

    /// fsync(2).
    ///
    /// An `EINTR` comes before the outcome is known, so it may be tried again; no other error may.
    package func sync() throws(SystemError) {
        try calling { () throws(SystemError) in try fileSystem.sync(descriptor) }
    }

    /// Begins to write `range` to the disk and waits for nothing: it is durable after a sync alone.
    ///
    /// An error is that of a write: the data are in doubt.
    package func startSync(of range: Range<Int64>) throws(SystemError) {
        try calling { () throws(SystemError) in
            try fileSystem.startSync(descriptor, of: range)
        }
    }

    /// fdatasync(2), with the same care.
    package func syncData() throws(SystemError) {
        try calling { () throws(SystemError) in try fileSystem.syncData(descriptor) }
    }

    /// Cuts or extends the file to `byteCount` bytes.
    package func truncate(to byteCount: Int64) throws(SystemError) {
        try calling { () throws(SystemError) in
            try fileSystem.truncate(descriptor, to: byteCount)
        }
    }

    /// Sets the permission bits, whatever the umask.
    package func changeMode(to mode: UInt16) throws(SystemError) {
        try calling { () throws(SystemError) in try fileSystem.changeMode(descriptor, to: mode) }
    }

    /// Gives the file to somebody else.
    package func changeOwner(to owner: UInt32, group: UInt32) throws(SystemError) {
        try calling { () throws(SystemError) in
            try fileSystem.changeOwner(descriptor, to: owner, group: group)
        }
    }

    /// flock(2).
    ///
    /// Without `waits` a lock that somebody else holds is `ErrorCode.wouldBlock`.
    package func lock(_ kind: LockKind, waits: Bool) throws(SystemError) {
        try calling { () throws(SystemError) in
            try fileSystem.lock(descriptor, kind, waits: waits)
        }
    }

    /// Lets go of the lock.
    package func unlock() throws(SystemError) {
        try calling { () throws(SystemError) in try fileSystem.unlock(descriptor) }
    }

    /// The path of `name` in this directory, for messages; `.` is the directory itself.
    func wholePath(of name: Path) -> Path { name == "." ? path : path.appending(name) }

    /// Runs one call again for as long as a signal interrupts it; an error names `name` below this file's
    /// path, or the file itself.
    func calling<Result>(
        on name: Path? = nil, _ call: () throws(SystemError) -> Result
    ) throws(SystemError) -> Result {
        while true {
            do {
                return try call()
            } catch {
                if error.code == ErrorCode.interrupted { continue }
                throw error.on(name.map(wholePath) ?? path)
            }
        }
    }
}
