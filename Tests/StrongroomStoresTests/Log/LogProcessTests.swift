import StrongroomStores
import StrongroomSystem
import Testing

/// Processes on one log while it is written anew under them.
@Suite struct LogProcessTests {
    let temporary: TemporaryDirectory

    init() throws { temporary = try TemporaryDirectory() }

    @Test(arguments: ["compact", "rewrite"])
    func `who rewrites and is killed leaves one log whole, and others never notice`(
        work: String
    ) throws {
        let kind = StoreKind.log
        let store = try kind.make(in: temporary)
        var expected: [String: String] = [:]
        for number in 0..<30 {
            expected["key \(number)"] = "value \(number)"
            try store.put("value \(number)", "key \(number)")
        }
        var random = SplitMix(state: 11)
        for round in 0..<8 {
            let probe = try Probe(kind, temporary, work)
            for _ in 0..<Int.random(in: 1...3, using: &random) { #expect(probe.line() != nil) }
            for _ in 0..<20 {
                let number = Int.random(in: 0..<30, using: &random)
                #expect(try store.text("key \(number)") == "value \(number)")
            }
            expected["round"] = "\(round)"
            while true {
                do {
                    try store.put("\(round)", "round")
                    break
                } catch {
                    guard case .ownerChanged? = error as? StoreError else { throw error }
                }
            }
            probe.kill()
            #expect(try kind.reopen(in: temporary).contents() == expected)
        }
        let again = try kind.reopenLog(in: temporary, waitSeconds: 5)
        try again.sweepLeftovers()
        #expect(try again.leftovers() == [])
        #expect(try again.contents() == expected)
    }

    @Test func `writers beside a compactor lose nothing`() throws {
        let kind = StoreKind.log
        let store = try kind.make(in: temporary)
        let compactor = try Probe(kind, temporary, "compact")
        #expect(compactor.line() == "compacted")
        let probes = [
            try Probe(kind, temporary, "set", "first", "150"),
            try Probe(kind, temporary, "set", "second", "150"),
        ]
        for probe in probes { #expect(probe.end() == (0, "")) }
        compactor.kill()
        #expect(try store.ids().count == 300)
    }
}
