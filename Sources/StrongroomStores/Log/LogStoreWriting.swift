import StrongroomSystem
import Synchronization

// Getting to write: whose directory it is, and its lock.
extension LogStore {
    /// The vault's directory, if we may write in it.
    func openForWriting() throws(StoreError) -> OpenFile {
        let path = place.path.description
        guard !isReadOnly else {
            throw .system(operation: "write", path: path, code: ErrorCode.readOnly)
        }
        let directory = try place.openDirectory()
        guard DirectoryMaker.mayWrite(try system(try directory.status())) else {
            throw .notOwner(path: path)
        }
        return directory
    }

    /// The lock of the directory that is open: one object for all threads, so that they stand in one queue.
    private func lock(in directory: OpenFile) throws(StoreError) -> FileLock {
        let status = try system(try directory.status())
        return state.withLock { state in
            if let lock = state.lock, let known = state.lockDirectory,
                known.inode == status.inode, known.device == status.device
            {
                return lock
            }
            let lock = FileLock(directory: directory, name: LogName.lock, gate: LogName.gate)
            state.lock = lock
            state.lockDirectory = status
            return lock
        }
    }

    /// Runs `body` with the write lock held, on the directory that has the path now.
    func withLock<Answer>(
        until deadline: Int64?,
        _ body: (OpenFile, HeldLock) throws(StoreError) -> Answer
    ) throws(StoreError) -> Answer {
        for _ in 0..<100 {
            let directory = try openForWriting()
            let held = try acquire(directory, until: deadline)
            defer { held.release() }
            // The directory may have been replaced while the lock was waited for.
            let mine = try system(try directory.status())
            let now = try place.openDirectory()
            let named = try system(try now.status())
            guard mine.inode == named.inode, mine.device == named.device else { continue }
            return try body(directory, held)
        }
        throw .busy(path: place.path.description)
    }

    private func acquire(
        _ directory: OpenFile, until deadline: Int64?
    ) throws(StoreError) -> HeldLock {
        let lock = try lock(in: directory)
        let seconds: Double
        if let deadline {
            seconds = Double(deadline - Clock.monotonic()) / 1_000_000_000
        } else {
            seconds = .infinity
        }
        do {
            return try lock.acquire(waitSeconds: seconds)
        } catch {
            throw StoreError(lock: error)
        }
    }

    /// With the write lock held: the log's end, all of it durable and published, and what `body` makes of it.
    func prepare<Answer: Sendable>(
        _ directory: OpenFile, _ held: HeldLock,
        _ body: (inout LogView) throws(StoreError) -> Answer
    ) throws(StoreError) -> Answer {
        let result = state.withLock { state -> Result<Answer, StoreError> in
            do throws(StoreError) {
                try state.reader.prepare(lockFile: held.file, directory: directory)
                return .success(try state.reader.run(body))
            } catch {
                // Where a reading failed half way nothing is relied on.
                state.reader.forget()
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// The log open for writing.
    func openForAppending(
        _ view: LogView, _ directory: OpenFile
    ) throws(StoreError) -> LogAppender {
        guard let file = try view.log.openForWriting(in: directory) else {
            throw .busy(path: view.log.file.path.description)
        }
        return LogAppender(
            file, block: view.log.block, keys: place.keys, after: view.position)
    }
}
