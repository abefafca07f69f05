import StrongroomCrypto
import StrongroomStores
import StrongroomSystem
import StrongroomVault

/// Threads that work on one vault and record what they did:
/// `history ROOT KEYS OPERATIONS WRITES TURNS SEED WORKER THREADS DIRECTORY`.
///
/// Each of `THREADS` does `OPERATIONS` things on `KEYS` keys, of a thousand about `WRITES` changes, and one in `TURNS` a
/// rotation, a rewrap or a compaction. The threads are the workers `WORKER`, `WORKER` + 1 …; each change has a number
/// of its own, the worker × 2^32 and a count, and what it puts follows from the number. A thread's ``HistoryRecords``
/// are in `DIRECTORY`/<its worker>. A line is said after each 100 things, and `done` at the end.
struct ProbeHistory: Sendable {
    let root: Path
    let vault: Vault
    let keyCount: Int
    let operationCount: Int
    let writeShare: Int
    let turnShare: Int

    static func run(_ vault: ProbeVault, _ arguments: [String]) throws {
        let numbers = arguments.prefix(7).compactMap { Int($0) }
        guard numbers.count == 7, arguments.count == 8 else {
            throw HistoryFailure(what: "arguments")
        }
        let history = ProbeHistory(
            root: vault.root, vault: vault.vault, keyCount: numbers[0],
            operationCount: numbers[1], writeShare: numbers[2], turnShare: numbers[3])
        let threadCount = numbers[6]
        let crew = Monitor<(running: Int, error: String?)>((threadCount, nil))
        for worker in numbers[5]..<numbers[5] + threadCount {
            try Threads.start(name: "history") {
                var failure: String?
                do {
                    let path = Path(arguments[7]).appending(Path("\(worker)"))
                    var thread = HistoryThread(
                        history, worker: worker, seed: numbers[4], records: try .init(path))
                    try thread.work()
                } catch {
                    failure = "worker \(worker): \(error)"
                }
                crew.change { [failure] state in
                    state.running -= 1
                    state.error = state.error ?? failure
                }
            }
        }
        _ = crew.wait(until: nil) { $0.running == 0 ? true : nil }
        if let error = crew.change({ $0.error }) { throw HistoryFailure(what: error) }
        VaultProbe.say("done")
    }

    static func key(_ index: Int) -> String { "history/\(index)" }

    /// The value of a change: its number, and bytes that follow from it.
    static func value(_ number: UInt64) -> [UInt8] {
        let count = number % 101 == 0 ? 70_000 : number % 11 == 0 ? 3000 : 16 + Int(number % 100)
        let fill = UInt8(truncatingIfNeeded: number &* 31 &+ number >> 32)
        var bytes = [UInt8](repeating: fill, count: count)
        for index in 0..<8 {
            bytes[index] = UInt8(truncatingIfNeeded: number >> UInt64(8 * index))
        }
        return bytes
    }

    /// The change whose value that is; nil if it is nobody's.
    static func number(_ bytes: [UInt8]) -> UInt64? {
        guard bytes.count >= 8 else { return nil }
        var number: UInt64 = 0
        for index in (0..<8).reversed() { number = number << 8 | UInt64(bytes[index]) }
        return bytes == value(number) ? number : nil
    }
}
