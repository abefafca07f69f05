/// How much is measured.
struct Scale {
    /// True for the run that only shows that everything works.
    let isQuick: Bool

    /// What the budgets call 10,000 entries.
    var usual: Int { isQuick ? 300 : 10_000 }
    /// What the budgets call 1,000 entries.
    var few: Int { isQuick ? 100 : 1000 }
    /// What the budgets call 100,000 entries.
    var many: Int { isQuick ? 1000 : 100_000 }
    /// Numbers of entries for what is drawn against them.
    var counts: [Int] { isQuick ? [1, 100, 300, 1000] : [1, 1000, 10_000, 100_000] }
    /// Entries of 16 MiB that make a log of 1 GiB.
    var largeCount: Int { isQuick ? 2 : 64 }
    /// How often what takes microseconds is measured.
    var manyRounds: Int { isQuick ? 5 : 101 }
    /// How often what takes milliseconds is measured.
    var someRounds: Int { isQuick ? 3 : 31 }
    /// How often what takes a tenth of a second or more is measured.
    var fewRounds: Int { isQuick ? 1 : 7 }
    /// How often the peers are asked.
    var peerRounds: Int { isQuick ? 1 : 3 }
    /// How long processes beside each other work, in seconds.
    var workSeconds: Double { isQuick ? 0.2 : 2 }
}
