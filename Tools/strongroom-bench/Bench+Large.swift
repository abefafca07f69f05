import Strongroom

// Large values, and a large log.
extension Bench {
    mutating func measureLargeValues() throws {
        for (byteCount, count, repeats) in [(65_536, scale.few, 50), (16 << 20, 1, 1)] {
            progress.next("get, \(byteCount) bytes, \(count) entries")
            var vault = try BenchVault(
                filled: "vault", in: workplace, count: count, byteCount: byteCount)
            let floor = try Floor(
                in: try workplace.directory("floor"), count: count, byteCount: byteCount)
            let isBudget = byteCount == 65_536
            let rounds = try Turns.take(
                [
                    Turns.Trial { try vault.get(repeats) },
                    Turns.Trial { try floor.get(repeats) },
                ], roundCount: scale.someRounds)
            add(
                "get-\(byteCount)", "get", entryCount: count, byteCount: byteCount,
                rounds: rounds, isBudget ? .atMost(1.25) : nil)
            let value = BenchVault.value(byteCount)
            let sets = try Turns.take(
                [
                    Turns.Trial { try vault.set(value, 1) },
                    Turns.Trial { try floor.set(1) },
                ], roundCount: isBudget ? scale.someRounds : scale.fewRounds)
            add(
                "set-\(byteCount)", "durable set", entryCount: count, byteCount: byteCount,
                rounds: sets)
        }
        try measureLargeLog()
    }

    private mutating func measureLargeLog() throws {
        let byteCount = 16 << 20
        progress.next("open, \(scale.largeCount) entries of 16 MiB")
        let vault = try BenchVault(
            filled: "vault", in: workplace, count: scale.largeCount, byteCount: byteCount)
        try vault.area.set("small", forKey: "small")
        let rounds = try Turns.take(
            [Turns.Trial { try vault.openSmall() }], roundCount: scale.someRounds)
        add(
            "open-log", "open a log of \((scale.largeCount * byteCount) >> 20) MiB, get 5 bytes",
            entryCount: scale.largeCount, byteCount: byteCount, rounds: rounds)
        try workplace.remove("vault")
    }
}
