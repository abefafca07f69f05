import SimulatedDisk
import StrongroomStores
import StrongroomSystem
import Testing

/// The machine loses power between any two calls, on a disk that forgets whatever was not synced: what was
/// acknowledged is there, and what was under way is whole or absent.
struct CrashTests {
    private static let kinds: [StoreKind] = [.plainArea, .vault]
    private static let place: Path = "/state/app/store"
    /// What is tried at each moment.
    private static let losses: [SimulatedDisk.Loss] = [.all, .nothing, .some, .some]

    /// A store with ``FaultTests/start``, durable.
    private static func start(_ kind: StoreKind, on disk: SimulatedDisk) throws -> DirectoryStore {
        let store = try kind.make(at: place, fileSystem: disk)
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
        let store = try kind.open(at: place, fileSystem: disk)
        var contents = try store.contents()
        #expect(allowed.contains(contents), "\(comment): \(contents)")
        if kind == .vault { try store.sweepLeftovers() }
        try store.put("next", "next")
        contents["next"] = "next"
        #expect(try store.contents() == contents, comment)
        let loss = losses[Int.random(in: 0..<losses.count, using: &random)]
        let again = SimulatedDisk(crashedAt: disk.now, losing: loss, &random)
        #expect(try kind.open(at: place, fileSystem: again).contents() == contents, comment)
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
        #expect(moments.count > 3)
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
            let victim = try kind.open(at: Self.place, fileSystem: faulty)
            faulty.arm(at: call)
            do {
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
            for name in ["deep/d", "m/e/x", "c2"] {
                try survivor.put("survived", name)
                contents[name] = "survived"
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
        let first = try kind.make(at: Self.place, fileSystem: disk)
        let second = try kind.open(at: Self.place, fileSystem: disk)
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

    @Test func `a store that was made lasts`() throws {
        for kind in Self.kinds {
            let disk = SimulatedDisk()
            disk.record()
            let store = try kind.make(at: Self.place, fileSystem: disk)
            if kind == .plainArea { try store.put("first", "first") }
            let moments = disk.moments
            var random = SplitMix(state: 4)
            for (index, moment) in moments.enumerated() {
                for loss in Self.losses {
                    let after = SimulatedDisk(crashedAt: moment, losing: loss, &random)
                    let again = try kind.makeIfAbsent(at: Self.place, after)
                    let contents = try again.contents()
                    let isDone = index >= moments.count - 1
                    #expect(
                        contents == [:] && (kind == .vault || !isDone)
                            || contents == ["first": "first"] && kind == .plainArea)
                    try again.put("next", "next")
                }
            }
        }
    }
}

extension StoreKind {
    /// The store in a directory, made if it is not there.
    fileprivate func makeIfAbsent(
        at path: Path, _ disk: SimulatedDisk
    ) throws -> DirectoryStore {
        guard self == .vault,
            try !DirectoryStore.exists(
                vaultAt: path, fileSystem: disk, idByteCounts: Self.idByteCounts)
        else {
            return try open(at: path, fileSystem: disk)
        }
        return try make(at: path, fileSystem: disk)
    }
}
