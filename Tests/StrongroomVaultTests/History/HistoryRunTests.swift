import StrongroomSystem
import Testing

@testable import StrongroomVault

/// Threads and processes that get, list, set, del, update and commit in one vault, while it is rotated, rewrapped and
/// compacted and some of them are killed: their history is one of a register a key, and of commits at one instant.
///
/// `STRONGROOM_HISTORY_OPERATIONS=10000000` for so many things done in each layout, `STRONGROOM_HISTORY_SEED` for others
/// to be done.
@Suite(.serialized, .timeLimit(.minutes(120))) struct HistoryRunTests {
    private static func number(_ name: Path) -> UInt64? {
        Environment.current.value(name).flatMap { UInt64($0.description) }
    }

    private static let operations = number("STRONGROOM_HISTORY_OPERATIONS").map { Int($0) }
    private static let seed = number("STRONGROOM_HISTORY_SEED") ?? 4_217

    @Test(.layout(.log)) func `threads and processes see one order of what they do in a log`()
        throws
    {
        try run(
            Self.operations == nil
                ? .init(operations: 4000, writeShare: 200, turnShare: 300, killCount: 3)
                : .init(operations: 400_000, writeShare: 25, turnShare: 4000, killCount: 16))
    }

    @Test(.layout(.files)) func `threads and processes see one order of what they do in files`()
        throws
    {
        try run(
            Self.operations == nil
                ? .init(operations: 2000, writeShare: 150, turnShare: 300, killCount: 3)
                : .init(operations: 400_000, writeShare: 25, turnShare: 4000, killCount: 16))
    }

    private func run(_ load: HistoryRun.Load) throws {
        var run = try HistoryRun(seed: Self.seed)
        let layout = TemporaryVault.defaultLayout
        var (count, changes, unknown, turns) = (0, 0, 0, [0, 0, 0])
        var (worked, checked): (Int64, Int64) = (0, 0)
        repeat {
            let start = Clock.monotonic()
            let history = try run.round(load)
            let middle = Clock.monotonic()
            for violation in history.check(areSnapshotsAtomic: layout == .log).prefix(10) {
                Issue.record("\(layout), seed \(Self.seed), after \(count): \(violation)")
            }
            worked += middle - start
            checked += Clock.monotonic() - middle
            count += history.operationCount
            changes += history.commits.count
            unknown += history.commits.count { $0.end == .max }
            for index in turns.indices { turns[index] += history.turnCounts[index] }
            #expect(history.commits.count > 100)
            if Self.operations != nil {
                print(
                    "\(layout): \(count) things done, of them \(changes) changes, \(unknown) of",
                    "unknown outcome, beside \(turns[0]) rotations, \(turns[1]) rewraps and",
                    "\(turns[2]) compactions; \(worked / 1_000_000_000) s done,",
                    "\(checked / 1_000_000_000) s checked")
            }
        } while count < Self.operations ?? 0
    }
}
