// Many writers at once.
extension Bench {
    private static let threadCount = 8

    mutating func measureWriters() throws {
        progress.next("durable sets from \(Self.threadCount) threads")
        let count = scale.usual
        var vault = try BenchVault(filled: "vault", in: workplace, count: count, byteCount: 1024)
        let value = BenchVault.value(1024)
        let repeats = 40
        let together = vault
        let rounds = try Turns.take(
            [
                Turns.Trial {
                    let perThread = try Together.run(Array(0..<Self.threadCount)) { _ in
                        var mine = together
                        return try mine.set(value, repeats)
                    }
                    // They worked at the same time: the slowest says how long all took.
                    let nanoseconds = (perThread.max() ?? 0) * Double(repeats)
                    return Double(Self.threadCount * repeats) / nanoseconds * 1_000_000_000
                },
                Turns.Trial { 1_000_000_000 / (try vault.set(value, repeats)) },
            ], roundCount: scale.someRounds)
        add(
            "set-threads", "durable sets, \(Self.threadCount) threads", .perSecond,
            entryCount: count, byteCount: 1024, rounds: rounds, floor: "one thread", .atLeast(3))
        try measureFairness(vault)
    }

    private mutating func measureFairness(_ vault: BenchVault) throws {
        progress.next("durable sets from two processes")
        var more: [Double] = []
        var less: [Double] = []
        for _ in 0..<scale.peerRounds {
            let done = try programs.workTogether(
                ["set", "set"], on: vault, seconds: scale.workSeconds)
            more.append(max(done[0], done[1]))
            less.append(min(done[0], done[1]))
        }
        add(
            "set-processes", "durable sets, the busier of two processes", .perSecond,
            entryCount: vault.count, byteCount: 1024, rounds: [more, less],
            floor: "the other process", .atMost(2))
    }
}
