@testable import StrongroomStores
import StrongroomSystem
import Synchronization
import Testing

/// An older log is told from the newest by what was noted outside it (ARCHITECTURE, section 7).
struct LogAnchorTests {
    /// An anchor in memory.
    private final class Anchor: LogAnchor {
        struct State { var point: LogPoint?; var settled: [LogPoint] = [] }
        let state = Mutex(State())
        func point() throws(StoreError) -> LogPoint? { state.withLock { $0.point } }
        func note(_ point: LogPoint) { state.withLock { $0.point = point } }
        func settle(_ point: LogPoint) throws(StoreError) {
            state.withLock {
                $0.point = point
                $0.settled.append(point)
            }
        }
    }

    let temporary: TemporaryDirectory
    private let anchor = Anchor()
    private let owner = OwnerID(Array("owner  1".utf8))

    init() throws { temporary = try TemporaryDirectory(inMemory: true) }

    private func make() throws -> LogStore {
        try LogStore.create(
            at: temporary.path.appending("store"), owner: owner, keys: TestLogKeys(),
            anchor: anchor, isSealed: false, fileSystem: RealFileSystem())
    }

    private func open(accepting: Bool = false) throws -> LogStore {
        try LogStore.open(
            at: temporary.path.appending("store"), keys: TestLogKeys(), anchor: anchor,
            acceptsRollback: accepting, fileSystem: RealFileSystem())
    }

    private func save() throws -> [(Path, [UInt8])] {
        try temporary.paths(below: "store").map {
            (Path($0), try temporary.bytes("store", Path($0)))
        }
    }

    private func restore(_ files: [(Path, [UInt8])]) throws {
        for name in try temporary.paths(below: "store") {
            try temporary.folder(["store"]).unlink(Path(name))
        }
        for (name, bytes) in files { try temporary.write(bytes, to: "store", name) }
    }

    private func isRolledBack(_ body: () throws -> Void) -> Bool {
        do {
            try body()
            return false
        } catch {
            if case .rolledBack? = error as? StoreError { return true }
            return false
        }
    }

    @Test func `every commit is noted, and a rewrite settles the old log's last`() throws {
        let store = try make()
        try store.put("1", "a")
        try store.put("2", "a")
        #expect(anchor.state.withLock { $0.point } == (try store.point()))
        let last = try store.point()
        try store.compact()
        #expect(anchor.state.withLock { $0.settled } == [last])
        #expect(try store.point().generation == 2)
        #expect(try open().contents() == ["a": "2"])
    }

    @Test func `a copy of an older state is rolled back, and read only when that is accepted`()
        throws
    {
        let store = try make()
        try store.put("1", "a")
        let old = try save()
        try store.put("2", "a")
        try restore(old)
        #expect(isRolledBack { _ = try open() })
        #expect(try open(accepting: true).text("a") == "1")
        // The process that has seen more says so without an anchor.
        anchor.state.withLock { $0.point = nil }
        #expect(isRolledBack { try store.put("3", "a") })
        #expect(isRolledBack { _ = try store.text("a") })
        #expect(try open().text("a") == "1")
    }

    @Test func `an older generation, and one made from an older state, are rolled back`() throws {
        let store = try make()
        try store.put("1", "a")
        let first = try save()
        try store.put("2", "a")
        try store.compact()
        try store.put("3", "a")
        try restore(first)
        #expect(isRolledBack { _ = try open() })
        // From the restored state another second generation is made, with an anchor of the first one's end.
        let newest = LogPoint(generation: 1, sequence: 2, tag: .zero)
        anchor.state.withLock { $0.point = nil }
        try open().compact()
        anchor.state.withLock { $0.point = newest }
        #expect(isRolledBack { _ = try open() })
    }

    @Test func `another history of the same length is rolled back`() throws {
        let store = try make()
        try store.put("1", "a")
        let old = try save()
        try store.put("2", "a")
        let point = try store.point()
        try restore(old)
        anchor.state.withLock { $0.point = nil }
        let other = try open()
        try other.put("other", "a")
        try other.put("more", "a")
        anchor.state.withLock { $0.point = point }
        #expect(isRolledBack { _ = try open() })
    }

    @Test func `a newest commit that is destroyed is damage, one that is cut off is a rollback`()
        throws
    {
        let store = try make()
        try store.put("1", "a")
        let end = try store.usageEnd()
        try store.put("2", "a")
        try temporary.folder(["store"]).unlink("lock")
        let file = try temporary.file(["store", "log"], [.write])
        let garbage: [UInt8] = [1, 2, 3, 4]
        try file.write(garbage.span, at: end + 30)
        #expect(throws: StoreError.damaged(EntryID("a"))) { try open().text("a") }
        let zeros = [UInt8](repeating: 0, count: 200)
        try file.write(zeros.span, at: end)
        #expect(isRolledBack { _ = try open().text("a") })
    }

    @Test func `an anchor that lags does no harm`() throws {
        let store = try make()
        try store.put("1", "a")
        let early = try store.point()
        try store.put("2", "a")
        anchor.state.withLock { $0.point = early }
        #expect(try open().text("a") == "2")
        anchor.state.withLock { $0.point = nil }
        #expect(try open().text("a") == "2")
    }
}
