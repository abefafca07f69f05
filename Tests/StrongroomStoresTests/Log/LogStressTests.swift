import StrongroomStores
import StrongroomSystem
import Testing

/// Threads and processes that work on one log for long: all that they were told can be true.
///
/// They last `STRONGROOM_STRESS_SECONDS` each, 5 unless it says more. `Tools/test-threads SECONDS` runs the first of them
/// under ThreadSanitizer: a race that it finds makes the process fail, and the test tells what the process said.
@Suite(.serialized, .timeLimit(.minutes(30))) struct LogStressTests {
    private static let seconds =
        Environment.current.value("STRONGROOM_STRESS_SECONDS")
        .flatMap { Double($0.description) } ?? 5
    private static let keyCount = 24
    let temporary: TemporaryDirectory

    init() throws { temporary = try TemporaryDirectory() }

    private func file(_ worker: Int) -> Path { Path("record \(worker)") }

    private func start(_ worker: Int, threads: Int, until deadline: Int64) throws -> Probe {
        try Probe(
            .log, temporary, "stress", String(Self.keyCount), String(deadline), String(worker),
            String(threads), temporary.path.appending(file(worker)).description)
    }

    @Test func `8 threads on one store`() throws {
        _ = try StoreKind.log.make(in: temporary)
        let deadline = Clock.monotonic() + Int64(Self.seconds * 1_000_000_000)
        let probe = try start(1, threads: 8, until: deadline)
        let end = probe.end()
        #expect(end.status == 0, "\(end.errors)")
        try check([1])
    }

    @Test func `8 threads on one store beside 4 processes, some of which are killed`() throws {
        _ = try StoreKind.log.make(in: temporary)
        let deadline = Clock.monotonic() + Int64(Self.seconds * 1_000_000_000)
        let threads = try start(1, threads: 8, until: deadline)
        var workers = [1]
        var lastWorker = 100
        var probes: [Probe] = []
        func startOne() throws -> Probe {
            lastWorker += 1
            workers.append(lastWorker)
            return try start(lastWorker, threads: 1, until: deadline)
        }
        for _ in 0..<4 { probes.append(try startOne()) }
        var random = SystemRandomNumberGenerator()
        var killCount = 0
        while Clock.monotonic() < deadline {
            let chosen = Int.random(in: 0..<4, using: &random)
            // It says a line after each 100 things that it did.
            for _ in 0..<Int.random(in: 1...5, using: &random) { _ = probes[chosen].line() }
            // Somewhere in the next one.
            for _ in 0..<Int.random(in: 0...50_000, using: &random) {}
            guard Clock.monotonic() < deadline else { break }
            probes[chosen].kill()
            killCount += 1
            probes[chosen] = try startOne()
        }
        for probe in [threads] + probes {
            let end = probe.end()
            #expect(end.status == 0, "\(end.errors)")
        }
        #expect(killCount > 0)
        print("killed \(killCount) processes")
        try check(workers)
    }

    /// Reads the records, and what is there now, and checks that all of it can be.
    private func check(_ workers: [Int]) throws {
        var history = StressHistory()
        for worker in workers { try take(try bytes(worker), &history) }
        let workCount = history.count
        let log = try StoreKind.log.reopenLog(in: temporary)
        try readAll(log, &history)
        try log.compact()
        try readAll(try StoreKind.log.reopenLog(in: temporary), &history)
        let doneCount = history.changes.values.count { $0.end < .max }
        print("\(workCount) things done, of them \(doneCount) changes that stand")
        #expect(doneCount > 100)
        for violation in history.check().prefix(10) { Issue.record("\(violation)") }
    }

    /// Nothing, if it was killed before it began.
    private func bytes(_ worker: Int) throws -> [UInt8] {
        guard try temporary.directory.status(of: file(worker)) != nil else { return [] }
        return try temporary.bytes(file(worker))
    }

    private func readAll(_ log: LogStore, _ history: inout StressHistory) throws {
        for key in 0..<Self.keyCount {
            let start = Clock.monotonic()
            let entry = try log.read(
                EntryID(
                    Array("stress key \(key)".utf8)
                        + [UInt8](repeating: 45, count: key < 10 ? 8 : 7)))
            var number: UInt64 = 0
            for byte in (entry?.bytes.prefix(8) ?? []).reversed() {
                number = number << 8 | UInt64(byte)
            }
            history.reads.append(
                .init(key: key, number: number, start: start, end: Clock.monotonic()))
        }
    }

    /// Takes up records (`Tests/StoreProbe/ProbeStress.swift`).
    private func take(_ bytes: [UInt8], _ history: inout StressHistory) throws {
        try #require(bytes.count % 48 == 0)
        let span = bytes.span
        func number(_ offset: Int) -> UInt64 {
            var number: UInt64 = 0
            for index in 0..<8 { number |= UInt64(span[offset + index]) << UInt64(8 * index) }
            return number
        }
        for offset in stride(from: 0, to: bytes.count, by: 48) {
            let key = Int(span[offset + 1])
            let change = number(offset + 8)
            let start = Int64(number(offset + 16))
            let end = Int64(number(offset + 24))
            switch span[offset] {
            case 1: history.reads.append(.init(key: key, number: change, start: start, end: end))
            case 2, 3:
                let isPresent = span[offset] == 2
                history.listings.append(
                    .init(key: key, isPresent: isPresent, start: start, end: end))
            case 4: history.begin(change, puts: [key], at: start)
            case 5: history.beginUpdate(change, key, of: number(offset + 32), at: start)
            case 6: history.begin(change, removes: [key], at: start)
            case 7: history.end(change, at: end)
            case 8: history.fail(change)
            case 9: break
            case 10: history.violations.append("key \(key) is torn")
            default: history.violations.append("a record of kind \(span[offset])")
            }
        }
    }
}
