/// A file that is locked, and what it was when it was.
struct LockedFile: Sendable {
    let file: OpenFile
    let status: FileStatus
}

/// The way to a lock between processes: flock(gate), flock(lock), unlock the gate (STORE.md).
struct LockTurnstile: Sendable {
    let directory: OpenFile
    let name: Path
    let gate: Path?

    /// The lock file, locked; nil if that would have to be waited for.
    func take(waits: Bool) throws(SystemError) -> LockedFile? {
        guard let gate else { return try takeInside(waits: waits) }
        guard let gateFile = try locked(gate, waits: waits) else { return nil }
        defer { Self.letGo(gateFile) }
        return try takeInside(waits: waits)
    }

    /// Lets go of a locked file.
    ///
    /// Not left to its closing: a child forked meanwhile may have it open as well, and would keep the lock.
    static func letGo(_ file: OpenFile) {
        do {
            try file.unlock()
        } catch {
            // flock(2) knows no failure here that closing the file would not mend.
        }
    }

    private func takeInside(waits: Bool) throws(SystemError) -> LockedFile? {
        // The file that was waited for may have lost its name meanwhile; then it excludes nobody any more.
        for _ in 0..<100 {
            guard let file = try locked(name, waits: waits) else { return nil }
            let status = try file.status()
            if try isNamed(status) { return LockedFile(file: file, status: status) }
        }
        throw busy
    }

    /// The lock file's path, for messages.
    var path: Path { directory.path.appending(name) }

    /// The error of a lock that did not come free in time.
    var busy: SystemError {
        SystemError(operation: "lock", path: path.description, code: ErrorCode.wouldBlock)
    }

    private func locked(_ name: Path, waits: Bool) throws(SystemError) -> OpenFile? {
        let file = try directory.openFile(name, [.read, .write, .create])
        do {
            try file.lock(.exclusive, waits: waits)
        } catch {
            if !waits, error.code == ErrorCode.wouldBlock { return nil }
            throw error
        }
        return file
    }

    private func isNamed(_ mine: FileStatus) throws(SystemError) -> Bool {
        guard let named = try directory.status(of: name) else { return false }
        return mine.device == named.device && mine.inode == named.inode
    }
}
