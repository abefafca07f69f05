import SimulatedDisk
import StrongroomSystem
import Testing

@testable import StrongroomStores

/// Power is lost, or a process is killed, at any call of what a log does besides commits.
///
/// It compacts, writes its index, gives up what was lost, is made anew; what stands in it stays the same.
struct LogCrashTests {
    private static let place: Path = "/state/app/store"
    private static let losses: [SimulatedDisk.Loss] = [.all, .nothing, .some, .some]

    /// What is done to a log that holds ``contents`` and garbage.
    enum Work: CaseIterable, Sendable {
        case compact, writeIndex, dropLost, syncState

        func run(_ log: LogStore) throws {
            switch self {
            case .compact: try log.compact()
            case .writeIndex: try log.writeIndex(try log.look { (view) throws(StoreError) in view })
            case .dropLost: try log.dropLost()
            case .syncState: try log.syncState()
            }
        }
    }

    // The index takes ids of 20 bytes, such as a vault's are.
    private static let contents = [id("a"): "3", id("b"): "1", id("c"): "4"]

    private static func id(_ name: String) -> String { name + String(repeating: "-", count: 19) }

    /// A log with what is there, and with what is there no more.
    private static func start(_ kind: StoreKind, _ disk: SimulatedDisk) throws -> LogStore {
        let store = try kind.makeAny(at: place, fileSystem: disk)
        try store.put("1", id("a"))
        try store.put("1", id("b"))
        try store.put("2", id("a"))
        try store.put("2", id("d"))
        try store.remove(id("d"))
        try store.put("3", id("a"))
        try store.put("4", id("c"))
        return try #require(store.logBelow)
    }

    private static func check(
        _ kind: StoreKind, _ disk: SimulatedDisk, _ random: inout SplitMix, _ comment: Comment
    ) throws {
        let store = try kind.openAny(at: place, fileSystem: disk)
        #expect(try store.contents() == contents, comment)
        try store.put("next", id("n"))
        try store.logBelow?.compact()
        var expected = contents
        expected[id("n")] = "next"
        let loss = losses[Int.random(in: 0..<losses.count, using: &random)]
        let again = SimulatedDisk(crashedAt: disk.now, losing: loss, &random)
        #expect(try kind.openAny(at: place, fileSystem: again).contents() == expected, comment)
    }

    @Test(arguments: StoreKind.logs, Work.allCases)
    func `power may be lost at any call`(kind: StoreKind, work: Work) throws {
        let disk = SimulatedDisk()
        let log = try Self.start(kind, disk)
        disk.record()
        try work.run(log)
        let moments = disk.moments
        #expect(!moments.isEmpty)
        var random = SplitMix(state: 1)
        for (index, moment) in moments.enumerated() {
            for loss in Self.losses {
                let after = SimulatedDisk(crashedAt: moment, losing: loss, &random)
                try Self.check(kind, after, &random, "\(kind) \(work) call \(index)")
            }
        }
    }

    @Test(arguments: StoreKind.logs, Work.allCases)
    func `who does it may be killed at any call, and another goes on`(
        kind: StoreKind, work: Work
    ) throws {
        var random = SplitMix(state: 2)
        var call = 0
        var hasFailed = true
        while hasFailed {
            call += 1
            let disk = SimulatedDisk()
            let survivor = try Self.start(kind, disk)
            let faulty = FaultyFileSystem(.killed, on: disk)
            do {
                // Its files are closed with it.
                let victim = try kind.openAny(at: Self.place, fileSystem: faulty)
                faulty.arm(at: call)
                if let log = victim.logBelow { try work.run(log) }
            } catch {
                // It was killed.
            }
            hasFailed = faulty.hasFailed
            let comment: Comment = "\(kind) \(work) killed at \(call)"
            #expect(try survivor.names() == Self.contents.keys.sorted(), comment)
            for loss in Self.losses {
                let after = SimulatedDisk(crashedAt: disk.now, losing: loss, &random)
                try Self.check(kind, after, &random, comment)
            }
            // Or it goes on at once, and then power is lost.
            try Self.check(kind, disk, &random, comment)
            #expect(try survivor.names() == (Self.contents.keys + [Self.id("n")]).sorted(), comment)
        }
        #expect(call > 3)
    }

    @Test(arguments: StoreKind.logs)
    func `an empty log that is made anew is whole at any call`(kind: StoreKind) throws {
        let disk = SimulatedDisk()
        _ = try kind.makeAny(at: Self.place, fileSystem: disk)
        disk.record()
        let second = try kind.makeAny(at: Self.place, fileSystem: disk)
        var random = SplitMix(state: 3)
        for moment in disk.moments {
            for loss in Self.losses {
                let after = SimulatedDisk(crashedAt: moment, losing: loss, &random)
                let store = try kind.openAny(at: Self.place, fileSystem: after)
                #expect(try store.names() == [])
                try store.put("next", "next")
                let again = SimulatedDisk(crashedAt: after.now, losing: .all, &random)
                let last = try kind.openAny(at: Self.place, fileSystem: again)
                #expect(try last.contents() == ["next": "next"])
            }
        }
        #expect(try second.names() == [])
    }

    @Test(arguments: StoreKind.logs)
    func `a log whose index is not what was written is compacted all the same`(
        kind: StoreKind
    ) throws {
        let disk = SimulatedDisk()
        try Self.start(kind, disk).compact()
        let directory = try OpenFile.open(Self.place, [.read, .directory], fileSystem: disk)
        let index = try directory.openFile(LogName.index, [.read, .write])
        // In a row, which is looked at when it is wanted.
        let offset = try index.status().byteCount - 1
        let bytes = try index.read(at: offset, count: 1).map { $0 ^ 1 }
        try index.write(bytes.span, at: offset)
        let store = try kind.openAny(at: Self.place, fileSystem: disk)
        try store.logBelow?.compact()
        #expect(try store.contents() == Self.contents)
    }

    /// A copy of a log fits no hint, so it is scanned; its bytes may be less durable than its name.
    private static func readCopy(omitting rule: LogRule?) throws -> [String: String]? {
        let disk = SimulatedDisk()
        let store = try StoreKind.log.makeAny(at: place, fileSystem: disk)
        try store.put("1", "a")
        let directory = try OpenFile.open(place, [.read, .directory], fileSystem: disk)
        let bytes = try directory.openFile(LogName.log, [.read]).readAll(limit: 1 << 20)
        let copy = try directory.openFile("copy", [.write, .create])
        try copy.write(bytes.span, at: 0)
        try directory.rename("copy", to: LogName.log)
        try directory.sync()
        var fileSystem: any FileSystem = disk
        if let rule {
            fileSystem = OmittingFileSystem(rule, on: disk, disk, place, .init())
        }
        let reader = try StoreKind.log.openAny(at: place, fileSystem: fileSystem)
        #expect(try reader.contents() == ["a": "1"])
        var random = SplitMix(state: 1)
        let after = SimulatedDisk(crashedAt: disk.now, losing: .all, &random)
        do {
            return try StoreKind.log.openAny(at: place, fileSystem: after).contents()
        } catch {
            guard case .storeDamaged? = error as? StoreError else { throw error }
            return nil
        }
    }

    @Test func `what was read of a copy lasts, as long as who scans syncs`() throws {
        #expect(try Self.readCopy(omitting: nil) == ["a": "1"])
        #expect(try Self.readCopy(omitting: .scanSync) == nil)
    }
}
