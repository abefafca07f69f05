package import StrongroomSystem

/// A file system before another one: what it does not do itself it hands on.
package protocol FileSystemWrapper: FileSystem {
    /// The other one.
    var inner: any FileSystem { get }
}

extension FileSystemWrapper {
    package func open(
        _ path: Path, at directory: Descriptor?, _ options: OpenOptions, mode: UInt16
    ) throws(SystemError) -> Descriptor {
        try inner.open(path, at: directory, options, mode: mode)
    }

    package func close(_ file: Descriptor) { inner.close(file) }

    package func read(
        _ file: Descriptor, into buffer: inout MutableSpan<UInt8>, at offset: Int64
    ) throws(SystemError) -> Int {
        try inner.read(file, into: &buffer, at: offset)
    }

    package func write(
        _ file: Descriptor, _ bytes: Span<UInt8>, at offset: Int64
    ) throws(SystemError) -> Int {
        try inner.write(file, bytes, at: offset)
    }

    package func readStream(
        _ file: Descriptor, into buffer: inout MutableSpan<UInt8>
    ) throws(SystemError) -> Int {
        try inner.readStream(file, into: &buffer)
    }

    package func writeStream(
        _ file: Descriptor, _ bytes: Span<UInt8>
    ) throws(SystemError) -> Int {
        try inner.writeStream(file, bytes)
    }

    package func truncate(_ file: Descriptor, to byteCount: Int64) throws(SystemError) {
        try inner.truncate(file, to: byteCount)
    }

    package func sync(_ file: Descriptor) throws(SystemError) { try inner.sync(file) }

    package func startSync(
        _ file: Descriptor, of range: Range<Int64>
    ) throws(SystemError) { try inner.startSync(file, of: range) }

    package func syncData(_ file: Descriptor) throws(SystemError) { try inner.syncData(file) }

    package func status(_ file: Descriptor) throws(SystemError) -> FileStatus {
        try inner.status(file)
    }

    package func modified(_ file: Descriptor) throws(SystemError) -> Int64 {
        try inner.modified(file)
    }

    package func status(
        _ path: Path, at directory: Descriptor?, followLink: Bool
    ) throws(SystemError) -> FileStatus {
        try inner.status(path, at: directory, followLink: followLink)
    }

    package func changeMode(_ file: Descriptor, to mode: UInt16) throws(SystemError) {
        try inner.changeMode(file, to: mode)
    }

    package func changeMode(
        _ path: Path, at directory: Descriptor?, to mode: UInt16
    ) throws(SystemError) {
        try inner.changeMode(path, at: directory, to: mode)
    }

    package func changeOwner(
        _ file: Descriptor, to owner: UInt32, group: UInt32
    ) throws(SystemError) {
        try inner.changeOwner(file, to: owner, group: group)
    }

    package func rename(
        _ path: Path, at directory: Descriptor?, to newPath: Path, at newDirectory: Descriptor?,
        _ mode: RenameMode
    ) throws(SystemError) {
        try inner.rename(path, at: directory, to: newPath, at: newDirectory, mode)
    }

    package func link(
        _ file: Descriptor, to path: Path, at directory: Descriptor?
    ) throws(SystemError) {
        try inner.link(file, to: path, at: directory)
    }

    package func unlink(_ path: Path, at directory: Descriptor?) throws(SystemError) {
        try inner.unlink(path, at: directory)
    }

    package func makeDirectory(
        _ path: Path, at directory: Descriptor?, mode: UInt16
    ) throws(SystemError) {
        try inner.makeDirectory(path, at: directory, mode: mode)
    }

    package func removeDirectory(
        _ path: Path, at directory: Descriptor?
    ) throws(SystemError) {
        try inner.removeDirectory(path, at: directory)
    }

    package func list(_ directory: Descriptor) throws(SystemError) -> [DirectoryItem] {
        try inner.list(directory)
    }

    package func lock(_ file: Descriptor, _ kind: LockKind, waits: Bool) throws(SystemError) {
        try inner.lock(file, kind, waits: waits)
    }

    package func unlock(_ file: Descriptor) throws(SystemError) { try inner.unlock(file) }

    package func freeByteCount(_ file: Descriptor) throws(SystemError) -> UInt64 {
        try inner.freeByteCount(file)
    }

    package func isOnNetwork(_ file: Descriptor) throws(SystemError) -> Bool {
        try inner.isOnNetwork(file)
    }

    package func readLink(_ path: Path, at directory: Descriptor?) throws(SystemError) -> Path {
        try inner.readLink(path, at: directory)
    }
}
