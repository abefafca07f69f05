import StrongroomStores
import StrongroomSystem
import Testing

/// Commits and rewrites that are written in pieces, while another thread makes what comes with them.
@Suite struct LogLargeCommitTests {
    private static let owner = OwnerID(Array("owner  1".utf8))
    private static let nextOwner = OwnerID(Array("owner  2".utf8))
    /// More than is written in one call.
    private static let count = 100
    private static let byteCount = 43_000

    private static func id(_ number: Int) -> EntryID { EntryID(Array("entry \(number)".utf8)) }

    private static func value(_ number: Int, _ round: UInt8) -> [UInt8] {
        [UInt8](repeating: UInt8(number), count: byteCount) + [round]
    }

    private static func batch(_ round: UInt8) -> [StoreChange] {
        (0..<count).map { .put(id($0), .bytes(value($0, round))) }
    }

    private static func open(
        _ temporary: TemporaryDirectory, _ fileSystem: any FileSystem = RealFileSystem()
    ) throws -> LogStore {
        try LogStore.open(
            at: temporary.path.appending("store"), keys: TestLogKeys(), compactsByItself: false,
            fileSystem: fileSystem)
    }

    /// The round that all entries are of.
    private static func round(of store: LogStore) throws -> UInt8? {
        var rounds: Set<UInt8> = []
        for number in 0..<count {
            let entry = try #require(try store.read(id(number)))
            let round = try #require(entry.bytes.last)
            #expect(entry.bytes == value(number, round))
            rounds.insert(round)
        }
        return rounds.count == 1 ? rounds.first : nil
    }

    private static func make(_ temporary: TemporaryDirectory) throws {
        let store = try LogStore.create(
            at: temporary.path.appending("store"), owner: owner, keys: TestLogKeys(),
            isSealed: false, fileSystem: RealFileSystem())
        try store.commit(batch(1), if: [:], owner: owner)
    }

    @Test(arguments: FaultyFileSystem.Fault.allCases)
    func `any call of a large commit may go wrong`(fault: FaultyFileSystem.Fault) throws {
        var call = 0
        var hasFailed = true
        while hasFailed {
            call += 1
            let temporary = try TemporaryDirectory(inMemory: true)
            try Self.make(temporary)
            let faulty = FaultyFileSystem(fault)
            var failure: StoreError?
            do throws(any Error) {
                let broken = try Self.open(temporary, faulty)
                faulty.arm(at: call)
                try broken.commit(Self.batch(2), if: [:], owner: Self.owner)
            } catch {
                failure = error as? StoreError
                #expect(failure != nil)
            }
            hasFailed = faulty.hasFailed
            let after = try Self.open(temporary)
            let found = try Self.round(of: after)
            let place: Comment = "\(fault) at call \(call): \(failure.debugDescription)"
            switch failure {
            case nil: #expect(found == 2, place)
            case .outcomeUnknown?: #expect(found == 1 || found == 2, place)
            default: #expect(found == 1 || fault == .killed && found == 2, place)
            }
            try after.commit(Self.batch(3), if: [:], owner: Self.owner)
            #expect(try Self.round(of: after) == 3, place)
            #expect(try after.verify().findings.isEmpty, place)
        }
        #expect(call > 5)
    }

    @Test func `a rewrite of many entries keeps all, and refuses two that become one`() throws {
        let temporary = try TemporaryDirectory(inMemory: true)
        try Self.make(temporary)
        let store = try Self.open(temporary)
        #expect(throws: StoreError.conflict(Self.id(7))) {
            try store.rewrite(owner: Self.nextOwner) { id, entry, _ in
                .keep(id == Self.id(70) ? Self.id(7) : id)
            }
        }
        #expect(try store.owner() == Self.owner)
        #expect(try Self.round(of: store) == 1)
        try store.rewrite(owner: Self.nextOwner) { id, entry, _ in
            var bytes = try entry.read(at: 0, count: Int(entry.byteCount))
            bytes[bytes.count - 1] = 9
            return .put(id, .bytes(bytes))
        }
        #expect(try store.owner() == Self.nextOwner)
        #expect(try Self.round(of: store) == 9)
        try store.compact()
        #expect(try Self.round(of: try Self.open(temporary)) == 9)
        #expect(try store.verify().findings.isEmpty)
    }
}
