import SimulatedDisk
import StrongroomSystem

@testable import StrongroomVault

/// Opens a vault in the states in which a disk could be after a crash at each moment of a script.
///
/// Every change that was acknowledged must be there, the one that was under way whole or absent, and nothing else; the
/// vault must open with a key that is there, take a write or a rotation, and lose power again while it does.
struct CrashExplorer {
    /// How many states are opened for each moment at most.
    let stateLimit: Int
    var random: Seeded
    /// What was opened: states after one crash, and after a second one.
    private(set) var counts = (states: 0, seconds: 0)
    /// Moments, and those whose every state was opened.
    private(set) var moments = (all: 0, exhausted: 0)
    /// What the vault sees of the disk.
    var door: @Sendable (SimulatedDisk) -> any FileSystem = { $0 }

    private struct Violation: Error, CustomStringConvertible {
        let description: String
    }

    init(stateLimit: Int, seed: UInt64) {
        self.stateLimit = stateLimit
        random = Seeded(seed)
    }

    /// What went wrong first, in the shortest script in which it still does; nil if nothing did.
    mutating func explore(_ script: CrashScript) -> String? {
        guard let violation = violation(of: script) else { return nil }
        for shorter in script.shorter {
            if let found = explore(shorter) { return found }
        }
        return "\(script): \(violation)"
    }

    private mutating func violation(of script: CrashScript) -> String? {
        do {
            try PowerLossTests.$layout.withValue(script.layout) { try run(script) }
            return nil
        } catch {
            return "\(error)"
        }
    }

    private mutating func run(_ script: CrashScript) throws {
        let disk = SimulatedDisk()
        for path in ["/home", "/home/app"] {
            try disk.makeDirectory(Path(path), at: nil, mode: 0o700)
        }
        let one = vault(disk)
        var values: [CrashStep.Values] = [[:]]
        var ends: [Int] = []
        for (index, step) in script.steps.enumerated() {
            if index == script.preparedCount {
                disk.syncAll()
                disk.record()
            }
            try step.run(script.isOneProcess ? one : vault(disk))
            values.append(step.changed(values[index]))
            ends.append(index < script.preparedCount ? 0 : disk.moments.count)
        }
        for (index, moment) in disk.moments.enumerated() {
            // After the last call of a step it is acknowledged.
            let done = ends.count { $0 <= index + 1 }
            let allowed = Array(values[done...min(done + 1, script.steps.count)])
            moments.all += 1
            do {
                try crash(moment, allowed: allowed)
            } catch {
                throw Violation(description: "call \(index + 1) of \(ends.last ?? 0): \(error)")
            }
        }
    }

    /// Opens every state after a crash at `moment`, or as many as the limit lets: then what loses all, what loses
    /// nothing, and some at random.
    private mutating func crash(
        _ moment: SimulatedDisk.Moment, allowed: [CrashStep.Values]
    ) throws {
        var seen: Set<Int> = []
        var states: [SimulatedDisk] = []
        func add(_ disk: SimulatedDisk) {
            if seen.insert(disk.now.fingerprint).inserted { states.append(disk) }
        }
        var tree = ChoiceTree()
        var hasMore = true
        // Many ways lead to one state.
        var ways = 0
        while hasMore, states.count <= stateLimit, ways < stateLimit * 100 {
            ways += 1
            add(SimulatedDisk(crashedAt: moment, losing: .some, &tree))
            hasMore = tree.advance()
        }
        if hasMore {
            (seen, states) = ([], [])
            for loss in [SimulatedDisk.Loss.all, .nothing] {
                add(SimulatedDisk(crashedAt: moment, losing: loss, &random))
            }
            for _ in 0..<max(0, stateLimit - 2) {
                add(SimulatedDisk(crashedAt: moment, losing: .some, &random))
            }
        } else {
            moments.exhausted += 1
        }
        for state in states { try check(state, allowed: allowed) }
    }

    private mutating func check(_ disk: SimulatedDisk, allowed: [CrashStep.Values]) throws {
        counts.states += 1
        let found = try contents(disk)
        guard allowed.contains(found) else {
            throw Violation(description: "found \(shown(found)) and not \(allowed.map(shown))")
        }
        let step: CrashStep =
            Int.random(in: 0..<4, using: &random) == 0 && !found.isEmpty
            ? .rotate : .set("later", 4)
        let later = step.changed(found)
        disk.record()
        try step.run(vault(disk))
        let moments = disk.moments
        for index in Set([Int.random(in: moments.indices, using: &random), moments.count - 1]) {
            counts.seconds += 1
            let again = SimulatedDisk(crashedAt: moments[index], losing: .some, &random)
            let last = try contents(again)
            guard last == later || last == found && index < moments.count - 1 else {
                throw Violation(
                    description: "\(shown(found)), then \(step), crashed again: \(shown(last))")
            }
        }
    }

    private func vault(_ disk: SimulatedDisk) -> Vault {
        PowerLossTests.vault(disk, through: door(disk))
    }

    /// All values, as somebody finds them who opens the vault now.
    private func contents(_ disk: SimulatedDisk) throws -> CrashStep.Values {
        let vault = vault(disk)
        let listing = try vault.list()
        guard listing.damaged.isEmpty else { throw Violation(description: "an entry is damaged") }
        var values: CrashStep.Values = [:]
        for entry in listing.entries { values[entry.key] = try vault.get(entry.key) }
        return values
    }

    private func shown(_ values: CrashStep.Values) -> String {
        "\(values.mapValues { "\($0.prefix(4))×\($0.count)" }.sorted { $0.key < $1.key })"
    }
}
