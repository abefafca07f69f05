import SimulatedDisk
import StrongroomStores
import StrongroomSystem
import Testing

/// The machine loses power between any two calls, on a disk that forgets whatever was not synced: what was
/// acknowledged is there, and what was under way is whole or absent.
struct CrashTests {
    private static let kinds: [StoreKind] = [.plainArea, .vault, .log, .sealedLog]
    private static let place: Path = "/state/app/store"
    /// What is tried at each moment.
    private static let losses: [SimulatedDisk.Loss] = [.all, .nothing, .some, .some]

    /// A store with ``FaultTests/start``, durable.
    private static func start(_ kind: StoreKind, on disk: SimulatedDisk) throws -> any Store {
        let store = try kind.makeAny(at: place, fileSystem: disk)
        for (name, value) in FaultTests.start.sorted(by: { $0.key < $1.key }) {
            try store.put(value, name)
        }
        return store
    }

    /// Checks what the next process finds after a crash, that it can go on, and that this lasts as well.
    private static func check(
        _ kind: StoreKind, _ disk: SimulatedDisk, _ allowed: [[String: String]],
        _ random: inout SplitMix, _ comment: Comment
    ) throws {
        let store = try kind.openAny(at: place, fileSystem: disk)
        var contents = try store.contents()
        #expect(allowed.contains(contents), "\(comment): \(contents)")
        try store.sweepAny()
        try store.put("next", "next")
        contents["next"] = "next"
        #expect(try store.contents() == contents, comment)
        let loss = losses[Int.random(in: 0..<losses.count, using: &random)]
        let again = SimulatedDisk(crashedAt: disk.now, losing: loss, &random)
        #expect(try kind.openAny(at: place, fileSystem: again).contents() == contents, comment)
    }

    @Test(arguments: kinds, FaultTests.Step.allCases)
    func `power may be lost between any two calls`(
        kind: StoreKind, step: FaultTests.Step
    ) throws {
        let disk = SimulatedDisk()
        let store = try Self.start(kind, on: disk)
        disk.record()
        try step.run(on: store, kind)
        let moments = disk.moments
        #expect(moments.count >= 3)
        var random = SplitMix(state: 1)
        for (index, moment) in moments.enumerated() {
            // The last call is no part of the commit: it only says that nobody writes now.
            let isDone = index >= moments.count - 1
            let allowed = isDone ? [step.result] : [FaultTests.start, step.result]
            for loss in Self.losses {
                let after = SimulatedDisk(crashedAt: moment, losing: loss, &random)
                try Self.check(kind, after, allowed, &random, "\(kind) \(step) call \(index)")
            }
        }
    }

    @Test(arguments: kinds, FaultTests.Step.allCases)
    func `a writer is killed, another goes on, and then power is lost`(
        kind: StoreKind, step: FaultTests.Step
    ) throws {
        var random = SplitMix(state: 2)
        var call = 0
        var hasFailed = true
        while hasFailed {
            call += 1
            let disk = SimulatedDisk()
            // This one knows the folders, and that their names are durable.
            let survivor = try Self.start(kind, on: disk)
            let faulty = FaultyFileSystem(.killed, on: disk)
            do {
                // Its files are closed with it.
                let victim = try kind.openAny(at: Self.place, fileSystem: faulty)
                faulty.arm(at: call)
                try step.run(on: victim, kind)
            } catch {
                // It was killed.
            }
            hasFailed = faulty.hasFailed
            var contents = try survivor.contents()
            #expect(contents == FaultTests.start || contents == step.result)
            if kind == .vault && step == .rewrite {
                // Another one sweeps first.
                let swept = SimulatedDisk(goingOnFrom: disk.now)
                swept.record()
                try kind.open(at: Self.place, fileSystem: swept).sweepLeftovers()
                for moment in swept.moments {
                    for loss in Self.losses {
                        let after = SimulatedDisk(crashedAt: moment, losing: loss, &random)
                        try Self.check(
                            kind, after, [FaultTests.start, step.result], &random,
                            "killed at \(call), swept")
                    }
                }
            }
            // The first is removed by some of the steps, in a folder that the survivor knows.
            let isLog = StoreKind.logs.contains(kind)
            for name in ["deep/d", "m/e/x", "c2"].prefix(isLog ? 1 : 3) {
                do {
                    try survivor.put("survived", name)
                } catch StoreError.ownerChanged {
                    // A log was renamed and not published: who knew the old one is told when he writes.
                    try survivor.put("survived", name)
                }
                contents[name] = "survived"
                // What a log's writer left whole behind the end is adopted by the next one.
                var adopted = step.result
                adopted[name] = "survived"
                if isLog, try survivor.contents() == adopted { contents = adopted }
                #expect(try survivor.contents() == contents)
                let losses = name == "deep/d" ? Self.losses : [.all]
                for loss in losses {
                    let after = SimulatedDisk(crashedAt: disk.now, losing: loss, &random)
                    try Self.check(
                        kind, after, [contents], &random, "\(kind) \(step) killed at \(call)")
                }
            }
        }
        #expect(call > 20)
    }

    @Test func `a folder that others removed and made again is made to last again`() throws {
        let kind = StoreKind.plainArea
        var random = SplitMix(state: 5)
        var call = 0
        var hasFailed = true
        while hasFailed {
            call += 1
            let disk = SimulatedDisk()
            let survivor = try kind.make(at: Self.place, fileSystem: disk)
            try survivor.put("1", "n/e/first")
            try kind.open(at: Self.place, fileSystem: disk).remove("n/e/first")
            // The folders that are made now may have the numbers of those that the survivor knows.
            let faulty = FaultyFileSystem(.killed, on: disk)
            let victim = try kind.open(at: Self.place, fileSystem: faulty)
            faulty.arm(at: call)
            do {
                try victim.put("2", "n/e/second")
            } catch {
                // It was killed.
            }
            hasFailed = faulty.hasFailed
            try survivor.put("3", "n/e/third")
            let contents = try survivor.contents()
            for loss in Self.losses {
                let after = SimulatedDisk(crashedAt: disk.now, losing: loss, &random)
                try Self.check(kind, after, [contents], &random, "killed at \(call)")
            }
        }
    }

    @Test(arguments: kinds)
    func `two writers take turns through many steps, and every one lasts`(kind: StoreKind) throws {
        let disk = SimulatedDisk()
        let first = try kind.makeAny(at: Self.place, fileSystem: disk)
        let second = try kind.openAny(at: Self.place, fileSystem: disk)
        var random = SplitMix(state: 3)
        var contents: [String: String] = [:]
        let names = ["a", "a/b", "a/b/c", "d/e", "d/f/g", "h", "i/j"]
        for round in 0..<60 {
            let store = Bool.random(using: &random) ? first : second
            var changes: [StoreChange] = []
            var wanted = contents
            for _ in 0...Int.random(in: 0...3, using: &random) {
                let name = names[Int.random(in: 0..<names.count, using: &random)]
                if Bool.random(using: &random) {
                    changes.append(.put(EntryID(name), .bytes(Array("\(round)".utf8))))
                    wanted[name] = "\(round)"
                } else {
                    changes.append(.remove(EntryID(name)))
                    wanted[name] = nil
                }
            }
            disk.record()
            do {
                try store.commit(changes, if: [:], owner: kind.owner)
            } catch {
                guard case .conflict = error else { throw error }
                wanted = contents
            }
            for moment in disk.moments {
                let loss = Self.losses[Int.random(in: 0..<4, using: &random)]
                let after = SimulatedDisk(crashedAt: moment, losing: loss, &random)
                try Self.check(kind, after, [contents, wanted], &random, "round \(round)")
            }
            contents = wanted
            let after = SimulatedDisk(crashedAt: disk.now, losing: .all, &random)
            try Self.check(kind, after, [contents], &random, "after round \(round)")
            #expect(try store.contents() == contents)
        }
    }

    @Test(arguments: kinds)
    func `a store that was made lasts`(kind: StoreKind) throws {
        let disk = SimulatedDisk()
        disk.record()
        let store = try kind.makeAny(at: Self.place, fileSystem: disk)
        if kind == .plainArea { try store.put("first", "first") }
        let moments = disk.moments
        var random = SplitMix(state: 4)
        for (index, moment) in moments.enumerated() {
            for loss in Self.losses {
                let after = SimulatedDisk(crashedAt: moment, losing: loss, &random)
                let isDone = index >= moments.count - 1
                let isThere = try kind.isThere(at: Self.place, after)
                #expect(isThere || !isDone || kind == .plainArea)
                let again =
                    try isThere
                    ? kind.openAny(at: Self.place, fileSystem: after)
                    : kind.makeAny(at: Self.place, fileSystem: after)
                let contents = try again.contents()
                #expect(
                    contents == [:] && (kind != .plainArea || !isDone)
                        || contents == ["first": "first"] && kind == .plainArea)
                try again.put("next", "next")
            }
        }
    }
}

extension StoreKind {
    /// An empty store in a directory.
    func makeAny(at path: Path, fileSystem: any FileSystem) throws -> any Store {
        guard Self.logs.contains(self) else { return try make(at: path, fileSystem: fileSystem) }
        let log = try LogStore.create(
            at: path, owner: OwnerID(Array("owner  1".utf8)), keys: TestLogKeys(),
            isSealed: self == .sealedLog, fileSystem: fileSystem)
        return self == .log ? log : SealedShape(log: log)
    }

    /// The store in a directory.
    func openAny(at path: Path, fileSystem: any FileSystem) throws -> any Store {
        guard Self.logs.contains(self) else { return try open(at: path, fileSystem: fileSystem) }
        let log = try LogStore.open(at: path, keys: TestLogKeys(), fileSystem: fileSystem)
        return self == .log ? log : SealedShape(log: log)
    }

    /// True if one was made there.
    fileprivate func isThere(at path: Path, _ disk: SimulatedDisk) throws -> Bool {
        if Self.logs.contains(self) { return try LogStore.exists(at: path, fileSystem: disk) }
        return try self != .vault
            || DirectoryStore.exists(
                vaultAt: path, fileSystem: disk, idByteCounts: Self.idByteCounts)
    }
}

extension Store {
    /// The log below, if it is one.
    var logBelow: LogStore? {
        if let shape = self as? SealedShape { return shape.log }
        return self as? LogStore
    }

    /// Removes what killed writers left, where a store has such.
    fileprivate func sweepAny() throws {
        try logBelow?.sweepLeftovers()
        if let directory = self as? DirectoryStore, try directory.owner() != nil {
            try directory.sweepLeftovers()
        }
    }
}
