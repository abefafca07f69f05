import CLinux
import Glibc

/// The kernel's files.
///
/// One call is one system call (listing takes several), `O_CLOEXEC` is always set, `EINTR`
/// is thrown like any other error, and a path that is empty or holds a NUL is `EINVAL`.
package struct RealFileSystem: FileSystem {
    /// The kernel's files.
    package init() {}

    /// openat(2), with `O_NOFOLLOW` unless `.followLink` is given.
    package func open(
        _ path: Path, at directory: Descriptor?, _ options: OpenOptions, mode: UInt16
    ) throws(SystemError) -> Descriptor {
        try Self.require(path, "open")
        let number = unsafe path.withCString { name in
            unsafe strongroom_openat(
                Self.number(directory), name, Self.flags(options), mode_t(mode))
        }
        guard number >= 0 else { throw .last("open", path) }
        return Descriptor(number: number)
    }

    /// close(2).
    ///
    /// Its error is of no use: the descriptor is gone in any case, and what had to last was synced.
    package func close(_ file: Descriptor) {
        _ = Glibc.close(file.number)
    }

    /// pread(2).
    package func read(
        _ file: Descriptor, into buffer: inout MutableSpan<UInt8>, at offset: Int64
    ) throws(SystemError) -> Int {
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe pread(file.number, bytes.baseAddress, bytes.count, off_t(offset))
        }
        guard count >= 0 else { throw .last("read", "") }
        return count
    }

    /// pwrite(2); over the limit of a file's size it is `EFBIG`, never the signal.
    package func write(
        _ file: Descriptor, _ bytes: Span<UInt8>, at offset: Int64
    ) throws(SystemError) -> Int {
        let (count, code) = FileSizeLimit.withoutSignal {
            unsafe bytes.withUnsafeBytes { bytes in
                unsafe pwrite(file.number, bytes.baseAddress, bytes.count, off_t(offset))
            }
        }
        guard count >= 0 else { throw SystemError(operation: "write", path: "", code: code) }
        return count
    }

    /// read(2).
    package func readStream(
        _ file: Descriptor, into buffer: inout MutableSpan<UInt8>
    ) throws(SystemError) -> Int {
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe Glibc.read(file.number, bytes.baseAddress, bytes.count)
        }
        guard count >= 0 else { throw .last("read", "") }
        return count
    }

    /// write(2); over the limit of a file's size it is `EFBIG`, never the signal.
    package func writeStream(_ file: Descriptor, _ bytes: Span<UInt8>) throws(SystemError) -> Int {
        let (count, code) = FileSizeLimit.withoutSignal {
            unsafe bytes.withUnsafeBytes { bytes in
                unsafe Glibc.write(file.number, bytes.baseAddress, bytes.count)
            }
        }
        guard count >= 0 else { throw SystemError(operation: "write", path: "", code: code) }
        return count
    }

    /// ftruncate(2); over the limit of a file's size it is `EFBIG`, never the signal.
    package func truncate(_ file: Descriptor, to byteCount: Int64) throws(SystemError) {
        let (result, code) = FileSizeLimit.withoutSignal {
            Int(ftruncate(file.number, off_t(byteCount)))
        }
        guard result == 0 else { throw SystemError(operation: "truncate", path: "", code: code) }
    }

    /// fsync(2).
    package func sync(_ file: Descriptor) throws(SystemError) {
        guard fsync(file.number) == 0 else { throw .last("sync", "") }
    }

    /// sync_file_range(2) with `SYNC_FILE_RANGE_WRITE`; where there is no such thing nothing is done.
    package func startSync(_ file: Descriptor, of range: Range<Int64>) throws(SystemError) {
        let started = strongroom_start_sync(
            file.number, range.lowerBound, range.upperBound - range.lowerBound)
        guard started != 0 else { return }
        guard ![ENOSYS, EINVAL, ESPIPE].contains(errno) else { return }
        throw .last("sync", "")
    }

    /// fdatasync(2).
    package func syncData(_ file: Descriptor) throws(SystemError) {
        guard fdatasync(file.number) == 0 else { throw .last("sync", "") }
    }

    /// statx(2) of an open file.
    package func status(_ file: Descriptor) throws(SystemError) -> FileStatus {
        var found = strongroom_status()
        guard unsafe strongroom_status(file.number, "", 0, &found) == 0 else {
            throw .last("status", "")
        }
        return FileStatus(found)
    }

    /// fstat(2).
    package func modified(_ file: Descriptor) throws(SystemError) -> Int64 {
        var found = stat()
        guard unsafe fstat(file.number, &found) == 0 else { throw .last("status", "") }
        return found.st_mtim.nanoseconds
    }

    /// fchmod(2).
    package func changeMode(_ file: Descriptor, to mode: UInt16) throws(SystemError) {
        guard fchmod(file.number, mode_t(mode)) == 0 else { throw .last("change mode", "") }
    }

    /// fchown(2).
    package func changeOwner(
        _ file: Descriptor, to owner: UInt32, group: UInt32
    ) throws(SystemError) {
        guard fchown(file.number, owner, group) == 0 else { throw .last("change owner", "") }
    }

    /// flock(2).
    package func lock(_ file: Descriptor, _ kind: LockKind, waits: Bool) throws(SystemError) {
        let operation = (kind == .shared ? LOCK_SH : LOCK_EX) | (waits ? 0 : LOCK_NB)
        guard flock(file.number, operation) == 0 else { throw .last("lock", "") }
    }

    /// flock(2) with `LOCK_UN`.
    package func unlock(_ file: Descriptor) throws(SystemError) {
        guard flock(file.number, LOCK_UN) == 0 else { throw .last("unlock", "") }
    }

    /// fstatvfs(3): blocks free for who is not root, in bytes.
    package func freeByteCount(_ file: Descriptor) throws(SystemError) -> UInt64 {
        var found = statvfs()
        guard unsafe fstatvfs(file.number, &found) == 0 else { throw .last("free space", "") }
        let (count, overflow) = UInt64(found.f_bavail)
            .multipliedReportingOverflow(by: UInt64(found.f_frsize))
        return overflow ? .max : count
    }

    /// fstatfs(2).
    package func isOnNetwork(_ file: Descriptor) throws(SystemError) -> Bool {
        let answer = strongroom_is_on_network(file.number)
        guard answer >= 0 else { throw .last("look at the disk", "") }
        return answer == 1
    }

    static func require(_ path: Path, _ operation: String) throws(SystemError) {
        guard !path.isInvalid else {
            throw SystemError(operation: operation, path: path.description, code: EINVAL)
        }
    }

    static func number(_ directory: Descriptor?) -> Int32 {
        directory?.number ?? AT_FDCWD
    }

    private static func flags(_ options: OpenOptions) -> Int32 {
        // O_NOCTTY: opening a terminal must not make it ours.
        var flags = O_CLOEXEC | O_NOCTTY
        switch (options.contains(.read), options.contains(.write)) {
        case (true, true): flags |= O_RDWR
        case (false, true): flags |= O_WRONLY
        default: flags |= O_RDONLY
        }
        if options.contains(.create) { flags |= O_CREAT }
        if options.contains(.exclusive) { flags |= O_EXCL }
        if options.contains(.directory) { flags |= O_DIRECTORY }
        if !options.contains(.followLink) { flags |= O_NOFOLLOW }
        if options.contains(.unnamed) { flags |= strongroom_o_tmpfile() }
        if options.contains(.nonBlocking) { flags |= O_NONBLOCK }
        return flags
    }
}
