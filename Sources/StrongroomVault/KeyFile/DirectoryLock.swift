import StrongroomSystem

/// flock(2) on a directory itself, for the time that something in it is exchanged.
///
/// Nobody else's file is in the way, and none of ours is left.
final class DirectoryLock: Sendable {
    private let directory: OpenFile

    /// Takes the lock; `ErrorCode.wouldBlock` if that takes longer than `waitSeconds`.
    init(
        _ path: Path, waitSeconds: Double, fileSystem: any FileSystem
    ) throws(SystemError) {
        // An open file of its own: the lock belongs to that, not to the process.
        let directory = try OpenFile.open(
            path, [.read, .directory, .followLink], fileSystem: fileSystem)
        self.directory = directory
        do {
            try directory.lock(.exclusive, waits: false)
        } catch {
            guard error.code == ErrorCode.wouldBlock else { throw error }
            try Self.wait(for: directory, seconds: waitSeconds)
        }
    }

    /// Lets go of the lock.
    func release() {
        do {
            try directory.unlock()
        } catch {
            // flock(2) knows no failure here that closing the directory would not mend.
        }
    }

    /// Waits in the kernel on a thread of its own.
    ///
    /// Who gives up leaves the thread behind; when the lock comes, the thread ends, and with its
    /// reference the directory is closed and the lock gone.
    private static func wait(
        for directory: OpenFile, seconds: Double
    ) throws(SystemError) {
        let outcome = Monitor<Result<Bool, SystemError>?>(nil)
        try Threads.start(name: "key lock") {
            let result: Result<Bool, SystemError>
            do throws(SystemError) {
                try directory.lock(.exclusive, waits: true)
                result = .success(true)
            } catch {
                result = .failure(error)
            }
            outcome.change { $0 = result }
        }
        let deadline = Clock.deadline(afterSeconds: seconds)
        guard let result = outcome.wait(until: deadline, { $0 }) else {
            throw SystemError(
                operation: "lock", path: directory.path.description, code: ErrorCode.wouldBlock)
        }
        _ = try result.get()
    }
}
