import StrongroomCrypto
import StrongroomSystem
import Testing

@testable import StrongroomVault

/// Threads and processes that work on one vault in rounds.
///
/// In each there are a process of four threads and three of one thread, which are killed and started anew. After a round everything is settled by a change and read, and the next one begins
/// with what was found.
struct HistoryRun {
    static let keyCount = 24

    /// How much is done in a round.
    struct Load {
        var operations: Int
        /// Of a thousand.
        var writeShare: Int
        /// One in so many is a rotation, a rewrap or a compaction.
        var turnShare: Int
        var killCount: Int
    }

    let place: TemporaryVault
    private var random: Seeded
    private var initial = [UInt64](repeating: 0, count: keyCount)
    private var worker = 1
    private var roundCount = 0

    init(seed: UInt64) throws {
        random = Seeded(seed)
        place = try TemporaryVault()
        try place.vault().set("settled", "0")
    }

    /// One round, whole.
    mutating func round(_ load: Load) throws -> History {
        roundCount += 1
        let directory = place.root.appending(Path("records \(roundCount)"))
        _ = try DirectoryMaker.ensure(directory, syncs: false, fileSystem: RealFileSystem())
        defer { Tree.remove(directory) }
        let firstWorker = worker
        func start(_ threadCount: Int, _ operations: Int) throws -> ProbeProcess {
            let probe = try ProbeProcess(
                "history", place.root, "\(Self.keyCount)", "\(operations)", "\(load.writeShare)",
                "\(load.turnShare)", "\(random.next() >> 2)", "\(worker)", "\(threadCount)",
                directory.description)
            worker += threadCount
            return probe
        }
        let steady = try start(4, load.operations / 8)
        let share = load.operations / 6
        var others = try (0..<3).map { _ in try start(1, share) }
        for _ in 0..<load.killCount {
            let chosen = Int.random(in: 0..<3, using: &random)
            for _ in 0..<Int.random(in: 1...max(1, share / 400), using: &random) {
                _ = try others[chosen].readLine()
            }
            // Somewhere in what it does next.
            _ = try steady.readLine(seconds: 0)
            others[chosen].killNow()
            others[chosen] = try start(1, share)
        }
        var reader = HistoryReader(initial: initial)
        for probe in [steady] + others {
            var last = ""
            while let line = try probe.readLine(seconds: 600) { last = line }
            #expect(last == "done")
            #expect(try probe.status() == 0)
        }
        for number in firstWorker..<worker {
            let path = directory.appending(Path("\(number)"))
            // Nothing, if it was killed before it began.
            if try Tree.exists(path) { reader.take(try records(path), of: "\(number)") }
        }
        try settle(&reader)
        return reader.history
    }

    private func records(_ path: Path) throws -> [UInt8] {
        try OpenFile.open(path, [.read], fileSystem: RealFileSystem()).readAll(limit: 1 << 30)
    }

    /// What a killed process left is finished by the next change; after it nothing of before takes effect any more.
    private mutating func settle(_ reader: inout HistoryReader) throws {
        let vault = place.vault()
        try vault.set("settled", "\(roundCount)")
        for key in initial.indices {
            let start = Clock.monotonic()
            let bytes = try vault.bytes("history/\(key)") ?? []
            let end = Clock.monotonic()
            var number: UInt64 = 0
            for byte in bytes.prefix(8).reversed() { number = number << 8 | UInt64(byte) }
            reader.read(key, number, from: start, to: end)
            initial[key] = number
        }
        #expect(try vault.check(progress: nil).findings == [])
    }
}
