/// Where the threads of one process stand that want one `FileLock`.
struct LockQueue: Sendable {
    /// A thread that waits in the kernel on behalf of the first in the queue.
    enum Attempt: Sendable {
        /// It waits, and somebody waits for it.
        case waiting
        /// It waits, and nobody waits for it any more.
        case abandoned
        /// It is done.
        case done(Result<LockedFile, SystemError>)
    }

    private var process = Identity.process
    private var tickets: [UInt64] = []
    private var lastTicket: UInt64 = 0
    /// True while a thread of this process holds the lock.
    var isHeld = false
    /// The thread in the kernel, if there is one.
    var attempt: Attempt?

    /// Stands at the end of the queue.
    mutating func enter() -> UInt64 {
        // In a forked child the parent's threads are not there, and what they hold is not ours.
        if process != Identity.process { self = LockQueue() }
        lastTicket += 1
        tickets.append(lastTicket)
        return lastTicket
    }

    /// How many stand in the queue.
    var waitingCount: Int { tickets.count }

    /// True if the lock is free in this process and nobody came before.
    func isTurn(of ticket: UInt64) -> Bool { !isHeld && tickets.first == ticket }

    /// The first in the queue has the lock.
    mutating func hold(_ ticket: UInt64) {
        leave(ticket)
        isHeld = true
    }

    /// Goes without the lock.
    mutating func leave(_ ticket: UInt64) {
        tickets.removeAll { $0 == ticket }
    }

    /// True if a thread left by somebody who gave up is still in the kernel: then it works for the caller now.
    mutating func wantAttempt() -> Bool {
        guard attempt != nil else { return false }
        attempt = .waiting
        return true
    }

    /// What the thread brought, once.
    mutating func takeResult() -> Result<LockedFile, SystemError>? {
        guard case .done(let result) = attempt else { return nil }
        attempt = nil
        return result
    }

    /// The caller gives up; always nil.
    mutating func abandonAttempt() -> Result<LockedFile, SystemError>? {
        attempt = .abandoned
        return nil
    }

    /// The thread is back from the kernel.
    mutating func finishAttempt(_ result: Result<LockedFile, SystemError>) {
        guard case .waiting = attempt else {
            // Let go before anybody can ask again, so that he does not find the lock held by nobody.
            if case .success(let locked) = result { LockTurnstile.letGo(locked.file) }
            attempt = nil
            return
        }
        attempt = .done(result)
    }
}
