/// The door to files: one call of it is one system call, so that a test can fail, cut short or record each.
///
/// Loops over short reads and writes and over `EINTR` stand above it, in `OpenFile`.
///
/// Paths are relative to `directory`, or to the working directory if that is nil. Every call throws
/// `SystemError` with the path it was given.
package protocol FileSystem: Sendable {
    func open(
        _ path: Path, at directory: Descriptor?, _ options: OpenOptions, mode: UInt16
    ) throws(SystemError) -> Descriptor
    func close(_ file: Descriptor)
    /// pread(2): how many bytes were read into the front of `buffer`; 0 at the end.
    func read(
        _ file: Descriptor, into buffer: inout MutableSpan<UInt8>, at offset: Int64
    ) throws(SystemError) -> Int
    /// pwrite(2): how many bytes of `bytes` were written.
    func write(
        _ file: Descriptor, _ bytes: Span<UInt8>, at offset: Int64
    ) throws(SystemError) -> Int
    /// read(2) from a stream: a pipe, a terminal.
    func readStream(
        _ file: Descriptor, into buffer: inout MutableSpan<UInt8>
    ) throws(SystemError) -> Int
    /// write(2) to a stream.
    func writeStream(_ file: Descriptor, _ bytes: Span<UInt8>) throws(SystemError) -> Int
    func truncate(_ file: Descriptor, to byteCount: Int64) throws(SystemError)
    /// fsync(2).
    func sync(_ file: Descriptor) throws(SystemError)
    /// Begins to write what is not on the disk yet of a part of a file, and waits for nothing (sync_file_range(2)):
    /// it promises nothing, and a sync afterwards has less to wait for.
    func startSync(_ file: Descriptor, of range: Range<Int64>) throws(SystemError)
    /// fdatasync(2).
    func syncData(_ file: Descriptor) throws(SystemError)
    /// statx(2), without the times.
    func status(_ file: Descriptor) throws(SystemError) -> FileStatus
    /// Last change of the contents, nanoseconds since 1970.
    func modified(_ file: Descriptor) throws(SystemError) -> Int64
    /// statx(2); a symbolic link is followed only if `followLink`.
    func status(
        _ path: Path, at directory: Descriptor?, followLink: Bool
    ) throws(SystemError) -> FileStatus
    func changeMode(_ file: Descriptor, to mode: UInt16) throws(SystemError)
    /// fchmodat(2) of what has the name itself; a symbolic link is not followed (`ErrorCode.notSupported`).
    func changeMode(_ path: Path, at directory: Descriptor?, to mode: UInt16) throws(SystemError)
    func changeOwner(_ file: Descriptor, to owner: UInt32, group: UInt32) throws(SystemError)
    /// renameat2(2).
    func rename(
        _ path: Path, at directory: Descriptor?, to newPath: Path, at newDirectory: Descriptor?,
        _ mode: RenameMode
    ) throws(SystemError)
    /// Gives an open (also an unnamed) file a name, which must be free (linkat(2)).
    func link(
        _ file: Descriptor, to path: Path, at directory: Descriptor?
    ) throws(SystemError)
    func unlink(_ path: Path, at directory: Descriptor?) throws(SystemError)
    func makeDirectory(_ path: Path, at directory: Descriptor?, mode: UInt16) throws(SystemError)
    func removeDirectory(_ path: Path, at directory: Descriptor?) throws(SystemError)
    /// Every name in an open directory but `.` and `..`, in no order.
    func list(_ directory: Descriptor) throws(SystemError) -> [DirectoryItem]
    /// flock(2). Without `waits` a lock that somebody else holds is the error `EWOULDBLOCK`.
    func lock(_ file: Descriptor, _ kind: LockKind, waits: Bool) throws(SystemError)
    func unlock(_ file: Descriptor) throws(SystemError)
    /// Bytes free for this user on the disk of an open file.
    func freeByteCount(_ file: Descriptor) throws(SystemError) -> UInt64
    /// True if machines share the disk of an open file, as far as its kind says (statfs(2)).
    func isOnNetwork(_ file: Descriptor) throws(SystemError) -> Bool
    /// Where a symbolic link points.
    func readLink(_ path: Path, at directory: Descriptor?) throws(SystemError) -> Path
}

extension FileSystem {
    /// False: who stands between a program and its disk says nothing of the disk.
    package func isOnNetwork(_ file: Descriptor) throws(SystemError) -> Bool { false }
}

extension FileSystem {
    /// What has a path; a symbolic link is followed only if `followLink`.
    ///
    /// It is asked again after a signal, and an error names the path.
    package func status(ofPath path: Path, followLink: Bool) throws(SystemError) -> FileStatus {
        while true {
            do {
                return try status(path, at: nil, followLink: followLink)
            } catch {
                if error.code != ErrorCode.interrupted { throw error.on(path) }
            }
        }
    }
}
