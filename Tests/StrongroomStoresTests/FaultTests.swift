import StrongroomStores
import StrongroomSystem
import Testing

/// Whatever call fails, or whenever a writer is killed: a commit is whole or absent, and what was acknowledged stays.
struct FaultTests {
    /// What is tried, on a store that holds `c`, `deep/r` and `deep/d`, each "old".
    enum Step: CaseIterable, Sendable {
        case set, setInNewFolders, replace, setStaged, delete, deleteLastOfFolder, commit, trade,
            tradeBack, rewrite

        /// Does it.
        func run(on store: any Store, _ kind: StoreKind) throws {
            func put(_ name: String) -> StoreChange {
                .put(EntryID(name), .bytes(Array("new".utf8)))
            }
            func remove(_ name: String) -> StoreChange { .remove(EntryID(name)) }
            var changes: [StoreChange] = []
            switch self {
            case .set: changes = [put("n")]
            case .setInNewFolders: changes = [put("n/e/w")]
            case .replace: changes = [put("deep/r")]
            case .setStaged:
                let staged = try store.stage()
                let bytes = Array("new".utf8)
                try staged.write(bytes.span, at: 0)
                changes = [.put(EntryID("deep/r"), .staged(staged))]
            case .delete: changes = [remove("deep/r")]
            case .deleteLastOfFolder: changes = [remove("only/o")]
            case .commit: changes = [put("c"), remove("deep/d"), put("n/e/w"), put("deep/n")]
            case .trade: changes = [remove("c"), put("c/d"), put("c/e/f")]
            case .tradeBack: changes = [remove("only/o"), put("only")]
            case .rewrite:
                return try store.rewrite(owner: kind.nextOwner) { id, entry, _ in
                    if id == EntryID("deep/d") { return .drop }
                    if id == EntryID("c") { return .keep(EntryID("kept")) }
                    return .put(id, .bytes(Array("new".utf8)))
                }
            }
            try store.commit(changes, if: [:], owner: kind.owner)
        }

        /// What is there once it is done.
        var result: [String: String] {
            var contents = FaultTests.start
            switch self {
            case .set: contents["n"] = "new"
            case .setInNewFolders: contents["n/e/w"] = "new"
            case .replace, .setStaged: contents["deep/r"] = "new"
            case .delete: contents["deep/r"] = nil
            case .deleteLastOfFolder: contents["only/o"] = nil
            case .commit:
                contents["c"] = "new"
                contents["deep/d"] = nil
                contents["n/e/w"] = "new"
                contents["deep/n"] = "new"
            case .trade:
                contents["c"] = nil
                contents["c/d"] = "new"
                contents["c/e/f"] = "new"
            case .tradeBack:
                contents["only/o"] = nil
                contents["only"] = "new"
            case .rewrite:
                contents = ["kept": "old", "deep/r": "new", "only/o": "new"]
            }
            return contents
        }
    }

    static let start = ["c": "old", "deep/r": "old", "deep/d": "old", "only/o": "old"]

    @Test(arguments: StoreKind.onDisk, Step.allCases)
    func `any call may fail for want of space`(kind: StoreKind, step: Step) throws {
        try Self.run(kind, step, .noSpace)
    }

    @Test(arguments: StoreKind.onDisk, Step.allCases)
    func `any call may fail`(kind: StoreKind, step: Step) throws {
        try Self.run(kind, step, .error)
    }

    @Test(arguments: StoreKind.onDisk, Step.allCases)
    func `any call may do its work and fail`(kind: StoreKind, step: Step) throws {
        try Self.run(kind, step, .errorAfterwards)
    }

    @Test(arguments: StoreKind.onDisk, Step.allCases)
    func `a writer may be killed before any call`(kind: StoreKind, step: Step) throws {
        try Self.run(kind, step, .killed)
    }

    /// Lets the first call go wrong, then the second, until none is left that does.
    private static func run(
        _ kind: StoreKind, _ step: Step, _ fault: FaultyFileSystem.Fault
    ) throws {
        var call = 0
        var hasFailed = true
        while hasFailed {
            call += 1
            hasFailed = try run(kind, step, fault, call)
        }
        // Fewer would mean that the files are not reached through the door.
        #expect(call > (fault == .noSpace ? 2 : 20))
    }

    private static func run(
        _ kind: StoreKind, _ step: Step, _ fault: FaultyFileSystem.Fault, _ call: Int
    ) throws -> Bool {
        let temporary = try TemporaryDirectory(inMemory: true)
        let store = try kind.make(in: temporary)
        for (name, value) in start.sorted(by: { $0.key < $1.key }) { try store.put(value, name) }

        let faulty = FaultyFileSystem(fault)
        var failure: (any Error)?
        do {
            let broken = try kind.reopen(in: temporary, fileSystem: faulty)
            faulty.arm(at: call)
            try step.run(on: broken, kind)
        } catch {
            failure = error
        }

        let after = try kind.reopen(in: temporary)
        let contents = try after.contents()
        let place: Comment = "\(kind) \(step) \(fault) at call \(call): \(failure.debugDescription)"
        if failure == nil {
            #expect(contents == step.result, place)
        } else if case .outcomeUnknown? = failure as? StoreError {
            #expect(contents == start || contents == step.result, place)
        } else if fault == .killed {
            #expect(contents == start || contents == step.result, place)
        } else {
            #expect(contents == start, place)
        }

        // The next writer finds a sound store and leaves nothing of the last one.
        try after.put("next", "next")
        var expected = contents
        expected["next"] = "next"
        #expect(try after.contents() == expected, place)
        #expect(try leftovers(kind, temporary) == [], place)
        return faulty.hasFailed
    }

    /// What lies in the store's directory beside entries, locks and empty folders.
    private static func leftovers(
        _ kind: StoreKind, _ temporary: TemporaryDirectory
    ) throws -> [String] {
        if StoreKind.logs.contains(kind) {
            try kind.reopenLog(in: temporary).sweepLeftovers()
            return try temporary.paths(below: "store").filter {
                !["lock", "gate", "log", "job", "index"].contains($0)
            }
        }
        let store = try kind.reopenDirectory(in: temporary)
        if kind == .vault { try store.sweepLeftovers() }
        let folder = kind == .vault ? "entries.\(try store.generation())/" : ""
        var expected: Set<String> =
            kind == .vault ? ["lock", "gate", "entries"] : ["%lock", "%gate"]
        for id in try store.ids() {
            if kind == .vault {
                expected.insert(folder + String(decoding: Base32.encode(id.bytes), as: UTF8.self))
            } else {
                expected.insert(String(decoding: id.bytes, as: UTF8.self))
            }
        }
        return try temporary.paths(below: "store").filter { path in
            !expected.contains(path) && !path.hasSuffix("/")
        }
    }
}
