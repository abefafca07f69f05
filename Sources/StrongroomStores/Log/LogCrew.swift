import StrongroomSystem

/// Two threads that share a list of work: the caller's and one more.
enum LogCrew {
    private struct State: Sendable {
        var job: (@Sendable () -> Void)?
        var isDone = false
    }

    /// How many a thread takes at a time.
    private static let pieceSize = 32

    /// Runs `other` on a thread of its own while `body` runs here, and returns what `other` returned.
    ///
    /// It waits for `other` also if `body` throws.
    static func beside<Result: Sendable>(
        _ other: @escaping @Sendable () -> Result, _ body: () throws(StoreError) -> Void
    ) throws(StoreError) -> Result {
        let made = Monitor<Result?>(nil)
        do {
            try Threads.start(name: "log") {
                let result = other()
                made.change { $0 = result }
            }
        } catch {
            let result = other()
            try body()
            return result
        }
        let thrown: StoreError?
        do {
            try body()
            thrown = nil
        } catch {
            thrown = error
        }
        let result = made.wait(until: nil) { $0 }
        if let thrown { throw thrown }
        guard let result else { throw .system(operation: "wait", path: "", code: ErrorCode.io) }
        return result
    }

    /// What `body` makes of each number below `count`, in their order.
    ///
    /// `body` is called by both threads at once, and not held when this returns. One of them does `first` before it
    /// shares the work.
    static func map<Result: Sendable>(
        _ count: Int, first: (@Sendable () -> Void)? = nil,
        _ body: @escaping @Sendable (Int) -> Result
    ) -> [Result] {
        guard count > pieceSize else {
            first?()
            return (0..<count).map(body)
        }
        let pieceCount = (count + pieceSize - 1) / pieceSize
        let made = Monitor<[[Result]]>([[Result]](repeating: [], count: pieceCount))
        let next = Monitor(0)
        let share: @Sendable () -> Void = {
            while true {
                let piece = next.change { next in
                    defer { next += 1 }
                    return next
                }
                guard piece < pieceCount else { return }
                let range = piece * pieceSize..<min(count, (piece + 1) * pieceSize)
                let results = range.map(body)
                made.change { $0[piece] = results }
            }
        }
        let helper = Monitor(
            State(job: {
                first?()
                share()
            }))
        var isHelped = true
        do {
            try Threads.start(name: "rewrite") {
                work(helper)
                helper.change { $0.isDone = true }
            }
        } catch {
            // Alone it takes longer.
            isHelped = false
            first?()
        }
        share()
        if isHelped {
            _ = helper.wait(until: nil) { $0.isDone ? true : nil }
        } else {
            helper.change { $0.job = nil }
        }
        return Array(made.change { $0 }.joined())
    }

    /// Does the job and lets go of it, so that nothing of it is held when the end is told.
    @inline(never)
    private static func work(_ helper: Monitor<State>) {
        let job = helper.change { state in
            defer { state.job = nil }
            return state.job
        }
        job?()
    }
}
