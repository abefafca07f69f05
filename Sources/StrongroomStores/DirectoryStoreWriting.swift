import StrongroomSystem
import Synchronization

// Getting to write: whose directory it is, its lock, and what the last writer left.
extension DirectoryStore {
    /// The directory, made if it is a plain area's and missing, if we may write in it.
    func openForWriting() throws(StoreError) -> OpenFile {
        guard !isReadOnly else {
            throw .system(
                operation: "write", path: path.description, code: ErrorCode.readOnly)
        }
        var base = try openBase()
        if layout == .area {
            // The first time also if it is there: who made it may have been killed before it was durable.
            let isMade = state.withLock { $0.isMade }
            if base == nil || (isDurable && !isMade) {
                let made = try system(
                    try DirectoryMaker.ensure(path, syncs: isDurable, fileSystem: fileSystem))
                state.withLock { $0.isMade = true }
                base = made
            }
        }
        guard let base else { throw .absent(path: path.description) }
        guard DirectoryMaker.mayWrite(try system(try base.status())) else {
            throw .notOwner(path: path.description)
        }
        return base
    }

    /// Runs `body` with the lock held: on a plain area, or on a vault's current generation.
    func write<Answer>(
        _ body: (WriteSession, GenerationFile?) throws(StoreError) -> Answer
    ) throws(StoreError) -> Answer {
        for _ in 0..<100 {
            let base = try openForWriting()
            let held = try acquireLock(base)
            defer { held.release() }
            // The directory may have been replaced while the lock was waited for.
            guard try isCurrent(base) else { continue }
            StagedFile.sweep(in: base)
            let generation = layout == .vault ? try readGeneration(base) : nil
            var root = base
            if let generation {
                try settle(generation, in: base)
                guard let entries = try entries(of: generation, in: base) else {
                    throw missing(generation)
                }
                root = entries.root
            }
            let session = try WriteSession(
                root: root, lockFile: held.file, mapping: layout == .vault ? identifiers : nil,
                isDurable: isDurable, synced: synced, bootID: try bootID())
            let foldsCase = session.mark.foldsCase
            state.withLock { $0.foldsCase = foldsCase }
            return try body(session, generation)
        }
        throw .busy(path: path.description)
    }

    /// True if an open directory is still the one under the store's path.
    private func isCurrent(_ base: OpenFile) throws(StoreError) -> Bool {
        guard let now = try openBase() else { return false }
        let (mine, current) = (try system(try base.status()), try system(try now.status()))
        return mine.inode == current.inode && mine.device == current.device
    }

    /// Makes sure that the switch to a generation lasts before anything is written to it: who switched may have been
    /// killed before he synced it.
    private func settle(_ generation: GenerationFile, in base: OpenFile) throws(StoreError) {
        guard state.withLock({ $0.settled != generation }) else { return }
        try system(try base.sync())
        state.withLock { $0.settled = generation }
    }

    /// This boot.
    private func bootID() throws(StoreError) -> [UInt8] {
        if let known = state.withLock({ $0.bootID }) { return known }
        let found = try StoreMark.bootID(fileSystem)
        state.withLock { $0.bootID = found }
        return found
    }

    /// The lock of the directory that is open: one object for all threads, so that they stand in one queue.
    private func lock(in base: OpenFile) throws(StoreError) -> FileLock {
        let status = try system(try base.status())
        return state.withLock { state in
            if let lock = state.lock, let known = state.lockDirectory,
                known.inode == status.inode, known.device == status.device
            {
                return lock
            }
            let lock = FileLock(directory: base, name: lockName, gate: gateName)
            state.lock = lock
            state.lockDirectory = status
            return lock
        }
    }

    /// Takes the lock of the open directory.
    func acquireLock(_ base: OpenFile) throws(StoreError) -> HeldLock {
        let lock = try lock(in: base)
        let held: HeldLock
        do {
            held = try lock.acquire(waitSeconds: waitSeconds)
        } catch {
            throw StoreError(lock: error)
        }
        try StoreError.checkWritable(held.status, held.file.path)
        return held
    }

    private var gateName: Path {
        switch layout {
        case .area: StoreName.gate
        case .vault: StoreName.vaultGate
        }
    }
}
