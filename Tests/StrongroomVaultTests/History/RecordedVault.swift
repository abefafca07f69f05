import StrongroomCrypto
import StrongroomStores
import StrongroomSystem
import Synchronization

@testable import StrongroomVault

/// A vault whose calls are recorded, and which does one of them wrong if a test wants it.
final class RecordedVault: Sendable {
    /// What is done wrong.
    enum Fault: CaseIterable {
        /// A get gives what was there before the last change.
        case staleRead
        /// A set is acknowledged and not made.
        case lostWrite
        /// A removal is acknowledged and not made.
        case lostRemoval
        /// Of a commit one key is changed and the other is not.
        case tornCommit
        /// An update replaces what came after the value that it read.
        case lostUpdate
        /// A set that failed takes effect.
        case failedWrite
    }

    private struct State {
        var history: History
        var number: UInt64 = 0
    }

    let place: TemporaryVault
    let vault: Vault
    private let keyCount: Int
    private let recorded: Mutex<State>

    init(_ place: TemporaryVault, keyCount: Int) {
        self.place = place
        vault = place.vault()
        self.keyCount = keyCount
        recorded = Mutex(State(history: History(initial: Array(repeating: 0, count: keyCount))))
    }

    var history: History { recorded.withLock { $0.history } }

    /// The number of a change that is to be made.
    func next() -> UInt64 {
        recorded.withLock { state in
            state.number += 1
            return state.number
        }
    }

    @discardableResult func get(_ key: Int, as lie: UInt64? = nil) throws -> UInt64 {
        let start = Clock.monotonic()
        let found = try vault.get("\(key)").flatMap { UInt64($0) } ?? 0
        let end = Clock.monotonic()
        let read = History.Read(
            key: key, found: .number(lie ?? found), start: start, end: end)
        recorded.withLock { $0.history.reads.append(read) }
        return found
    }

    func list() throws {
        let start = Clock.monotonic()
        let listing = try vault.list()
        let end = Clock.monotonic()
        var numbers = [UInt64](repeating: 0, count: keyCount)
        for info in listing.entries {
            numbers[Int(info.key) ?? 0] = info.attributes["n"].flatMap { UInt64($0) } ?? 0
        }
        let snapshot = History.Snapshot(start: start, end: end, numbers: numbers)
        recorded.withLock { $0.history.snapshots.append(snapshot) }
    }

    /// Puts and removes at once; the record says that all of it was done, also where less is.
    func commit(
        _ writes: [History.Write], doing done: Range<Int>? = nil,
        if conditions: [String: Version?] = [:], isRecorded: Bool = true
    ) throws {
        let number = next()
        let text = Array("\(number)".utf8)
        let value = SecretBytes(SecretBuffer(copying: text.span))
        var changes: [VaultChange] = []
        for write in writes.indices where done?.contains(write) ?? true {
            let key = "\(writes[write].key)"
            if writes[write].isRemoval {
                changes.append(.del(key: key))
            } else {
                changes.append(.set(key: key, value: value, attributes: ["n": "\(number)"]))
            }
        }
        let start = Clock.monotonic()
        do {
            try vault.commit(changes, if: conditions)
        } catch {
            guard case .changed = error else { throw error }
            return
        }
        let end = Clock.monotonic()
        guard isRecorded else { return }
        let commit = History.Commit(number: number, start: start, end: end, writes: writes)
        recorded.withLock { $0.history.commits.append(commit) }
    }

    func update(_ key: Int) throws {
        let start = Clock.monotonic()
        var (old, version): (UInt64, Version?) = (0, nil)
        // In one reading: an entry that came and went between two leaves the absence that the first one saw.
        if let entry = try vault.read("\(key)") {
            version = entry.version
            old = UInt64(String(decoding: entry.value.copyToArray(), as: UTF8.self)) ?? 0
        }
        let read = History.Read(
            key: key, found: .number(old), start: start, end: Clock.monotonic())
        recorded.withLock { $0.history.reads.append(read) }
        try commit([.init(key: key, old: old)], if: ["\(key)": version])
    }

    /// Does that wrong, in the first two keys.
    func plant(_ fault: Fault) throws {
        try commit([.init(key: 0), .init(key: 1)])
        let old = try get(0)
        switch fault {
        case .staleRead:
            try commit([.init(key: 0)])
            try get(0, as: old)
        case .lostWrite: try commit([.init(key: 0)], doing: 0..<0)
        case .lostRemoval: try commit([.init(key: 0, isRemoval: true)], doing: 0..<0)
        case .tornCommit: try commit([.init(key: 0), .init(key: 1)], doing: 0..<1)
        case .lostUpdate:
            try commit([.init(key: 0)])
            try commit([.init(key: 0, old: old)])
        case .failedWrite: try commit([.init(key: 0)], isRecorded: false)
        }
        for key in 0..<keyCount { try get(key) }
    }
}
