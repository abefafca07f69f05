import SimulatedDisk
import StrongroomSystem
import Testing

@testable import StrongroomVault

/// A disk loses power at each moment of scripts, and is what a disk may be then: what was not synced is there, absent,
/// or torn at any border of 512 bytes, and names changed in any order that POSIX allows.
///
/// `STRONGROOM_CRASH_STATES=N` opens up to N states for each moment, `STRONGROOM_CRASH_SCRIPTS=N` takes N scripts a
/// layout, and `STRONGROOM_CRASH_SEED` other ones; each then prints how many it opened.
@Suite(.timeLimit(.minutes(180))) struct CrashStateTests {
    private static func number(_ name: Path) -> Int? {
        Environment.current.value(name).flatMap { Int($0.description) }
    }

    private static let stateLimit = number("STRONGROOM_CRASH_STATES")
    private static let scriptCount = number("STRONGROOM_CRASH_SCRIPTS")
    private static let seed = UInt64(number("STRONGROOM_CRASH_SEED") ?? 7_001)

    private static let steps: [Named<[CrashStep]>] = [
        Named("a first set", [.set("a", 1)]),
        Named("a set", [.set("a", 0), .set("b", 1)]),
        Named("a replaced value", [.set("a", 0), .set("a", 2)]),
        Named("a removed value", [.set("a", 0), .del("a")]),
        Named("a commit", [.set("a", 0), .commit(set: ["b", "d"], 1, del: "a")]),
        Named("an update", [.set("a", 1), .update("a")]),
        Named("a rotation", [.set("a", 1), .rotate]),
        Named("a rewrap", [.set("a", 1), .rewrap]),
        Named("a passphrase", [.set("a", 1), .setPassphrase]),
        Named("no passphrase", [.set("a", 1), .setPassphrase, .removePassphrase]),
        Named("a compaction", [.set("a", 1), .set("a", 2), .compact]),
    ]

    @Test(arguments: steps, VaultLayout.allCases)
    func `a crash in one step loses nothing that was acknowledged`(
        _ named: Named<[CrashStep]>, _ layout: VaultLayout
    ) throws {
        var script = CrashScript(named.value, preparedCount: named.value.count - 1)
        script.layout = layout
        var explorer = CrashExplorer(stateLimit: Self.stateLimit ?? 6, seed: Self.seed)
        if let violation = explorer.explore(script) {
            Issue.record("seed \(Self.seed): \(violation)")
        }
        #expect(explorer.counts.states >= 3)
        Self.tell(explorer, "\(named.testDescription), \(layout)")
    }

    @Test(arguments: VaultLayout.allCases)
    func `a crash in scripts of several steps loses nothing that was acknowledged`(
        _ layout: VaultLayout
    ) throws {
        let count = Self.scriptCount ?? 3
        for seed in Self.seed..<Self.seed + UInt64(count) {
            var random = Seeded(seed)
            let script = CrashScript(layout: layout, &random)
            var explorer = CrashExplorer(stateLimit: Self.stateLimit ?? 3, seed: seed)
            if let violation = explorer.explore(script) {
                Issue.record("seed \(seed): \(violation)")
            }
            Self.tell(explorer, "seed \(seed), \(script)")
        }
    }

    private static func tell(_ explorer: CrashExplorer, _ what: String) {
        guard stateLimit != nil else { return }
        print(
            "\(what): \(explorer.counts.states) states after a crash at \(explorer.moments.all)",
            "moments (all there are at \(explorer.moments.exhausted)),",
            "\(explorer.counts.seconds) after a second one")
    }

    /// A disk whose syncs of one kind do nothing.
    private final class Forgetful: FileSystemWrapper {
        let inner: any FileSystem
        private let forgets: @Sendable (FileStatus) -> Bool

        init(_ disk: SimulatedDisk, forgets: @escaping @Sendable (FileStatus) -> Bool) {
            inner = disk
            self.forgets = forgets
        }

        func sync(_ file: Descriptor) throws(SystemError) {
            if !forgets(try inner.status(file)) { try inner.sync(file) }
        }

        func syncData(_ file: Descriptor) throws(SystemError) {
            if !forgets(try inner.status(file)) { try inner.syncData(file) }
        }
    }

    @Test(arguments: VaultLayout.allCases)
    func `a sync that is left out is found, in the shortest script`(_ layout: VaultLayout) throws {
        for kind in [FileStatus.Kind.regular, .directory] {
            var random = Seeded(Self.seed)
            let script = CrashScript(layout: layout, &random)
            var explorer = CrashExplorer(stateLimit: 4, seed: Self.seed)
            explorer.door = { Forgetful($0) { $0.kind == kind } }
            let found = explorer.explore(script)
            // The first set is enough to see it.
            let violation = try #require(found, "syncs of \(kind)")
            #expect(violation.hasPrefix("\(script.first): "), "\(violation)")
        }
    }
}
