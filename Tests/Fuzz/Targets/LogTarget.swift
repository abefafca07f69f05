import StrongroomSystem
import Synchronization

@testable import StrongroomStores
@testable import StrongroomVault

/// A whole log, with hint, index and anchor, opened, read, verified, written to and compacted on a disk in memory.
///
/// | bytes | what |
/// |---|---|
/// | 1 | 1: payloads are sealed; 2: sums are set right; 4: tags too; 8: there is a hint; 16: its sum is right; 32: there is an index; 64: it is right; 128: there is an anchor |
/// | 1 | number of patches, of 8; 8: it is verified; 16: it is written to and compacted |
/// | 3 each | where, and by what a byte is changed after all was set right |
/// | 32 | of a hint what follows its log: inode, end, number, sum |
/// | 16 | of an anchor: generation and number |
/// | 2 | bytes of the index; then these |
/// | … | the log from 4,096 on |
struct LogTarget {
    private static let directory: Path = "/vault"
    private static let new = EntryID([UInt8](repeating: 0xEE, count: 20))

    private let disk = LimitedDisk()
    private let block: LogBlock
    private let anchor: Anchor?
    private let isForged: Bool
    private let steps: UInt8

    static func run(_ input: [UInt8]) throws {
        try LogTarget(input).run()
    }

    private init(_ input: [UInt8]) throws {
        var recipe = Recipe(input)
        let flags = recipe.byte()
        let block = Frozen.block(isSealed: flags & 1 != 0)
        let steps = recipe.byte()
        let patches = (0..<steps % 8).map { _ in
            (place: Int(recipe.number(UInt16.self)), change: recipe.byte())
        }
        var hint = try Self.bootBytes(disk) + block.log.bytes + recipe.filled(32)
        if flags & 16 != 0 {
            let sum = try LogSum.sum(hint.span.extracting(0..<56), key: block.log.bytes)
            hint.set(sum, at: 56)
        }
        let point = LogPoint(
            generation: recipe.number(UInt64.self), sequence: recipe.number(UInt64.self),
            tag: .zero)
        var index = recipe.bytes(Int(recipe.number(UInt16.self)) % 4096)
        var log = try block.encoded(Frozen.logKeys) + recipe.all()
        try LogMending.mend(
            &log, at: LogBlock.byteCount, block, setsSums: flags & 2 != 0,
            setsTags: flags & 4 != 0)
        if flags & 64 != 0 { try LogMending.mendIndex(&index, block, setsSums: true) }
        for patch in patches { log[patch.place % log.count] ^= patch.change }
        self.block = block
        self.steps = steps
        anchor = flags & 128 == 0 ? nil : Anchor(point)
        isForged = flags & 96 != 0
        _ = try DirectoryMaker.ensure(Self.directory, fileSystem: disk)
        try disk.put(log, at: Self.directory.appending(LogName.log))
        if flags & 8 != 0 { try disk.put(hint, at: Self.directory.appending(LogName.lock)) }
        if flags & 32 != 0 { try disk.put(index, at: Self.directory.appending(LogName.index)) }
    }

    private static func bootBytes(_ disk: LimitedDisk) throws -> [UInt8] {
        LogHint.boot(try Identity.bootID(fileSystem: disk) ?? "")?.bytes ?? []
    }

    private func run() throws {
        if steps & 8 != 0 { try verify() }
        guard let store = try open() else { return }
        let contents = try read(store)
        guard steps & 16 != 0 else { return }
        let again = try open()
        expect(try again.map { try read($0) } == contents, "who opens again reads something else")
        if !isForged, try !commit(store, contents) { return }
        if steps & 8 != 0 { try verify() }
        guard try compact(), let compacted = try open() else { return }
        if !isForged { expect(try read(compacted)[Self.new] == .value([7]), "a set is gone") }
    }

    private func open() throws -> LogStore? {
        try allowed {
            try LogStore.open(
                at: Self.directory, keys: Frozen.logKeys, anchor: anchor, waitSeconds: 0,
                compactsByItself: false, fileSystem: disk)
        }
    }

    /// What an entry is found to be.
    private enum Found: Equatable {
        case absent, damaged
        case value([UInt8])
    }

    private func read(_ store: LogStore) throws -> [EntryID: Found] {
        var found: [EntryID: Found] = [:]
        _ = try allowed { try store.ids() }
        _ = try allowed { try store.usage() }
        for id in try allowed({ try store.knownIDs() }) ?? [] {
            found[id] = try read(store, id)
        }
        let other = EntryID([UInt8](repeating: 0x11, count: 20))
        found[other] = try read(store, other)
        return found
    }

    private func read(_ store: LogStore, _ id: EntryID) throws -> Found {
        let entry = try allowed { try store.read(id) }
        guard let entry else { return .damaged }
        guard let entry else { return .absent }
        expect(entry.bytes.count <= LimitedDisk.byteCountLimit, "an entry is longer than its log")
        let reader = try allowed { try store.open(id) } ?? nil
        if let reader {
            let piece = try allowed {
                try reader.read(at: 0, count: Int(min(reader.byteCount, 100)))
            }
            expect(
                piece.map { entry.bytes.starts(with: $0) } ?? true, "a piece of another entry")
        }
        // A sealed payload is verified when its box does not open.
        let isDamaged =
            try block.isSealed ? allowed { try store.isDamaged(id, entry.version) } : false
        return isDamaged == false ? .value(entry.bytes) : .damaged
    }

    /// Sets an entry; false if that is refused, and then nothing has changed.
    private func commit(_ store: LogStore, _ before: [EntryID: Found]) throws -> Bool {
        let isDone = try allowed {
            try store.commit(
                [.put(Self.new, .bytes([7]))], if: [:], owner: block.owner)
            return true
        }
        var expected = before
        if isDone == true { expected[Self.new] = .value([7]) }
        for reader in [store, try open()] {
            guard let reader else { return false }
            for (id, found) in expected {
                expect(try read(reader, id) == found, "a set changes another entry")
            }
        }
        return isDone == true
    }

    private func compact() throws -> Bool {
        guard let store = try open() else { return false }
        let before = try read(store)
        guard
            try allowed({
                try store.compact(); return true
            }) == true
        else { return false }
        for reader in [store, try open()] {
            guard let reader, !isForged else { return false }
            for (id, found) in before {
                expect(try read(reader, id) == found, "a compaction changes an entry")
            }
        }
        return true
    }

    private func verify() throws {
        _ = try allowed {
            try LogStore.verify(
                at: Self.directory, keys: Frozen.logKeys, anchor: anchor, fileSystem: disk)
        }
    }

    /// What `body` answers; nil if it throws what a caller is told to expect of a log that is not as it was written.
    private func allowed<Answer>(_ body: () throws -> Answer) throws -> Answer? {
        try allowing(
            { (error: StoreError) in
                switch error {
                case .damaged, .storeDamaged, .tampered, .rolledBack, .newerFormat: true
                case .system(_, _, ErrorCode.fileTooLarge): true
                default: false
                }
            }, body)
    }
}

/// An anchor in memory.
private final class Anchor: LogAnchor {
    private let state: Mutex<LogPoint>

    init(_ point: LogPoint) { state = Mutex(point) }

    func point() throws(StoreError) -> LogPoint? { state.withLock { $0 } }
    func note(_ point: LogPoint) { state.withLock { $0 = point } }
    func settle(_ point: LogPoint) throws(StoreError) { note(point) }
}
