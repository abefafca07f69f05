import Strongroom
import StrongroomSystem

// Other programs beside ours, in turns.
extension Bench {
    private static let sqlcipher = "sqlcipher 4.12"
    private static let sqlcipherOld = "sqlcipher 3.4.1"
    private static let lmdb = "lmdb+secretbox"
    private static let mmkv = "mmkv aes256"

    /// Runs the peers and ours in turns and compares what the budgets compare.
    mutating func measurePeers(_ peers: Peers) throws {
        var peers = peers
        var ours: [String: [Double]] = [:]
        for round in 1...scale.peerRounds {
            progress.next("peers, round \(round)")
            for (byteCount, count) in [(1024, scale.usual), (65_536, scale.few)] {
                for (script, more) in [
                    ("peer_lmdb.py", []), ("peer_sqlcipher.py", ["4"]),
                    ("peer_sqlcipher.py", ["3"]),
                    ("peer_mmkv.py", []),
                ] {
                    try peers.run(script, byteCount: byteCount, count: count, more)
                }
                try measureBesidePeers(byteCount: byteCount, count: count, &ours)
            }
        }
        progress.next("peers, whole processes")
        try peers.run("peer_cold.py", byteCount: 1024, count: scale.few, ["5"])
        progress.clear()
        if let command = measure("command") { ours["command-1024"] = [command.ours.median] }
        if let disk = measure("disk-1024") { ours["disk-1024"] = [disk.ours.median] }
        compare(ours, peers.figures)
    }

    /// One round of ours, measured as the peers' scripts measure: the median of single calls.
    private func measureBesidePeers(
        byteCount: Int, count: Int, _ ours: inout [String: [Double]]
    ) throws {
        var vault = try BenchVault(
            filled: "vault", in: workplace, count: count, byteCount: byteCount)
        let value = BenchVault.value(byteCount)
        let add = { (ours: inout [String: [Double]], work: String, figure: Double) in
            ours["\(work)-\(byteCount)", default: []].append(figure)
        }
        add(&ours, "get", Figure(try (0..<20_000).map { _ in try vault.get(1) }).median)
        add(&ours, "open", Figure(try (0..<15).map { _ in try vault.open() }).median)
        add(&ours, "list", Figure(try (0..<5).map { _ in try vault.list() }).median)
        add(&ours, "set", Figure(try (0..<1000).map { _ in try vault.set(value, 1) }).median)
        guard byteCount == 1024 else { return }
        // Before thousands of sets beside readers, which the others' rotation does not come after either.
        add(&ours, "rotate", try vault.rotate())
        add(&ours, "batch", try batch(of: value, count: count))
        let mixed = try mixed(vault)
        add(&ours, "mixed-gets", mixed.gets)
        add(&ours, "mixed-sets", mixed.sets)
    }

    private mutating func compare(
        _ ours: [String: [Double]], _ figures: [String: [String: [Double]]]
    ) {
        let budgets: [(row: String, work: String, peer: String, Comparison.Budget)] = [
            ("get-1024-usual", "get-1024", Self.lmdb, .atMost(1.5)),
            ("get-1024-usual", "get-1024", Self.sqlcipher, .atMost(1 / 1.2)),
            ("get-65536", "get-65536", Self.sqlcipher, .atMost(1 / 2.4)),
            ("get-65536", "get-65536", Self.mmkv, .atMost(1 / 3.5)),
            ("set-1024-usual", "set-1024", Self.sqlcipher, .atMost(1)),
            ("set-1024-usual", "set-1024", Self.sqlcipherOld, .atMost(1)),
            ("set-1024-usual", "set-1024", Self.lmdb, .atMost(1)),
            ("set-1024-usual", "set-1024", Self.mmkv, .atMost(1)),
            ("batch-1024-usual", "batch-1024", Self.lmdb, .atLeast(1.5)),
            ("batch-1024-usual", "batch-1024", Self.sqlcipher, .atLeast(2.5)),
            ("rotate-1024-usual", "rotate-1024", Self.sqlcipher, .atMost(0.6)),
            ("list-warm", "list-1024", Self.sqlcipher, .atMost(1)),
            ("command", "command-1024", "age -d", .atMost(1)),
            ("command", "command-1024", "secret-tool lookup", .atMost(1 / 3.0)),
            ("disk-1024", "disk-1024", Self.sqlcipher, .atMost(1)),
            ("mixed-gets", "mixed-gets-1024", Self.sqlcipher, .atLeast(4)),
            ("mixed-sets", "mixed-sets-1024", Self.sqlcipher, .atLeast(1)),
        ]
        for (row, work, peer, budget) in budgets {
            guard let mine = ours[work], let theirs = figures[peer]?[work] else { continue }
            if mine.count == theirs.count {
                compare(row, Comparison(peer, ours: mine, theirs: theirs, budget))
            } else {
                compare(
                    row, Comparison(peer, ours: Figure(mine), theirs: Figure(theirs), budget))
            }
        }
        for (peer, works) in figures where peer != Self.sqlcipher {
            guard let mine = ours["open-1024"], let theirs = works["open-1024"] else { continue }
            compare(
                "open-1024-usual",
                Comparison(peer, ours: Figure(mine), theirs: Figure(theirs)))
        }
    }
}
