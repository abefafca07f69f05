// Processes: readers beside a writer, and the command.
extension Bench {
    mutating func measureProcesses() throws {
        progress.next("the command")
        let count = scale.usual
        let vault = try BenchVault(filled: "vault", in: workplace, count: count, byteCount: 1024)
        // Before there are sets that the index does not know, which every opening reads.
        try measureCommand(vault)
        try measureGit(vault)
        progress.next("two readers and a writer")
        var gets: [Double] = []
        var sets: [Double] = []
        for _ in 0..<scale.peerRounds {
            let done = try mixed(vault)
            gets.append(done.gets)
            sets.append(done.sets)
        }
        add(
            "mixed-gets", "gets of 2 processes beside a writer", .perSecond, entryCount: count,
            byteCount: 1024, rounds: [gets])
        add(
            "mixed-sets", "durable sets beside 2 readers", .perSecond, entryCount: count,
            byteCount: 1024, rounds: [sets])
    }

    /// Gets and sets a second of two readers and one writer.
    func mixed(_ vault: BenchVault) throws -> (gets: Double, sets: Double) {
        let done = try programs.workTogether(
            ["get", "get", "set"], on: vault, seconds: scale.workSeconds)
        return (done[0] + done[1], done[2])
    }

    private mutating func measureCommand(_ vault: BenchVault) throws {
        guard programs.command != nil, let empty = programs.empty else { return }
        let bench = self
        let rounds = try Turns.take(
            [
                Turns.Trial { try bench.command(vault) },
                Turns.Trial { try Programs.run(empty, []).nanoseconds },
            ], roundCount: scale.someRounds)
        add(
            "command", "command get, whole process", entryCount: vault.count, byteCount: 1024,
            rounds: rounds, floor: "an empty program")
        compare(
            "command",
            Comparison(
                "an empty program + 1 ms", ours: rounds[0],
                theirs: rounds[1].map { $0 + 1_000_000 }, .atMost(1)))
    }

    /// Nanoseconds of a whole `strongroom get`.
    func command(_ vault: BenchVault) throws -> Double {
        guard let command = programs.command else { throw BenchFailure("there is no command") }
        let (output, nanoseconds) = try Programs.run(
            command, ["--root", vault.root, "get", vault.keys[vault.count / 2]])
        guard !output.isEmpty else { throw BenchFailure("the command printed nothing") }
        return nanoseconds
    }
}
