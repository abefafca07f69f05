import StrongroomSystem

/// What a walk's processes asked for and were told, and whether it can all be true.
///
/// Each commit has a number, and an id of its own that is never removed, so that a state names the commits that led to
/// it. There is one history: states are nested, and what stands in one follows from its commits and their order, as far
/// as that is known: from states that were seen, and from what was acknowledged before something else began.
struct WalkHistory: Sendable {
    struct Commit: Sendable {
        /// The number of the commit as its value; nil where it removes.
        var changes: [String: Int?]
        /// True if it adds one to the counter.
        var counts: Bool
        var begun: Int
        var acknowledged: Int?
        var hasFailed = false
        /// The first state in which it was seen.
        var state: Int?
    }

    /// A state as one look found it.
    struct State: Sendable {
        var commits: Set<Int> = []
        var values: [String: Int] = [:]
        var count = 0
    }

    /// What a read must not be older than.
    struct Floor: Sendable {
        var commits: Set<Int> = []
    }

    private var commits: [Int: Commit] = [:]
    private var clock = 0
    private var stateCount = 0
    /// All that was seen in some state.
    private var seen: Set<Int> = []
    private(set) var violation: String?
    private(set) var readCount = 0
    /// False while hints of the past may be current: then reads may be old, but not wrong.
    let hasFloors: Bool

    init(hasFloors: Bool) { self.hasFloors = hasFloors }

    var acknowledgedCount: Int { commits.values.count { $0.acknowledged != nil } }

    mutating func fail(_ what: String) {
        if violation == nil { violation = what }
    }

    /// A commit is about to be made.
    mutating func begin(_ changes: [String: Int?], counts: Bool = false, number: Int) {
        clock += 1
        commits[number] = Commit(changes: changes, counts: counts, begun: clock)
    }

    mutating func acknowledge(_ number: Int) {
        clock += 1
        commits[number]?.acknowledged = clock
    }

    /// It was said to have failed: it must never be seen.
    mutating func refuse(_ number: Int) {
        clock += 1
        commits[number]?.hasFailed = true
        if seen.contains(number) { fail("commit \(number) failed and was seen") }
    }

    /// What everybody who begins to read now has to find.
    func floor(forLastRead isLast: Bool = false) -> Floor {
        guard hasFloors || isLast else { return Floor() }
        var floor = seen
        for (number, commit) in commits where commit.acknowledged != nil { floor.insert(number) }
        return Floor(commits: floor)
    }

    /// One look found all of this.
    mutating func see(_ state: State, _ floor: Floor) {
        clock += 1
        readCount += 1
        let missing = floor.commits.subtracting(state.commits).sorted()
        if !missing.isEmpty { fail("commits \(missing) are missing") }
        for number in state.commits.subtracting(seen).sorted() {
            guard let commit = commits[number] else { return fail("nobody made \(number)") }
            if commit.hasFailed { fail("commit \(number) failed and is there") }
        }
        if !state.commits.isSuperset(of: seen), !state.commits.isSubset(of: seen) {
            fail("two histories")
        }
        stateCount += 1
        for number in state.commits.subtracting(seen) { commits[number]?.state = stateCount }
        seen.formUnion(state.commits)
        var ids = Set(state.values.keys)
        for number in state.commits {
            ids.formUnion(commits[number]?.changes.keys.map { $0 } ?? [])
        }
        for id in ids.sorted() {
            let possible = values(of: id, after: state.commits)
            if !possible.contains(state.values[id]) {
                fail("\(id) is \(state.values[id].map(String.init) ?? "absent"), not \(possible)")
            }
        }
        let count = state.commits.count { commits[$0]?.counts ?? false }
        if state.count != count { fail("counted \(state.count), not \(count)") }
    }

    /// A read of one id found this; nil is absent.
    mutating func read(_ id: String, _ value: Int?, _ floor: Floor) {
        clock += 1
        readCount += 1
        var possible = values(of: id, after: floor.commits)
        for (number, commit) in commits where !floor.commits.contains(number) {
            if commit.hasFailed { continue }
            if let change = commit.changes[id] { possible.insert(change) }
        }
        if !possible.contains(value) {
            fail("\(id) was read as \(value.map(String.init) ?? "absent"), not \(possible)")
        }
    }

    /// A read of the counter.
    mutating func read(count: Int, _ floor: Floor) {
        clock += 1
        readCount += 1
        let least = floor.commits.count { commits[$0]?.counts ?? false }
        let most = commits.values.count { $0.counts && !$0.hasFailed }
        if count < least || count > most { fail("\(count) was read, not \(least) to \(most)") }
    }

    /// A list of ids names these commits.
    mutating func list(_ found: Set<Int>, _ floor: Floor) {
        clock += 1
        readCount += 1
        let missing = floor.commits.subtracting(found).sorted()
        if !missing.isEmpty { fail("commits \(missing) are not listed") }
        for number in found.sorted() where commits[number]?.hasFailed ?? true {
            fail("commit \(number) failed and is listed")
        }
    }

    /// What an id may be after commits: what those of them left of which none is known to come before another one.
    private func values(of id: String, after numbers: Set<Int>) -> Set<Int?> {
        let touching = numbers.compactMap { commits[$0] }.filter { $0.changes[id] != nil }
        var values: Set<Int?> = []
        for commit in touching where !touching.contains(where: { precedes(commit, $0) }) {
            if let value = commit.changes[id] { values.insert(value) }
        }
        return touching.isEmpty ? [nil] : values
    }

    private func precedes(_ first: Commit, _ second: Commit) -> Bool {
        let (one, other) = (first.state ?? .max, second.state ?? .max)
        if one != other { return one < other }
        guard let acknowledged = first.acknowledged else { return false }
        return acknowledged < second.begun
    }
}
