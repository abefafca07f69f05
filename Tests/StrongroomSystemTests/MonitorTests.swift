import Glibc
import StrongroomSystem
import Testing

/// Threads, what they share, and the clock.
@Suite struct MonitorTests {
    @Test func `a wait ends with the change that it waits for`() throws {
        let monitor = Monitor(0)
        for _ in 0..<100 {
            try Threads.start(name: "counter") { monitor.change { $0 += 1 } }
        }
        let total = monitor.wait(until: Clock.deadline(afterSeconds: 20)) { $0 == 100 ? $0 : nil }
        #expect(total == 100)
    }

    @Test func `a wait ends at its deadline, and not before`() {
        let monitor = Monitor(0)
        let start = Clock.monotonic()
        let deadline = Clock.deadline(afterSeconds: 0.05)
        #expect(monitor.wait(until: deadline) { _ -> Int? in nil } == nil)
        #expect(Clock.monotonic() - start >= 50_000_000)
    }

    @Test func `a deadline that has passed still looks once`() {
        let monitor = Monitor(7)
        #expect(monitor.wait(until: Clock.monotonic() - 1) { $0 == 7 ? $0 : nil } == 7)
    }

    @Test(arguments: [
        Named("negative", -1.0), Named("zero", 0), Named("not a number", .nan),
        Named("minus infinity", -.infinity),
    ])
    func `what is no time to wait is now`(_ seconds: Named<Double>) throws {
        let deadline = try #require(Clock.deadline(afterSeconds: seconds.value))
        #expect(deadline <= Clock.monotonic())
    }

    @Test func `a time that no clock reaches is never`() {
        #expect(Clock.deadline(afterSeconds: .infinity) == nil)
        #expect(Clock.deadline(afterSeconds: 1e300) == nil)
    }

    @Test func `the clocks go forward`() {
        let (day, steady) = (Clock.now(), Clock.monotonic())
        #expect(day > 1_700_000_000_000_000_000)
        #expect(Clock.monotonic() >= steady)
    }

    @Test func `signals of the process do not come to our threads`() throws {
        let signals = [SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGXFSZ, SIGSEGV]
        let before = Self.blocked(signals)
        let blocked = Monitor<[Bool]?>(nil)
        try Threads.start(name: "masked") {
            let found = Self.blocked(signals)
            blocked.change { $0 = found }
        }
        let found = blocked.wait(until: Clock.deadline(afterSeconds: 20)) { $0 }
        #expect(found == [true, true, true, true, true, false])
        // The thread that started it keeps its own mask.
        #expect(Self.blocked(signals) == before)
    }

    private static func blocked(_ signals: [Int32]) -> [Bool] {
        var mask = sigset_t()
        unsafe pthread_sigmask(SIG_BLOCK, nil, &mask)
        return signals.map { unsafe sigismember(&mask, $0) == 1 }
    }
}
