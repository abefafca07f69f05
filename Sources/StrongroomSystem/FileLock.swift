/// A lock that one thread of one process holds at a time, by way of a file that all of them can open.
///
/// Threads of the process that share a `FileLock` take it in the order in which they came. Between processes (and
/// between two `FileLock`s on one file) it is flock(2) behind a turnstile (STORE.md): who waits holds the gate, so
/// that who just had the lock stands behind him and all get equal shares. The kernel drops the lock of a process
/// that dies, however it dies.
///
/// Each acquisition opens the files anew: the lock belongs to an open file description, one that is not shared with
/// a forked child (which could otherwise take the lock beside its parent, and let go of it in the parent's place),
/// and the file is always the one that has the name now.
package final class FileLock: Sendable {
    private let turnstile: LockTurnstile
    private let monitor: Monitor<LockQueue>

    /// A lock of these files in `directory`, made 0600 when the lock is first taken.
    ///
    /// The file `name` is what is locked. `gate` is the turnstile's file; nil for a lock that is seldom contended.
    package init(directory: OpenFile, name: Path, gate: Path?) {
        turnstile = LockTurnstile(directory: directory, name: name, gate: gate)
        monitor = Monitor(LockQueue())
    }

    /// Takes the lock, waiting at most `waitSeconds`, then throws `ErrorCode.wouldBlock`.
    ///
    /// Threads of this process that came before go first, and what they wait counts. While `InterruptFlag` is raised
    /// nothing is waited for (`ErrorCode.interrupted`). A throw leaves the lock alone.
    package func acquire(waitSeconds: Double) throws(SystemError) -> HeldLock {
        let deadline = Clock.deadline(afterSeconds: waitSeconds)
        let ticket = monitor.change { $0.enter() }
        do throws(SystemError) {
            try monitor.waitForLock(turnstile.path, until: deadline) {
                $0.isTurn(of: ticket) ? () : nil
            }
            let locked = try take(until: deadline)
            monitor.change { $0.hold(ticket) }
            return HeldLock(locked, lock: self)
        } catch {
            monitor.change { $0.leave(ticket) }
            throw error
        }
    }

    /// Takes the lock if nobody holds or waits for it, else returns nil.
    package func tryAcquire() throws(SystemError) -> HeldLock? {
        do {
            return try acquire(waitSeconds: 0)
        } catch {
            if error.code == ErrorCode.wouldBlock { return nil }
            throw error
        }
    }

    /// How many threads of this process stand in the queue.
    package var waitingCount: Int { monitor.change { $0.waitingCount } }

    /// The holder is done; the next in the queue may go.
    func release() {
        monitor.change { $0.isHeld = false }
    }

    /// The part between processes, for whoever stands first in the queue of this one.
    private func take(until deadline: Int64?) throws(SystemError) -> LockedFile {
        let isPending = monitor.change { $0.wantAttempt() }
        if !isPending {
            if let locked = try turnstile.take(waits: false) { return locked }
            if let deadline, Clock.monotonic() >= deadline { throw turnstile.busy }
            monitor.change { $0.attempt = .waiting }
            do {
                try Threads.start(name: "file lock") { [turnstile, monitor] in
                    Self.attempt(turnstile, monitor)
                }
            } catch {
                monitor.change { $0.attempt = nil }
                throw error
            }
        }
        let result: Result<LockedFile, SystemError>
        do throws(SystemError) {
            result = try monitor.waitForLock(turnstile.path, until: deadline) { $0.takeResult() }
        } catch {
            guard let late = monitor.change({ $0.takeResult() ?? $0.abandonAttempt() }) else {
                throw error
            }
            result = late
        }
        return try result.get()
    }

    /// Waits in the kernel, for as long as it takes, on a thread of its own.
    ///
    /// A caller who gave up leaves the thread behind; the next caller waits for that one's result, so there is never
    /// more than one. A lock that nobody waits for any more is let go at once.
    private static func attempt(_ turnstile: LockTurnstile, _ monitor: Monitor<LockQueue>) {
        let result: Result<LockedFile, SystemError>
        do throws(SystemError) {
            guard let locked = try turnstile.take(waits: true) else { throw turnstile.busy }
            result = .success(locked)
        } catch {
            result = .failure(error)
        }
        monitor.change { $0.finishAttempt(result) }
    }
}
