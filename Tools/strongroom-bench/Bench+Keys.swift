// The master key alone.
extension Bench {
    mutating func measureKeys() throws {
        progress.next("rewrap")
        let vault = try BenchVault(
            filled: "vault", in: workplace, count: scale.few, byteCount: 1024)
        let floor = try Floor(in: try workplace.directory("floor"), count: 1, byteCount: 1024)
        let rounds = try Turns.take(
            [
                Turns.Trial { try vault.rewrap() },
                Turns.Trial { try floor.replace(byteCount: 512) },
            ], roundCount: scale.someRounds)
        add(
            "rewrap", "rewrap", entryCount: scale.few, byteCount: 1024, rounds: rounds,
            floor: "one small file replaced", .atMost(5))
    }

    mutating func measureLists() throws {
        progress.next("list")
        let count = scale.usual
        let vault = try BenchVault(filled: "vault", in: workplace, count: count, byteCount: 1024)
        let warm = try Turns.take([Turns.Trial { try vault.list() }], roundCount: scale.someRounds)
        add("list-warm", "list, again", entryCount: count, byteCount: 1024, rounds: warm)
        let cold = try Turns.take(
            [
                Turns.Trial {
                    try BenchVault(root: vault.root, count: count, byteCount: 1024).list()
                },
                Turns.Trial { try Floor.boxes(count: count, byteCount: 80) },
            ], roundCount: scale.fewRounds)
        add(
            "list-cold", "open and list", entryCount: count, byteCount: 1024, rounds: cold,
            floor: "opening as many boxes of 80 bytes", .atMost(3))
    }
}
