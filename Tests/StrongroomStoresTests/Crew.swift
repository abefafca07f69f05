import StrongroomSystem

/// Threads that are started and waited for; the first error any of them threw is thrown on.
final class Crew: Sendable {
    private struct State: Sendable {
        var runningCount = 0
        var error: (any Error)?
    }
    private let monitor = Monitor(State())

    /// Runs `work` on a thread of its own.
    func start(_ work: @escaping @Sendable () throws -> Void) {
        monitor.change { $0.runningCount += 1 }
        let run: @Sendable () -> Void = { [monitor] in
            var failure: (any Error)?
            do { try work() } catch { failure = error }
            monitor.change { [failure] state in
                state.runningCount -= 1
                if state.error == nil { state.error = failure }
            }
        }
        do {
            try Threads.start(name: "test", run)
        } catch {
            monitor.change { state in
                state.runningCount -= 1
                state.error = error
            }
        }
    }

    /// Waits for all of them, two minutes at most.
    func join() throws {
        let deadline = Clock.deadline(afterSeconds: 120)
        let isDone = monitor.wait(until: deadline) { $0.runningCount == 0 ? true : nil }
        if let error = monitor.change({ $0.error }) { throw error }
        guard isDone != nil else {
            throw SystemError(operation: "join", path: "threads", code: ErrorCode.timedOut)
        }
    }
}
