@testable import StrongroomStores
import StrongroomSystem
import Testing

/// What is damaged says so: never an older value, never nil, and neighbours stay.
struct LogDamageTests {
    let temporary: TemporaryDirectory

    init() throws { temporary = try TemporaryDirectory(inMemory: true) }

    private static let values = ["a": "2", "b": "1", "d": "4"]
    private var lockPath: [Path] { ["store", "lock"] }

    /// A log of five commits: `a` set and replaced, `b` set, `c` set and removed, `d` set last.
    private func make(_ kind: StoreKind) throws {
        let store = try kind.make(in: temporary)
        try store.put("1", "a")
        try store.put("1", "b")
        try store.put("3", "c")
        try store.commit(
            [.put(EntryID("a"), .bytes(Array("2".utf8))), .remove(EntryID("c"))], if: [:],
            owner: kind.owner)
        try store.put("4", "d")
    }

    /// What another process is told.
    private func answers(_ kind: StoreKind) throws -> [String: Result<String?, StoreError>] {
        let store = try kind.reopen(in: temporary)
        var answers: [String: Result<String?, StoreError>] = [:]
        for name in ["a", "b", "c", "d", "never"] {
            do {
                answers[name] = .success(try store.text(name))
            } catch let error as StoreError {
                answers[name] = .failure(error)
            }
        }
        return answers
    }

    /// True if a result is right, or a typed error.
    private func isHonest(_ name: String, _ answer: Result<String?, StoreError>?) -> Bool {
        switch answer {
        case .success(let value): value == Self.values[name]
        case .failure(.damaged), .failure(.tampered), .failure(.storeDamaged): true
        default: false
        }
    }

    @Test(arguments: StoreKind.logs)
    func `a directory in the place of a file is damage`(
        kind: StoreKind
    ) throws {
        try make(kind)
        let folder = try temporary.folder(["store"])
        for name in [LogName.log, LogName.lock, LogName.gate] {
            try folder.rename(name, to: "moved")
            try folder.makeDirectory(name)
            let damage = StoreError.storeDamaged(
                path: folder.path.appending(name).description, what: StoreError.noFile)
            #expect(throws: damage) { try kind.reopen(in: temporary).put("5", "e") }
            if name != LogName.gate {
                #expect(throws: damage) { _ = try kind.reopen(in: temporary).text("a") }
            }
            try folder.removeDirectory(name)
            try folder.rename("moved", to: name)
        }
        #expect(try kind.reopen(in: temporary).text("a") == "2")
    }

    @Test(arguments: StoreKind.logs)
    func `whatever byte is changed, nobody gets a wrong, an older or no value`(
        kind: StoreKind
    ) throws {
        try make(kind)
        let bytes = try temporary.bytes("store", "log")
        let end = try kind.reopenLog(in: temporary).usageEnd()
        let file = try temporary.file(["store", "log"], [.write])
        var neighbours = 0
        for offset in 0..<Int(end) where offset < 160 || offset >= 4096 {
            for change in [UInt8(0x01), 0xFF] {
                let wrong = [bytes[offset] ^ change]
                try file.write(wrong.span, at: Int64(offset))
                do {
                    for (name, answer) in try answers(kind) {
                        #expect(isHonest(name, answer), "\(offset): \(name) is \(answer)")
                        if case .success = answer { neighbours += 1 }
                    }
                } catch {
                    Issue.record("\(offset): \(error)")
                }
                let right = [bytes[offset]]
                try file.write(right.span, at: Int64(offset))
            }
        }
        // One bit of a head is set right, and a payload harms nobody else.
        #expect(neighbours > Int(end - 4096) * 5)
        #expect(try kind.reopen(in: temporary).contents() == Self.values)
    }

    @Test(arguments: StoreKind.logs)
    func `a payload that is damaged is one entry's damage`(kind: StoreKind) throws {
        try make(kind)
        try flip("1", after: "b")
        let answers = try answers(kind)
        #expect(answers["b"] == .failure(.damaged(EntryID("b"))) || kind == .sealedLog)
        for name in ["a", "c", "d", "never"] {
            #expect(answers[name] == .success(Self.values[name]), "\(name)")
        }
        if kind == .sealedLog {
            let log = try kind.reopenLog(in: temporary)
            let version = try #require(try log.read(EntryID("b"))?.version)
            #expect(try log.isDamaged(EntryID("b"), version))
            let sound = try #require(try log.read(EntryID("d"))?.version)
            #expect(try !log.isDamaged(EntryID("d"), sound))
        }
        // Writing goes on, and what is set anew is sound.
        let store = try kind.reopen(in: temporary)
        try store.put("new", "b")
        #expect(try store.text("b") == "new")
    }

    /// Flips the last byte of the payload of the second commit.
    private func flip(_ value: String, after id: String) throws {
        let log = try StoreKind.log.reopenLog(in: temporary)
        let row = try #require(try log.row(EntryID(id)))
        let file = try temporary.file(["store", "log"], [.read, .write])
        let place = row.offset + row.byteCount - 1
        let old = try file.read(at: place, count: 1)
        let new = [old[0] ^ 0x55]
        try file.write(new.span, at: place)
    }

    /// Overwrites several bytes of the head of the commit with that number.
    private func breakHead(_ number: UInt64) throws {
        let log = try StoreKind.log.reopenLog(in: temporary)
        let offset = try #require(try log.offset(ofCommit: number))
        let file = try temporary.file(["store", "log"], [.write])
        let garbage: [UInt8] = [1, 2, 3, 4, 5]
        try file.write(garbage.span, at: offset + 30)
    }

    @Test(arguments: StoreKind.logs)
    func `behind a lost range what is not set since is damaged, and later puts settle`(
        kind: StoreKind
    ) throws {
        try make(kind)
        try breakHead(4)
        var answers = try answers(kind)
        for name in ["a", "b", "c", "never"] {
            #expect(answers[name] == .failure(.damaged(EntryID(name))), "\(name)")
        }
        #expect(answers["d"] == .success("4"))
        let store = try kind.reopen(in: temporary)
        #expect(throws: StoreError.self) { try store.ids() }
        try store.put("new", "a")
        try store.remove("c")
        answers = try self.answers(kind)
        #expect(answers["a"] == .success("new"))
        #expect(answers["c"] == .success(nil))
        #expect(answers["b"] == .failure(.damaged(EntryID("b"))))
        // Compaction carries it as it is, and so does the one after.
        for _ in 0..<2 {
            try kind.reopenLog(in: temporary).compact()
            answers = try self.answers(kind)
            #expect(answers["a"] == .success("new"))
            #expect(answers["d"] == .success("4"))
            #expect(answers["c"] == .success(nil))
            #expect(answers["b"] == .failure(.damaged(EntryID("b"))))
            #expect(answers["never"] == .failure(.damaged(EntryID("never"))))
        }
        try kind.reopenLog(in: temporary).dropLost()
        #expect(
            try kind.reopen(in: temporary).contents() == ["a": "new", "b": "1", "d": "4"])
    }

    @Test(arguments: StoreKind.logs)
    func `a newest commit whose head is destroyed is damage as long as a hint knows of it`(
        kind: StoreKind
    ) throws {
        try make(kind)
        try breakHead(5)
        for (name, answer) in try answers(kind) {
            #expect(answer == .failure(.damaged(EntryID(name))), "\(name)")
        }
        // One of another boot knows as much.
        try setBoot()
        for (name, answer) in try answers(kind) {
            #expect(answer == .failure(.damaged(EntryID(name))), "\(name)")
        }
        let store = try kind.reopen(in: temporary)
        try store.put("new", "b")
        let answers = try answers(kind)
        #expect(answers["b"] == .success("new"))
        #expect(answers["d"] == .failure(.damaged(EntryID("d"))))
    }

    /// Gives the hint another boot.
    private func setBoot() throws {
        let bytes = try temporary.bytes("store", "lock")
        let hint = try #require(try LogHint(decoding: bytes.span))
        let other = LogHint(
            boot: .zero, log: hint.log, inode: hint.inode, end: hint.end, sequence: hint.sequence)
        try temporary.write(try other.encoded(), to: "store", "lock")
    }

    @Test(arguments: StoreKind.logs)
    func `one bit of a head is set right, whichever it is`(kind: StoreKind) throws {
        try make(kind)
        let log = try kind.reopenLog(in: temporary)
        let offset = try #require(try log.offset(ofCommit: 4))
        let file = try temporary.file(["store", "log"], [.read, .write])
        for bit in 0..<(80 * 8) {
            let place = offset + Int64(bit / 8)
            let right = try file.read(at: place, count: 1)
            let wrong = [right[0] ^ 1 << UInt8(bit % 8)]
            try file.write(wrong.span, at: place)
            #expect(try kind.reopen(in: temporary).contents() == Self.values, "bit \(bit)")
            try file.write(right.span, at: place)
        }
    }

    @Test(arguments: StoreKind.logs)
    func `a torn tail is no damage, and a cut one is what the hint says`(kind: StoreKind) throws {
        try make(kind)
        let log = try kind.reopenLog(in: temporary)
        let end = try log.usageEnd()
        let last = try #require(try log.offset(ofCommit: 5))
        let bytes = try temporary.bytes("store", "log")
        // Half a commit behind the end, as a killed writer leaves it.
        let half = Array(bytes[Int(last)..<Int(last + 100)])
        let file = try temporary.file(["store", "log"], [.write])
        try file.write(half.span, at: end)
        #expect(try kind.reopen(in: temporary).contents() == Self.values)
        try kind.reopen(in: temporary).put("5", "e")
        #expect(try kind.reopen(in: temporary).text("e") == "5")
        // Cut before the end that the hint names: acknowledged commits are gone.
        try file.truncate(to: last)
        for (name, answer) in try answers(kind) {
            #expect(answer == .failure(.damaged(EntryID(name))), "\(name)")
        }
        // A copy without a hint cannot know; what is there is whole.
        try temporary.folder(["store"]).unlink("lock")
        let copy = try kind.reopen(in: temporary).contents()
        #expect(copy == ["a": "2", "b": "1"])
    }

    /// Removes have no payload that could be missing.
    @Test(arguments: StoreKind.logs)
    func `a newest commit that removes is found without a hint, and adopted behind one`(
        kind: StoreKind
    ) throws {
        try make(kind)
        let hint = try temporary.bytes("store", "lock")
        try kind.reopen(in: temporary).remove("d")
        // As a writer leaves it who is killed before he publishes.
        try temporary.write(hint, to: "store", "lock")
        try kind.reopen(in: temporary).put("1", "e")
        var store = try kind.reopen(in: temporary)
        #expect(try store.contents() == ["a": "2", "b": "1", "e": "1"])
        try store.remove("e")
        try temporary.folder(["store"]).unlink("lock")
        store = try kind.reopen(in: temporary)
        #expect(try store.contents() == ["a": "2", "b": "1"])
    }

    /// Somebody who knows the format, and so every sum, but no key.
    private struct ForgersKeys: LogKeys {
        func chainTag(of message: Span<UInt8>, owner: OwnerID) throws(StoreError) -> Bytes16 {
            .zero
        }
        func indexTag(of message: Span<UInt8>, owner: OwnerID) throws(StoreError) -> Bytes16 {
            .zero
        }
    }

    @Test(arguments: [false, true])
    func `a commit that was made without the key is tampering`(isHintThere: Bool) throws {
        try make(.log)
        let log = try StoreKind.log.reopenLog(in: temporary)
        let (block, position) = try log.look { (view) throws(StoreError) in
            (view.log.block, view.position)
        }
        let file = try temporary.file(["store", "log"], [.read, .write])
        var appender = LogAppender(file, block: block, keys: ForgersKeys(), after: position)
        let id = EntryID(Array("a".utf8))
        let forged = try appender.append(
            [try .put(id, .bytes(Array("forged".utf8)), block: block)], makesRoom: false)
        // Nor does one help that has the sum which the index names.
        let view = try log.look { (view) throws(StoreError) in view }
        var parser = LogParser(view.log, keys: TestLogKeys(), from: position)
        #expect(try parser.position(behind: forged.offset, sum: forged.head.sum) == nil)
        if !isHintThere { try temporary.folder(["store"]).unlink("lock") }
        let error = #expect(throws: StoreError.self) {
            // Behind the end that the hint tells it is nobody's value, and whoever writes looks at it.
            let store = try StoreKind.log.reopen(in: temporary)
            if isHintThere { #expect(try store.contents() == ["a": "2", "b": "1", "d": "4"]) }
            try store.put("1", "new")
        }
        guard case .tampered? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(arguments: StoreKind.logs)
    func `commits that were cut out or changed places are tampering`(kind: StoreKind) throws {
        try make(kind)
        let log = try kind.reopenLog(in: temporary)
        var offsets: [Int] = []
        for number in 1...5 as ClosedRange<UInt64> {
            offsets.append(Int(try #require(try log.offset(ofCommit: number))))
        }
        offsets.append(Int(try log.usageEnd()))
        let bytes = try temporary.bytes("store", "log")
        func piece(_ number: Int) -> [UInt8] { Array(bytes[offsets[number]..<offsets[number + 1]]) }
        let orders = [
            "cut out": [0, 1, 3, 4], "exchanged": [0, 2, 1, 3, 4], "twice": [0, 0, 1, 2],
        ]
        for (what, order) in orders {
            var changed = Array(bytes[..<4096])
            for number in order { changed += piece(number) }
            changed += [UInt8](repeating: 0, count: bytes.count - changed.count)
            let file = try temporary.file(["store", "log"], [.write])
            try file.write(changed.span, at: 0)
            do {
                for (name, answer) in try answers(kind) {
                    if case .success = answer { Issue.record("\(what): \(name) is \(answer)") }
                }
            } catch let error as StoreError {
                guard case .tampered = error else { throw error }
            }
        }
    }
}

extension LogStore {
    /// Where the log ends.
    func usageEnd() throws -> Int64 {
        try look { (view) throws(StoreError) in view.position.end }
    }

    /// Where an entry lies.
    func row(_ id: EntryID) throws -> LogRow? {
        try look { (view) throws(StoreError) -> LogRow? in
            guard case .row(let row) = try LogPlan.find(id, &view) else { return nil }
            return row
        }
    }

    /// Where a commit lies.
    func offset(ofCommit number: UInt64) throws -> Int64? {
        let view = try look { (view) throws(StoreError) in view }
        var parser = LogParser(
            view.log, keys: place.keys, from: try LogPosition.first(view.log.block, place.keys))
        try parser.follow()
        for case .commit(let commit) in parser.steps where commit.head.sequence == number {
            return commit.offset
        }
        return nil
    }
}
