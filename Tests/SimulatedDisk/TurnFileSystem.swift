package import StrongroomSystem
import Synchronization

/// A process's door to a simulated disk: each call waits for its turn.
///
/// To close a file needs none, since the kernel does it for who was killed, and neither does what a store in one
/// directory asks for seldom or never.
package final class TurnFileSystem: FileSystemWrapper {
    private let turns: Turns
    private let process: Int
    private let disk: SimulatedDisk
    /// What is open, and whether it was opened for writing.
    private let opened = Mutex<[Int32: Bool]>([:])

    /// The door of a process.
    package init(_ turns: Turns, process: Int) {
        self.turns = turns
        self.process = process
        disk = turns.disk
    }

    package var inner: any FileSystem { disk }

    /// Closes whatever is open, as the kernel does for who was killed.
    package func closeAll() {
        let files = opened.withLock { opened in
            defer { opened = [:] }
            return opened.keys.sorted()
        }
        for file in files { disk.close(Descriptor(number: file)) }
    }

    private func isForWriting(_ file: Descriptor) -> Bool {
        opened.withLock { $0[file.number] ?? false }
    }

    /// Waits for the turn.
    private func take(_ call: Turns.Call = .other) throws(SystemError) {
        guard case .done = try turns.take(process, call) else { throw Turns.failure }
    }

    package func open(
        _ path: Path, at directory: Descriptor?, _ options: OpenOptions, mode: UInt16
    ) throws(SystemError) -> Descriptor {
        try take()
        let file = try disk.open(path, at: directory, options, mode: mode)
        opened.withLock { $0[file.number] = options.contains(.write) }
        return file
    }

    package func close(_ file: Descriptor) {
        _ = opened.withLock { $0.removeValue(forKey: file.number) }
        disk.close(file)
    }

    package func read(
        _ file: Descriptor, into buffer: inout MutableSpan<UInt8>, at offset: Int64
    ) throws(SystemError) -> Int {
        try take()
        return try disk.read(file, into: &buffer, at: offset)
    }

    package func write(
        _ file: Descriptor, _ bytes: Span<UInt8>, at offset: Int64
    ) throws(SystemError) -> Int {
        var copy: [UInt8] = []
        copy.reserveCapacity(bytes.count)
        for index in bytes.indices { copy.append(bytes[index]) }
        switch try turns.take(process, .write(file, copy, at: offset)) {
        case .done: return try disk.write(file, bytes, at: offset)
        case .short(let count):
            return try disk.write(file, bytes.extracting(0..<min(count, bytes.count)), at: offset)
        case .fails(let count, _):
            let count = min(count, bytes.count)
            _ = try disk.write(file, bytes.extracting(0..<count), at: offset)
            throw Turns.failure
        }
    }

    package func sync(_ file: Descriptor) throws(SystemError) {
        switch try turns.take(process, isForWriting(file) ? .sync : .readerSync) {
        case .done, .short: try disk.sync(file)
        case .fails(_, var random):
            disk.failSync(file, &random)
            throw Turns.failure
        }
    }

    package func startSync(
        _ file: Descriptor, of range: Range<Int64>
    ) throws(SystemError) { try take() }

    package func syncData(_ file: Descriptor) throws(SystemError) { try sync(file) }

    package func status(_ file: Descriptor) throws(SystemError) -> FileStatus {
        try take()
        return try disk.status(file)
    }

    package func modified(_ file: Descriptor) throws(SystemError) -> Int64 {
        try take()
        return try disk.modified(file)
    }

    package func status(
        _ path: Path, at directory: Descriptor?, followLink: Bool
    ) throws(SystemError) -> FileStatus {
        try take()
        return try disk.status(path, at: directory, followLink: followLink)
    }

    package func rename(
        _ path: Path, at directory: Descriptor?, to newPath: Path, at newDirectory: Descriptor?,
        _ mode: RenameMode
    ) throws(SystemError) {
        try take()
        try disk.rename(path, at: directory, to: newPath, at: newDirectory, mode)
    }

    package func unlink(_ path: Path, at directory: Descriptor?) throws(SystemError) {
        try take()
        try disk.unlink(path, at: directory)
    }

    package func list(_ directory: Descriptor) throws(SystemError) -> [DirectoryItem] {
        try take()
        return try disk.list(directory)
    }

    package func lock(_ file: Descriptor, _ kind: LockKind, waits: Bool) throws(SystemError) {
        try take(.lock(file))
        try disk.lock(file, kind, waits: waits)
    }

    package func unlock(_ file: Descriptor) throws(SystemError) {
        try take()
        try disk.unlock(file)
    }
}
