@testable import StrongroomStores
import StrongroomSystem
import Testing

/// Whatever becomes of the bytes of a log, nobody is answered with what was, or with nothing for what is.
@Suite(.timeLimit(.minutes(20))) struct LogSweepTests {
    /// What tells the newest state from older ones.
    enum Witness: CaseIterable, Sendable {
        case hintAndAnchor, hint, anchor, none, index

        var hasHint: Bool { self == .hintAndAnchor || self == .hint || self == .index }
        var hasAnchor: Bool { self == .hintAndAnchor || self == .anchor }
    }

    private typealias Contents = [EntryID: [UInt8]]

    let temporary: TemporaryDirectory
    private let owner = OwnerID(Array("owner  1".utf8))
    private var path: Path { temporary.path.appending("store") }
    /// The log as it was left, without room behind its end.
    private var bytes: [UInt8] = []
    private var lock: [UInt8] = []
    private var index: [UInt8] = []
    private var point = LogPoint.none
    /// Where each commit begins, and where the last one ends.
    private var offsets: [Int] = []
    /// What was there before each commit, and after the last one.
    private var states: [Contents] = [[:]]

    private static func id(_ name: Character) -> EntryID {
        EntryID(Array(repeating: name.asciiValue ?? 0, count: LogRows.idByteCount))
    }

    private static let ids = "abcdeN".map { id($0) }
    /// `STRONGROOM_WHOLE=1` tries every bit, and writes after each.
    private static let isWhole = Environment.current.value("STRONGROOM_WHOLE") == "1"

    init() throws {
        temporary = try TemporaryDirectory(inMemory: true)
        let log = try LogStore.create(
            at: path, owner: owner, keys: TestLogKeys(), isSealed: true,
            fileSystem: RealFileSystem())
        let commits: [[(Character, String?)]] = [
            [("a", "first of a")], [("b", "of b"), ("c", "first of c")], [("a", "second of a")],
            [("c", nil)], [("d", "of d")], [("c", "second of c"), ("e", "")], [("b", nil)],
            [("a", "third of a"), ("e", nil)],
        ]
        let store = SealedShape(log: log)
        for commit in commits {
            var state = states[states.count - 1]
            var changes: [StoreChange] = []
            for (name, text) in commit {
                let value = text.map { Array($0.utf8) }
                state[Self.id(name)] = value
                if let value {
                    changes.append(.put(Self.id(name), .bytes(value)))
                } else {
                    changes.append(.remove(Self.id(name)))
                }
            }
            try store.commit(changes, if: [:], owner: owner)
            states.append(state)
            if states.count == 6 {
                try log.writeIndex(try log.look { (view) throws(StoreError) in view })
            }
        }
        for number in 1...UInt64(commits.count) {
            offsets.append(Int(try #require(try log.offset(ofCommit: number))))
        }
        offsets.append(Int(try log.usageEnd()))
        point = try log.point()
        bytes = Array(try temporary.bytes("store", "log")[..<offsets[commits.count]])
        lock = try temporary.bytes("store", "lock")
        index = try temporary.bytes("store", "index")
    }

    private func piece(_ number: Int) -> [UInt8] {
        Array(bytes[offsets[number]..<offsets[number + 1]])
    }

    private func open(_ witness: Witness) throws -> SealedShape {
        let anchor = FixedAnchor(witness.hasAnchor ? point : nil)
        return SealedShape(
            log: try LogStore.open(
                at: path, keys: TestLogKeys(), anchor: anchor, fileSystem: RealFileSystem()))
    }

    /// True if an error says what is wrong.
    private func isClear(_ error: any Error) -> Bool {
        switch error as? StoreError {
        case .damaged, .tampered, .storeDamaged, .rolledBack, .newerFormat: true
        default: false
        }
    }

    /// Opens the log of these bytes and reads every id.
    ///
    /// All answers are of one of the states that are `allowed`, or clear errors; then somebody writes, and that changes
    /// none.
    private func check(
        _ what: String, _ changed: [UInt8], _ witness: Witness, allowed: [Contents],
        writes: Bool = true
    ) throws {
        try temporary.write(changed, to: "store", "log")
        try temporary.write(witness.hasHint ? lock : [], to: "store", "lock")
        if witness == .index {
            try temporary.write(index, to: "store", "index")
        } else if try temporary.folder(["store"]).status(of: "index") != nil {
            try temporary.folder(["store"]).unlink("index")
        }
        let message = "\(what), \(witness)"
        guard try checkAnswers(message, witness, allowed), writes else { return }
        do {
            try open(witness).commit(
                [.put(Self.id("N"), .bytes([1]))], if: [:], owner: owner)
        } catch {
            #expect(isClear(error), "\(message): \(error)")
            return
        }
        do {
            // What was acknowledged is there, whatever else is lost.
            let value = try open(witness).read(Self.id("N"))?.bytes
            #expect(value == [1], "\(message), after a write")
        } catch {
            Issue.record("\(message), after a write: \(error)")
        }
        let after = allowed.map { $0.merging([Self.id("N"): [1]]) { $1 } }
        _ = try checkAnswers(message + ", after a write", witness, after)
    }

    private func checkAnswers(
        _ message: String, _ witness: Witness, _ allowed: [Contents]
    ) throws -> Bool {
        let store: SealedShape
        do {
            store = try open(witness)
        } catch {
            #expect(isClear(error), "\(message): \(error)")
            return false
        }
        var possible = allowed
        for id in Self.ids {
            do {
                let value = try store.read(id)?.bytes
                possible = possible.filter { $0[id] == value }
                #expect(!possible.isEmpty, "\(message): \(id) is \(String(describing: value))")
            } catch {
                #expect(isClear(error), "\(message): \(id): \(error)")
            }
        }
        do {
            let ids = try store.ids()
            let isPossible = possible.contains { $0.keys.sorted() == ids }
            #expect(isPossible, "\(message): \(ids)")
        } catch {
            #expect(isClear(error), "\(message): listing: \(error)")
        }
        return true
    }

    /// What may be answered where the commits from `number` on were changed.
    private func allowed(_ witness: Witness, fromCommit number: Int) -> [Contents] {
        let newest = states.count - 1
        guard witness == .none, number >= newest - 1 else { return [states[newest]] }
        // Nobody can tell the newest commit from one that was never acknowledged.
        return [states[newest], states[newest - 1]]
    }

    private func commit(at offset: Int) -> Int {
        (offsets.firstIndex { $0 > offset } ?? offsets.count) - 1
    }

    @Test(arguments: Witness.allCases)
    func `whatever bit is flipped`(witness: Witness) throws {
        let triesAll = Self.isWhole && (witness == .hintAndAnchor || witness == .none)
        for offset in bytes.indices where offset < 100 || offset >= LogBlock.byteCount - 4 {
            let masks: [UInt8] =
                triesAll ? (0..<8).map { 1 << $0 } : [offset % 2 == 0 ? 0x01 : 0x80]
            for mask in masks {
                var changed = bytes
                changed[offset] ^= mask
                let number = max(commit(at: offset), 0)
                try check(
                    "byte \(offset) ^ \(mask)", changed, witness,
                    allowed: allowed(witness, fromCommit: number),
                    writes: Self.isWhole || offset % 7 == 0)
            }
        }
    }

    @Test(arguments: Witness.allCases)
    func `wherever the log is cut off`(witness: Witness) throws {
        for count in 0...bytes.count where count < 97 || count >= LogBlock.byteCount - 8 {
            let number = offsets.lastIndex { $0 <= count } ?? 0
            var left = [states[number]]
            // Zeros behind a commit that are cut off are nothing.
            if number + 1 < offsets.count,
                bytes[count..<offsets[number + 1]].allSatisfy({ $0 == 0 })
            {
                left.append(states[number + 1])
            }
            try check(
                "\(count) bytes left", Array(bytes[..<count]), witness,
                allowed: witness == .none ? left : [states[states.count - 1]])
        }
    }

    @Test(arguments: Witness.allCases)
    func `whatever commit is left out, repeated, exchanged or overwritten`(
        witness: Witness
    ) throws {
        let all = Array(0..<(offsets.count - 1))
        let newest = states.count - 1
        for number in all {
            var order = all
            order.remove(at: number)
            let isLast = number == newest - 1
            try check(
                "without \(number)", assembled(order), witness,
                allowed: witness == .none && isLast ? [states[newest - 1]] : [states[newest]])
            for place in 0...all.count {
                order = all
                order.insert(number, at: place)
                try check(
                    "\(number) again at \(place)", assembled(order), witness,
                    allowed: [states[newest]])
            }
            for other in all where other != number {
                order = all
                order[number] = other
                try check(
                    "\(other) for \(number)", assembled(order), witness,
                    allowed: allowed(witness, fromCommit: number))
                order[other] = number
                try check(
                    "\(number) and \(other) exchanged", assembled(order), witness,
                    allowed: allowed(witness, fromCommit: min(number, other)))
            }
            for byteCount in [8, 40, 80] {
                var changed = bytes
                for index in 0..<byteCount { changed[offsets[number] + index] = UInt8(index) }
                try check(
                    "\(byteCount) bytes of \(number) lost", changed, witness,
                    allowed: allowed(witness, fromCommit: number))
            }
            var changed = bytes
            for index in offsets[number]..<offsets[number + 1] { changed[index] = 0 }
            try check(
                "zeros for \(number)", changed, witness,
                allowed: allowed(witness, fromCommit: number))
        }
    }

    private func assembled(_ order: [Int]) -> [UInt8] {
        var changed = Array(bytes[..<LogBlock.byteCount])
        for number in order { changed += piece(number) }
        return changed
    }
}
