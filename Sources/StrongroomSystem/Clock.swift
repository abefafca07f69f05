import Glibc

/// The time of day, and the time that only goes forward.
package enum Clock {
    /// Nanoseconds since 1970 (`CLOCK_REALTIME`).
    package static func now() -> Int64 { read(CLOCK_REALTIME) }

    /// Nanoseconds since some moment in the past, never set back (`CLOCK_MONOTONIC`): what deadlines are made of.
    package static func monotonic() -> Int64 { read(CLOCK_MONOTONIC) }

    /// The moment `seconds` from now on the monotonic clock, nil for never.
    ///
    /// What is no time to wait (negative, not a number) is now; more than a hundred years is never.
    package static func deadline(afterSeconds seconds: Double) -> Int64? {
        if seconds > 3_155_760_000 { return nil }
        return monotonic() + (seconds > 0 ? Int64(seconds * 1_000_000_000) : 0)
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
