import StrongroomSystem
import Synchronization

/// The caller's thread and one more, which share work: for two cores.
enum Crew {
    /// What `body` makes of the numbers below `count`, in their order, `size` of them at a time.
    ///
    /// `body` is called on both threads at once; after it threw on one of them no more is begun, and the first error in
    /// the order of the numbers is thrown.
    static func map<Result: Sendable>(
        _ count: Int, size: Int,
        _ body: @escaping @Sendable (Range<Int>) throws(VaultError) -> Result
    ) throws(VaultError) -> [Result] {
        let pieceCount = (count + size - 1) / size
        let work = Work<Result>(pieceCount)
        let share: @Sendable () -> Void = {
            while let piece = work.next() {
                do throws(VaultError) {
                    let range = piece * size..<min(count, (piece + 1) * size)
                    work.put(.success(try body(range)), for: piece)
                } catch {
                    work.put(.failure(error), for: piece)
                }
            }
        }
        if pieceCount > 1 {
            do {
                try Threads.start(name: "vault") {
                    share()
                    work.end()
                }
            } catch {
                // Alone it takes longer.
                work.end()
            }
            share()
            work.waitForEnd()
        } else {
            share()
        }
        return try work.results()
    }
}

/// Pieces of work and what was made of them.
private final class Work<Made: Sendable>: Sendable {
    private struct State: Sendable {
        var next = 0
        var made: [Result<Made, VaultError>?]
        var isFailed = false
    }

    private let state: Mutex<State>
    private let isEnded = Monitor(false)

    init(_ count: Int) {
        state = Mutex(State(made: [Result<Made, VaultError>?](repeating: nil, count: count)))
    }

    /// The next piece, nil after the last one.
    func next() -> Int? {
        state.withLock { state in
            guard state.next < state.made.count, !state.isFailed else { return nil }
            defer { state.next += 1 }
            return state.next
        }
    }

    func put(_ result: Result<Made, VaultError>, for piece: Int) {
        state.withLock { state in
            state.made[piece] = result
            if case .failure = result { state.isFailed = true }
        }
    }

    /// The other thread is done.
    func end() { isEnded.change { $0 = true } }

    func waitForEnd() { _ = isEnded.wait(until: nil) { $0 ? true : nil } }

    /// All that was made; of several errors the first.
    func results() throws(VaultError) -> [Made] {
        let made = state.withLock { $0.made }
        var results: [Made] = []
        results.reserveCapacity(made.count)
        for result in made {
            guard let result else { continue }
            results.append(try result.get())
        }
        return results
    }
}
