import StrongroomSystem

/// flock(2) on a directory itself, for the time that something in it is exchanged.
///
/// Nobody else's file is in the way, and none of ours is left. A network file system may lock no
/// directory (nfs(5) asks for a descriptor that is open for writing); there a file in it is locked.
final class DirectoryLock: Sendable {
    /// The file that is locked where the directory cannot be; the bare `%` marks it as ours.
    static let fileName: Path = "%lock"

    private enum Held: Sendable {
        case directory(OpenFile)
        case file(HeldLock)
    }

    private let held: Held

    /// Takes the lock; `ErrorCode.wouldBlock` if that takes longer than `waitSeconds`, `ErrorCode.interrupted` if
    /// it would have to be waited for while `InterruptFlag` is raised.
    init(
        _ path: Path, waitSeconds: Double, fileSystem: any FileSystem
    ) throws(SystemError) {
        // An open file of its own: the lock belongs to that, not to the process.
        let directory = try OpenFile.open(
            path, [.read, .directory, .followLink], fileSystem: fileSystem)
        do {
            try directory.lock(.exclusive, waits: false)
            held = .directory(directory)
        } catch {
            switch error.code {
            case ErrorCode.wouldBlock:
                try Self.wait(for: directory, seconds: waitSeconds)
                held = .directory(directory)
            case ErrorCode.badDescriptor, ErrorCode.notSupported, ErrorCode.noLocks:
                let lock = FileLock(directory: directory, name: Self.fileName, gate: nil)
                held = .file(try lock.acquire(waitSeconds: waitSeconds))
            default: throw error
            }
        }
    }

    /// Lets go of the lock.
    func release() {
        switch held {
        case .directory(let directory):
            do {
                try directory.unlock()
            } catch {
                // flock(2) knows no failure here that closing the directory would not mend.
            }
        case .file(let lock):
            lock.release()
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
        _ = try outcome.waitForLock(directory.path, until: deadline) { $0 }.get()
    }
}
