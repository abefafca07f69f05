import Synchronization

/// A lock that is held until it is released, or its last reference goes.
package final class HeldLock: Sendable {
    /// The locked file, open for reading and writing.
    package let file: OpenFile
    /// What the file was when it was locked: of its identity nothing changes while it is open.
    package let status: FileStatus
    private let lock: FileLock
    private let process = Identity.process
    private let isReleased = Mutex(false)

    init(_ locked: LockedFile, lock: FileLock) {
        file = locked.file
        status = locked.status
        self.lock = lock
    }

    deinit { release() }

    /// Lets go of the lock; a second call does nothing.
    ///
    /// In a forked child it does nothing either: the lock is the parent's.
    package func release() {
        let isFirst = isReleased.withLock { isReleased in
            defer { isReleased = true }
            return !isReleased
        }
        guard isFirst, process == Identity.process else { return }
        LockTurnstile.letGo(file)
        lock.release()
    }
}
