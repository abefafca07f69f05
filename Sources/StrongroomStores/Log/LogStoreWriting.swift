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

    /// The directory that is open for writing, opened now if need be.
    private func writing() throws(StoreError) -> LogWriting {
        if let writing = state.withLock({ $0.writing }) { return writing }
        let directory = try openForWriting()
        let status = try system(try directory.status())
        return state.withLock { state in
            // Another thread may have been faster: there must be one lock for all.
            if let writing = state.writing { return writing }
            let writing = LogWriting(directory, status)
            state.writing = writing
            return writing
        }
    }

    private func forget(_ writing: LogWriting) {
        state.withLock { if $0.writing === writing { $0.writing = nil } }
    }

    /// Runs `body` with the write lock held, on the directory that has the path now.
    func withLock<Answer>(
        until deadline: Int64?,
        _ body: (OpenFile, HeldLock) throws(StoreError) -> Answer
    ) throws(StoreError) -> Answer {
        for _ in 0..<100 {
            let writing = try writing()
            guard let held = try acquire(writing, until: deadline) else { continue }
            defer { held.release() }
            // The directory may have been replaced since it was opened, also while the lock was waited for.
            guard let named = try place.status(), writing.isSame(named) else {
                forget(writing)
                continue
            }
            guard DirectoryMaker.mayWrite(named) else {
                throw .notOwner(path: place.path.description)
            }
            try StoreError.checkWritable(held.status, held.file.path)
            return try body(writing.directory, held)
        }
        throw .busy(path: place.path.description)
    }

    /// The lock; nil if its directory is gone.
    private func acquire(
        _ writing: LogWriting, until deadline: Int64?
    ) throws(StoreError) -> HeldLock? {
        let seconds: Double
        if let deadline {
            seconds = Double(deadline - Clock.monotonic()) / 1_000_000_000
        } else {
            seconds = .infinity
        }
        do {
            return try writing.lock.acquire(waitSeconds: seconds)
        } catch {
            guard error.code == ErrorCode.noEntry else { throw StoreError(lock: error) }
            forget(writing)
            return nil
        }
    }

    /// With the write lock held: the log's end, all of it durable and published, and what `body` makes of it.
    func prepare<Answer: Sendable>(
        _ directory: OpenFile, _ held: HeldLock,
        _ body: (inout LogView) throws(StoreError) -> Answer
    ) throws(StoreError) -> Answer {
        let result = state.withLock { state -> Result<Answer, StoreError> in
            do throws(StoreError) {
                try state.reader.prepare(held, directory)
                return .success(try state.reader.run(body))
            } catch {
                // Where a reading failed half way nothing is relied on.
                state.reader.forget()
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// The log open for writing, at its end.
    func openForAppending(
        behind end: LogEnd, in directory: OpenFile
    ) throws(StoreError) -> LogAppender {
        let log = end.log
        guard let file = try log.openForWriting(in: directory) else {
            throw .busy(path: log.file.path.description)
        }
        return LogAppender(
            file, block: log.block, keys: place.keys, after: end.position,
            fileByteCount: end.fileByteCount)
    }
}
