import StrongroomStores
import StrongroomSystem
import Testing

/// The protocol of the log by random walks over the store itself, and what becomes of it without any one rule.
///
/// `STRONGROOM_WALKS` says how many walks there are, `STRONGROOM_SEED` which is the first; a walk that goes wrong is
/// told by its seed.
@Suite(.timeLimit(.minutes(60))) struct LogWalkTests {
    private static func number(_ name: Path) -> UInt64? {
        Environment.current.value(name).flatMap { UInt64($0.description) }
    }
    static let firstSeed = number("STRONGROOM_SEED") ?? 1
    static let isWhole = number("STRONGROOM_WHOLE") == 1
    static let walkCount = number("STRONGROOM_WALKS") ?? 40

    /// Walks that went wrong once.
    static let knownSeeds: [UInt64] = [138, 150, 416]

    @Test(arguments: [false, true])
    func `no walk loses, tears, brings back or reorders anything`(replugs: Bool) throws {
        var figures = LogWalk.Figures()
        for seed in Self.knownSeeds + (Self.firstSeed..<(Self.firstSeed + Self.walkCount)) {
            do {
                let found = try LogWalk.run(seed: seed, omitting: nil, replugs: replugs)
                figures.readCount += found.readCount
                figures.commitCount += found.commitCount
            } catch let violation as LogWalk.Violation {
                Issue.record("seed \(seed), replugs \(replugs): \(violation.what)")
            }
        }
        print("\(Self.walkCount) walks, replugs \(replugs): \(figures)")
        // A walk in which nobody gets to read or write shows nothing.
        #expect(figures.readCount > Int(Self.walkCount) * 5)
        #expect(figures.commitCount > Int(Self.walkCount) * 5)
    }

    @Test(arguments: LogRule.allCases.filter { $0 != .scanSync })
    func `without any one rule some walk goes wrong`(rule: LogRule) throws {
        // What a replugged disk hides is acknowledged; else what is not adopted was nobody's.
        let replugs = rule == .adoption
        // The known one first, which shows it in a moment as long as the calls are the same.
        let others = Self.isWhole ? 3000 : 600
        for seed in [Self.missing[rule] ?? 1] + Array(1...UInt64(others)) {
            do {
                _ = try LogWalk.run(seed: seed, omitting: rule, replugs: replugs)
            } catch {
                print("without \(rule) walk \(seed) goes wrong: \(error)")
                // It is the rule that it misses.
                _ = try LogWalk.run(seed: seed, omitting: nil, replugs: replugs)
                return
            }
        }
        Issue.record("\(rule) is not missed")
    }

    /// Walks that go wrong without a rule.
    private static let missing: [LogRule: UInt64] = [
        .writeLock: 2, .jobLock: 4, .inodeCheck: 3, .directorySync: 221, .settlePublish: 1,
        .adoption: 2, .adoptionSync: 72, .adoptionPublish: 8, .commitSync: 1, .commitPublish: 1,
        .retract: 4, .retractSync: 16, .hintIsEnd: 16, .hintBoot: 3, .hintLog: 9,
        .lookInode: 20, .secondLook: 19, .payloadSums: 17, .rewriteSync: 6, .renameSync: 12,
    ]
}
