import Glibc

/// A value that threads share and whose changes they can wait for, with a deadline.
///
/// A mutex and a condition of POSIX threads; `Synchronization.Mutex` has no condition to go with it.
@safe package final class Monitor<State: Sendable>: @unchecked Sendable {
    // `@unchecked Sendable`: `state` is touched only with `mutex` locked, and the two pointers never change.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var state: State

    /// A monitor of `state`.
    package init(_ state: State) {
        self.state = state
        unsafe mutex = .allocate(capacity: 1)
        unsafe condition = .allocate(capacity: 1)
        var attributes = pthread_condattr_t()
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_condattr_init(&attributes)
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(condition, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    /// Runs `body` alone, and wakes who waits for a change.
    package func change<Result>(_ body: (inout State) -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer {
            unsafe pthread_cond_broadcast(condition)
            unsafe pthread_mutex_unlock(mutex)
        }
        return body(&state)
    }

    /// Runs `body` alone, and wakes nobody: for what nobody waits for.
    package func update<Result>(_ body: (inout State) -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return body(&state)
    }

    /// Runs `body` alone now and after each change until it returns something.
    ///
    /// It is nil if `deadline` (of `Clock.monotonic()`; nil: never) passes first, or with `endsOnInterrupt` within a
    /// tenth of a second of an interrupt; `body` is run at least once.
    package func wait<Result>(
        until deadline: Int64?, endsOnInterrupt: Bool = false, _ body: (inout State) -> Result?
    ) -> Result? {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&state) { return result }
            if endsOnInterrupt, InterruptFlag.isRaised { return nil }
            let now = Clock.monotonic()
            if let deadline, now >= deadline { return nil }
            // A handler of a signal can wake nobody here, so who waits for one looks up now and then.
            let slice = endsOnInterrupt ? now + 100_000_000 : Int64.max
            let end = min(deadline ?? .max, slice)
            guard end < .max else {
                unsafe pthread_cond_wait(condition, mutex)
                continue
            }
            var time = timespec(
                tv_sec: Int(end / 1_000_000_000), tv_nsec: Int(end % 1_000_000_000))
            unsafe _ = pthread_cond_timedwait(condition, mutex, &time)
        }
    }

    /// Waits for a lock called `path` in errors: the one way in which every lock of ours is waited for.
    ///
    /// Throws `ErrorCode.wouldBlock` when `deadline` passes, and `ErrorCode.interrupted` once `InterruptFlag` is
    /// raised: who is asked to stop waits no longer. A lock that can be had at once is had all the same.
    package func waitForLock<Result>(
        _ path: Path, until deadline: Int64?, _ body: (inout State) -> Result?
    ) throws(SystemError) -> Result {
        if let result = wait(until: deadline, endsOnInterrupt: true, body) { return result }
        throw SystemError(
            operation: "lock", path: path.description,
            code: InterruptFlag.isRaised ? ErrorCode.interrupted : ErrorCode.wouldBlock)
    }
}
