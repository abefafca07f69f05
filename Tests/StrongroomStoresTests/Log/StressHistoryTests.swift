import Testing

/// The checker of long runs finds what it is for, and nothing where all is well.
struct StressHistoryTests {
    struct Story: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let isWrong: Bool
        let tell: @Sendable (inout StressHistory) -> Void

        init(_ name: String, wrong: Bool, _ tell: @escaping @Sendable (inout StressHistory) -> Void)
        {
            testDescription = name
            isWrong = wrong
            self.tell = tell
        }
    }

    /// Key 1 gets value 1 from 10 to 20, and value 2 from 30 to 40.
    private static func two(_ history: inout StressHistory) {
        history.begin(1, puts: [1], at: 10)
        history.end(1, at: 20)
        history.begin(2, puts: [1], at: 30)
        history.end(2, at: 40)
    }

    private static func read(
        _ history: inout StressHistory, _ key: Int, _ number: UInt64, _ start: Int64, _ end: Int64
    ) {
        history.reads.append(.init(key: key, number: number, start: start, end: end))
    }

    static let stories: [Story] = [
        Story("reads in order", wrong: false) {
            two(&$0)
            read(&$0, 1, 0, 1, 5)
            read(&$0, 1, 1, 21, 25)
            read(&$0, 1, 1, 31, 35)
            read(&$0, 1, 2, 36, 50)
        },
        Story("an old value", wrong: true) {
            two(&$0)
            read(&$0, 1, 1, 41, 45)
        },
        Story("a value that goes back", wrong: true) {
            two(&$0)
            read(&$0, 1, 2, 31, 33)
            read(&$0, 1, 1, 34, 36)
        },
        Story("a value before it was put", wrong: true) {
            two(&$0)
            read(&$0, 1, 2, 21, 25)
        },
        Story("a lost value", wrong: true) {
            two(&$0)
            read(&$0, 1, 0, 41, 45)
        },
        Story("a value that failed", wrong: true) {
            two(&$0)
            $0.begin(3, puts: [1], at: 50)
            $0.fail(3)
            read(&$0, 1, 3, 61, 65)
        },
        Story("a value of nobody", wrong: true) { read(&$0, 1, 9, 1, 2) },
        Story("a change that nobody knows of and nobody sees", wrong: false) {
            two(&$0)
            $0.begin(3, puts: [1], at: 50)
            read(&$0, 1, 2, 61, 65)
        },
        Story("a change that nobody knows of, seen and gone", wrong: true) {
            two(&$0)
            $0.begin(3, puts: [1], at: 50)
            read(&$0, 1, 3, 61, 65)
            read(&$0, 1, 2, 66, 70)
        },
        Story("a removed value that comes back", wrong: true) {
            two(&$0)
            $0.begin(3, removes: [1], at: 50)
            $0.end(3, at: 60)
            read(&$0, 1, 2, 61, 65)
        },
        Story("a removed value", wrong: false) {
            two(&$0)
            $0.begin(3, removes: [1], at: 50)
            $0.end(3, at: 60)
            read(&$0, 1, 0, 61, 65)
            $0.listings.append(.init(key: 1, isPresent: false, start: 66, end: 70))
        },
        Story("a removed value that is listed", wrong: true) {
            two(&$0)
            $0.begin(3, removes: [1], at: 50)
            $0.end(3, at: 60)
            $0.listings.append(.init(key: 1, isPresent: true, start: 66, end: 70))
        },
        Story("a value that is not listed", wrong: true) {
            two(&$0)
            $0.listings.append(.init(key: 1, isPresent: false, start: 66, end: 70))
        },
        Story("half of a commit", wrong: true) {
            two(&$0)
            $0.begin(3, puts: [1, 2], at: 50)
            $0.end(3, at: 90)
            $0.begin(4, puts: [2], at: 42)
            $0.end(4, at: 44)
            read(&$0, 2, 3, 60, 62)
            read(&$0, 1, 2, 64, 66)
        },
        Story("a commit seen while it is made", wrong: false) {
            two(&$0)
            $0.begin(3, puts: [1, 2], at: 50)
            $0.end(3, at: 90)
            read(&$0, 1, 2, 56, 58)
            read(&$0, 2, 3, 60, 62)
            read(&$0, 1, 3, 64, 66)
        },
        Story("two who replaced the same value", wrong: true) {
            two(&$0)
            $0.beginUpdate(3, 1, of: 2, at: 50)
            $0.end(3, at: 60)
            $0.beginUpdate(4, 1, of: 2, at: 50)
            $0.end(4, at: 60)
        },
        Story("an update of what was replaced before", wrong: true) {
            two(&$0)
            $0.beginUpdate(3, 1, of: 1, at: 50)
            $0.end(3, at: 60)
        },
        Story("updates of each other", wrong: false) {
            two(&$0)
            $0.beginUpdate(3, 1, of: 2, at: 50)
            $0.end(3, at: 60)
            $0.beginUpdate(4, 1, of: 3, at: 55)
            $0.end(4, at: 70)
            read(&$0, 1, 4, 71, 72)
        },
    ]

    @Test(arguments: stories) func `it tells what cannot be from what can`(story: Story) {
        var history = StressHistory()
        story.tell(&history)
        #expect(history.check().isEmpty != story.isWrong)
    }
}
