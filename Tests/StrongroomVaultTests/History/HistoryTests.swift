import Testing

/// The checker itself: it takes what can be and finds what cannot.
struct HistoryTests {
    /// A history written by hand: keys 0 and 1, absent at first; times as given.
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let isPossible: Bool
        let steps: [Step]

        var testDescription: String { name }
    }

    enum Step: Sendable {
        case put(UInt64, Int64, Int64, keys: [Int] = [0])
        case del(Int64, Int64, key: Int = 0)
        /// A put of key 1 and a removal of key 0.
        case move(UInt64, Int64, Int64)
        case update(UInt64, old: UInt64, Int64, Int64)
        case get(UInt64, Int64, Int64, key: Int = 0)
        case present(Int64, Int64)
        case list([UInt64], Int64, Int64)
    }

    private static let never = Int64.max

    private static let possible: [(String, [Step])] = [
        ("nothing", []),
        ("a read of nothing", [.get(0, 1, 2)]),
        ("what was put", [.put(1, 1, 2), .get(1, 3, 4)]),
        ("old and new while it is put", [.put(1, 1, 9), .get(0, 2, 3), .get(1, 4, 5)]),
        (
            "two puts at once, in the order of their ends or the other",
            [.put(1, 1, 9), .put(2, 2, 8), .get(2, 10, 11), .get(2, 12, 13)]
        ),
        ("a put that ended first is replaced", [.put(1, 1, 5), .put(2, 2, 8), .get(2, 6, 7)]),
        (
            "an unknown put that took effect late",
            [.put(1, 1, never), .get(0, 9, 10), .get(1, 20, 21)]
        ),
        ("an unknown put that never did", [.put(1, 1, never), .get(0, 20, 21)]),
        (
            "an unknown removal explains an absence",
            [.put(1, 1, 2), .del(3, never), .get(1, 8, 9), .get(0, 10, 11)]
        ),
        (
            "two removals, a put between them",
            [.put(1, 1, 2), .del(3, 4), .put(2, 5, 6), .del(7, 8), .get(0, 9, 10)]
        ),
        ("updates in a row", [.put(1, 1, 2), .update(2, old: 1, 3, 4), .update(3, old: 2, 5, 6)]),
        (
            "an update at once with a put",
            [.update(2, old: 1, 1, 9), .put(1, 1, 9), .get(2, 10, 11)]
        ),
        (
            "one key after another, both new",
            [.put(1, 1, 9, keys: [0, 1]), .get(1, 2, 3), .get(1, 4, 5, key: 1)]
        ),
        (
            "one key after another, both old",
            [.put(1, 1, 9, keys: [0, 1]), .get(0, 2, 3), .get(0, 4, 5, key: 1)]
        ),
        ("a listing of both", [.put(1, 1, 9, keys: [0, 1]), .list([1, 1], 2, 3)]),
        ("a listing before both", [.put(1, 1, 9, keys: [0, 1]), .list([0, 0], 2, 3)]),
        ("something is there", [.put(1, 1, 2), .present(3, 4)]),
        (
            "a half that was replaced",
            [.put(1, 1, 9, keys: [0, 1]), .put(2, 1, 9), .list([2, 1], 10, 11)]
        ),
    ]

    private static let impossible: [(String, [Step])] = [
        ("a value that nobody put", [.get(7, 1, 2)]),
        ("a value that is put later", [.get(1, 1, 2), .put(1, 3, 4)]),
        ("a stale read", [.put(1, 1, 2), .put(2, 3, 4), .get(1, 5, 6)]),
        ("a stale absence", [.put(1, 1, 2), .get(0, 3, 4)]),
        ("a lost write", [.put(1, 1, 2), .put(2, 3, 4), .get(1, 8, 9), .get(1, 10, 11)]),
        (
            "new, then old, while it is put",
            [.put(1, 1, 2), .put(2, 3, 20), .get(2, 4, 5), .get(1, 6, 7)]
        ),
        ("new, then absent, while it is put", [.put(1, 1, 20), .get(1, 4, 5), .get(0, 6, 7)]),
        ("an unknown put that came and went", [.put(1, 1, never), .get(1, 4, 5), .get(0, 6, 7)]),
        ("a resurrection", [.put(1, 1, 2), .del(3, 4), .get(1, 5, 6)]),
        ("a removal that did nothing", [.put(1, 1, 2), .del(3, 4), .present(5, 6)]),
        (
            "one unknown removal for two absences",
            [
                .put(1, 1, 2), .del(3, never), .get(0, 4, 5), .put(2, 6, 7), .get(2, 8, 9),
                .get(0, 10, 11),
            ]
        ),
        ("a lost update", [.put(1, 1, 2), .update(2, old: 1, 3, 9), .update(3, old: 1, 3, 9)]),
        (
            "an update of what was replaced",
            [.put(1, 1, 2), .put(2, 3, 4), .update(3, old: 1, 5, 6)]
        ),
        ("an update of a value that nobody put", [.update(3, old: 1, 5, 6)]),
        (
            "two reads in two orders",
            [
                .put(1, 1, 20), .put(2, 1, 20), .get(1, 3, 4), .get(2, 5, 6), .get(1, 7, 8),
            ]
        ),
        (
            "half a commit, then the other",
            [
                .put(1, 1, 20, keys: [0, 1]), .get(1, 2, 3), .get(0, 4, 5, key: 1),
            ]
        ),
        (
            "half a commit of unknown outcome",
            [
                .put(1, 1, never, keys: [0, 1]), .get(1, 2, 3), .get(0, 4, 5, key: 1),
            ]
        ),
        (
            "a move that put and did not remove",
            [
                .put(1, 1, 2), .move(2, 3, never), .get(2, 5, 6, key: 1), .get(1, 7, 8),
            ]
        ),
        ("a listing of half a commit", [.put(1, 1, 9, keys: [0, 1]), .list([1, 0], 2, 3)]),
        (
            "a listing of half a commit over old values",
            [
                .put(1, 1, 2, keys: [0, 1]), .put(2, 3, 9, keys: [0, 1]), .list([1, 2], 4, 5),
            ]
        ),
        (
            "commits in one order here and in the other there",
            [
                .put(1, 1, 20, keys: [0, 1]), .put(2, 1, 20, keys: [0, 1]), .get(1, 2, 3),
                .get(2, 4, 5), .get(2, 2, 3, key: 1), .get(1, 4, 5, key: 1),
            ]
        ),
    ]

    static let cases =
        possible.map { Case(name: $0.0, isPossible: true, steps: $0.1) }
        + impossible.map { Case(name: $0.0, isPossible: false, steps: $0.1) }

    @Test(arguments: cases) func `what can be is told from what cannot`(_ one: Case) {
        let history = Self.history(one.steps)
        let violations = history.check()
        #expect(violations.isEmpty == one.isPossible, "\(violations)")
    }

    private static func history(_ steps: [Step]) -> History {
        var history = History(initial: [0, 0])
        for (index, step) in steps.enumerated() {
            switch step {
            case .put(let number, let start, let end, let keys):
                history.commits.append(
                    .init(
                        number: number, start: start, end: end, writes: keys.map { .init(key: $0) })
                )
            case .del(let start, let end, let key):
                history.commits.append(
                    .init(
                        number: UInt64(1000 + index), start: start, end: end,
                        writes: [.init(key: key, isRemoval: true)]))
            case .move(let number, let start, let end):
                history.commits.append(
                    .init(
                        number: number, start: start, end: end,
                        writes: [.init(key: 1), .init(key: 0, isRemoval: true)]))
            case .update(let number, let old, let start, let end):
                history.commits.append(
                    .init(number: number, start: start, end: end, writes: [.init(key: 0, old: old)])
                )
            case .get(let number, let start, let end, let key):
                history.reads.append(
                    .init(key: key, found: .number(number), start: start, end: end))
            case .present(let start, let end):
                history.reads.append(.init(key: 0, found: .anything, start: start, end: end))
            case .list(let numbers, let start, let end):
                history.snapshots.append(.init(start: start, end: end, numbers: numbers))
            }
        }
        return history
    }
}
