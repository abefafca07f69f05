// Get, durable set and opening against the number of entries.
extension Bench {
    mutating func measureGrowingVaults() throws {
        for byteCount in [32, 1024] {
            for count in scale.counts {
                progress.next("get, set and open, \(byteCount) bytes, \(count) entries")
                try measureVault(count: count, byteCount: byteCount)
            }
        }
        addGrowth()
        try measureFreshVault()
    }

    /// Opening reads the newest commit, which is large right after a batch.
    private mutating func measureFreshVault() throws {
        progress.next("open right after a batch")
        var vault = try BenchVault(
            filled: "vault", in: workplace, count: scale.usual, byteCount: 1024,
            isCompacted: false)
        let rounds = try Turns.take(
            [Turns.Trial { try vault.open() }], roundCount: scale.someRounds)
        add(
            "open-batch", "open, get, close, right after one batch", entryCount: scale.usual,
            byteCount: 1024, rounds: rounds)
    }

    private mutating func measureVault(count: Int, byteCount: Int) throws {
        var vault = try BenchVault(
            filled: "vault", in: workplace, count: count, byteCount: byteCount)
        let floor = try Floor(
            in: try workplace.directory("floor"), count: count, byteCount: byteCount)
        let isUsual = byteCount == 1024
        let gets = try Turns.take(
            [
                Turns.Trial { try vault.get(1000) },
                Turns.Trial { try floor.get(1000) },
            ], roundCount: scale.manyRounds)
        add(
            name("get", count, byteCount), "get", entryCount: count, byteCount: byteCount,
            rounds: gets, isUsual && count == scale.usual ? .atMost(1.3) : nil)
        let opens = try Turns.take(
            [Turns.Trial { try vault.open() }, Turns.Trial { try floor.open() }],
            roundCount: scale.someRounds)
        add(
            name("open", count, byteCount), "open, get, close", entryCount: count,
            byteCount: byteCount, rounds: opens)
        if isUsual, let limit = openLimit(count) {
            compare(
                name("open", count, byteCount),
                Comparison(
                    "\(limit / 1_000_000) ms", ours: Figure(opens[0]), theirs: Figure(once: limit),
                    .atMost(1)))
        }
        let value = BenchVault.value(byteCount)
        let sets = try Turns.take(
            [
                Turns.Trial { try vault.set(value, 20) },
                Turns.Trial { try floor.set(20) },
            ], roundCount: scale.someRounds)
        add(
            name("set", count, byteCount), "durable set", entryCount: count, byteCount: byteCount,
            rounds: sets, isUsual && count == scale.usual ? .atMost(1.3) : nil)
    }

    /// In nanoseconds.
    private func openLimit(_ count: Int) -> Double? {
        switch count {
        case scale.usual: 1_000_000
        case scale.many: 3_000_000
        default: nil
        }
    }

    private mutating func addGrowth() {
        guard let few = measure(name("get", scale.few, 1024)) else { return }
        guard let many = measure(name("get", scale.many, 1024)) else { return }
        compare(
            many.id,
            Comparison(
                "get at \(scale.few) entries", ours: many.ours, theirs: few.ours, .atMost(1.3)))
    }

    /// What a row is called: roles, not numbers, so that a quick run has the same.
    func name(_ work: String, _ count: Int, _ byteCount: Int) -> String {
        let places = ["one", "few", "usual", "many"]
        let place = scale.counts.firstIndex(of: count).map { places[$0] } ?? String(count)
        return "\(work)-\(byteCount)-\(place)"
    }
}
