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

    /// Runs `body` alone now and after each change until it returns something.
    ///
    /// It is nil if `deadline` (of `Clock.monotonic()`; nil: never) passes first; `body` is run at least once.
    package func wait<Result>(
        until deadline: Int64?, _ body: (inout State) -> Result?
    ) -> Result? {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&state) { return result }
            guard let deadline else {
                unsafe pthread_cond_wait(condition, mutex)
                continue
            }
            guard Clock.monotonic() < deadline else { return nil }
            var time = timespec(
                tv_sec: Int(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
            unsafe _ = pthread_cond_timedwait(condition, mutex, &time)
        }
    }
}
