/// The history of one key, tested for linearizability.
///
/// That is: there is an order of all that was done, each at an instant between its beginning and its end, in which
/// every read finds what the last change before it left.
///
/// The search of Wing and Gong as Lowe has it ("Testing for linearizability", 2017): through the beginnings and ends in
/// the order of time, with every state that the key can be in and what has taken effect by then; something is given
/// its place only when it has to have one, and reads as soon as they can. It is exact for one key.
struct KeyHistory {
    private enum Work {
        case read(History.Read.Found)
        case write(new: UInt64, old: UInt64?)
    }

    private struct Event {
        let time: Int64
        let isEnd: Bool
        let work: Int
    }

    /// A state that the key may be in.
    private struct State: Hashable {
        var number: UInt64
        /// What is under way and has taken effect, a bit for each slot.
        var done: UInt64 = 0
        /// Removals of unknown outcome that took effect.
        var spent = 0
    }

    /// How many states are looked at for one end before the search is given up.
    private static let limit = 200_000

    private let key: Int
    private let initial: UInt64
    private var works: [Work] = []
    private var events: [Event] = []
    /// Beginnings of removals of unknown outcome.
    private static let removal = -1

    /// Under way: slot and work.
    private var active: [(bit: UInt64, work: Int)] = []
    private var states: [State] = []
    private var removalCount = 0

    init(_ history: History, _ key: Int, _ windows: HistoryWindows) {
        self.key = key
        initial = history.initial[key]
        for read in history.reads where read.key == key {
            add(.read(read.found), read.start, read.end)
        }
        for snapshot in history.snapshots {
            add(.read(.number(snapshot.numbers[key])), snapshot.start, snapshot.end)
        }
        for (index, commit) in history.commits.enumerated() {
            for write in commit.writes where write.key == key {
                if windows.latest[index] < .max {
                    let new = write.isRemoval ? 0 : commit.number
                    add(
                        .write(new: new, old: write.old), windows.earliest[index],
                        windows.latest[index])
                } else if write.isRemoval {
                    events.append(
                        Event(
                            time: windows.earliest[index], isEnd: false, work: Self.removal))
                }
                // A value of unknown outcome that nobody saw may as well never have been there.
            }
        }
        events.sort { ($0.time, $0.isEnd ? 1 : 0) < ($1.time, $1.isEnd ? 1 : 0) }
    }

    private mutating func add(_ work: Work, _ start: Int64, _ end: Int64) {
        events.append(Event(time: start, isEnd: false, work: works.count))
        events.append(Event(time: end, isEnd: true, work: works.count))
        works.append(work)
    }

    /// What cannot be, or nil.
    func violation() -> String? {
        var search = self
        return search.run()
    }

    private mutating func run() -> String? {
        states = [State(number: initial)]
        for event in events {
            if event.work == Self.removal {
                removalCount += 1
            } else if event.isEnd {
                if let violation = end(event) { return violation }
            } else if !begin(event.work) {
                return "key \(key): too much at once to be searched at \(event.time)"
            }
        }
        return nil
    }

    private mutating func begin(_ work: Int) -> Bool {
        let used = active.reduce(0) { $0 | $1.bit }
        let bit: UInt64 = 1 << UInt64((~used).trailingZeroBitCount)
        guard bit != 0 else { return false }
        active.append((bit, work))
        if case .read(let found) = works[work] {
            for index in states.indices where found.matches(states[index].number) {
                states[index].done |= bit
            }
        }
        return true
    }

    private mutating func end(_ event: Event) -> String? {
        guard let slot = active.firstIndex(where: { $0.work == event.work }) else { return nil }
        let bit = active[slot].bit
        if !states.allSatisfy({ $0.done & bit != 0 }) {
            guard let found = searched(bit) else {
                return "key \(key): the search is given up at \(event.time)"
            }
            if found.isEmpty { return describe(event) }
            states = found
        }
        active.remove(at: slot)
        for index in states.indices { states[index].done &= ~bit }
        if states.count > 1 { states = Array(Set(states)) }
        return nil
    }

    /// The states in which that has taken effect.
    private func searched(_ bit: UInt64) -> [State]? {
        var found: [State] = []
        var seen: Set<State> = []
        var open = states
        while let state = open.popLast() {
            guard seen.insert(state).inserted else { continue }
            if seen.count > Self.limit { return nil }
            if state.done & bit != 0 {
                found.append(state)
                continue
            }
            for (other, work) in active where state.done & other == 0 {
                guard case .write(let new, let old) = works[work] else { continue }
                if let old, old != state.number { continue }
                open.append(after(state, new, other, 0))
            }
            if state.spent < removalCount, state.number != 0 {
                open.append(after(state, 0, 0, 1))
            }
        }
        return found
    }

    private func after(_ state: State, _ new: UInt64, _ bit: UInt64, _ spent: Int) -> State {
        var next = State(number: new, done: state.done | bit, spent: state.spent + spent)
        for (bit, work) in active {
            if case .read(let found) = works[work], found.matches(new) { next.done |= bit }
        }
        return next
    }

    private func describe(_ event: Event) -> String {
        let numbers = Set(states.map { $0.number }).sorted()
        return "key \(key): \(works[event.work]) that ended at \(event.time) has no place; "
            + "the key was at \(numbers.prefix(8)), under way: "
            + "\(active.map { works[$0.work] }), removals of unknown outcome: \(removalCount)"
    }
}
