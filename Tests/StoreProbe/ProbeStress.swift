import Glibc
import StrongroomStores
import StrongroomSystem

/// Threads that work on one store until a moment, and write down what they did: `stress KEYS UNTIL WORKER THREADS FILE`.
///
/// Each thread is a worker with a number; each change puts values that name the worker and which change of his it is.
/// The file has a record of 48 bytes for each thing that was done to a key: for a change one before it is made, so that
/// it is known of whoever is killed meanwhile, and one when it is done. Numbers are little-endian, times of the monotonic
/// clock.
///
/// | offset | size | what |
/// |---|---|---|
/// | 0 | 1 | what (``Kind``) |
/// | 1 | 1 | key |
/// | 2 | 6 | zeros |
/// | 8 | 8 | number of the change (worker × 2^32 and a number), or of the change whose value was read, 0 for absent |
/// | 16 | 8 | when it began |
/// | 24 | 8 | when it ended |
/// | 32 | 8 | update: number of the change whose value it replaces, 0 for absent |
/// | 40 | 8 | zeros |
struct ProbeStress: Sendable {
    /// What a record tells.
    enum Kind: UInt8 {
        case read = 1
        case listedPresent = 2
        case listedAbsent = 3
        /// A change that puts, replaces a value that was read, or removes, is about to be made.
        case put = 4
        case update = 5
        case remove = 6
        /// A change stands; it did not happen; nobody knows.
        case done = 7
        case failed = 8
        case unknown = 9
        /// A value that nobody put.
        case torn = 10
    }

    /// What goes wrong with a worker.
    struct Failure: Error {
        let what: String
    }

    let store: any Store
    let path: Path
    let keyCount: Int
    let deadline: Int64
    let file: Int32

    /// Runs the workers, and says now and then on standard output that they go on; what nobody takes is dropped.
    static func run(_ store: any Store, at path: Path, _ arguments: [String]) throws {
        guard arguments.count == 5, let keyCount = Int(arguments[0]),
            let deadline = Int64(arguments[1]), let worker = UInt64(arguments[2]),
            let threadCount = Int(arguments[3])
        else { throw Failure(what: "arguments") }
        // Nobody may be reading, for longer than a pipe has room.
        _ = fcntl(1, F_SETFL, O_NONBLOCK)
        let file = unsafe open(arguments[4], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Failure(what: "no file") }
        let stress = ProbeStress(
            store: store, path: path, keyCount: keyCount, deadline: deadline, file: file)
        let crew = Monitor<(running: Int, error: String?)>((threadCount, nil))
        for thread in 0..<threadCount {
            try Threads.start(name: "stress") {
                var failure: String?
                do {
                    try stress.work(worker + UInt64(thread))
                } catch {
                    failure = "\(error)"
                }
                crew.change { [failure] state in
                    state.running -= 1
                    state.error = state.error ?? failure
                }
            }
        }
        _ = crew.wait(until: nil) { $0.running == 0 ? true : nil }
        if let error = crew.change({ $0.error }) { throw Failure(what: error) }
    }

    // MARK: Values

    /// The value of a change: its number, and bytes that follow from it.
    static func value(_ number: UInt64) -> [UInt8] {
        let byteCount =
            number % 97 == 0 ? 100_000 : number % 11 == 0 ? 5000 : 24 + Int(number % 200)
        var bytes: [UInt8] = []
        for index in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * index))) }
        let fill = UInt8(truncatingIfNeeded: number &* 31 &+ number >> 32)
        bytes += [UInt8](repeating: fill, count: byteCount - 8)
        return bytes
    }

    /// The change whose value that is; nil if it is nobody's.
    static func number(_ bytes: [UInt8]) -> UInt64? {
        guard bytes.count >= 8 else { return nil }
        var number: UInt64 = 0
        for index in (0..<8).reversed() { number = number << 8 | UInt64(bytes[index]) }
        return bytes == value(number) ? number : nil
    }

    static func id(_ key: Int) -> EntryID {
        // 20 bytes, as the index takes them.
        EntryID(Array("stress key \(key)".utf8) + [UInt8](repeating: 45, count: key < 10 ? 8 : 7))
    }

    // MARK: Work

    private func work(_ worker: UInt64) throws {
        var random = SystemRandomNumberGenerator()
        var round: UInt64 = 0
        while Clock.monotonic() < deadline {
            round += 1
            let number = worker << 32 | round
            let key = Int.random(in: 0..<keyCount, using: &random)
            switch Int.random(in: 0..<1000, using: &random) {
            case ..<500: try read(key)
            case ..<530: try list()
            case ..<670: try change([(.put, key)], number)
            case ..<740: try change([(.remove, key)], number)
            case ..<890: try update(key, number)
            case ..<997:
                var changes: [(Kind, Int)] = []
                let count = Int.random(in: 2...4, using: &random)
                for offset in 0..<count {
                    let isRemoval = offset > 0 && Int.random(in: 0..<4, using: &random) == 0
                    changes.append((isRemoval ? .remove : .put, (key + offset) % keyCount))
                }
                try change(changes, number)
            default: try compact()
            }
            if round % 100 == 0 { say("\(round)\n") }
        }
    }

    private func read(_ key: Int) throws {
        let start = Clock.monotonic()
        let bytes = try store.read(Self.id(key))?.bytes
        note([record(.read, key, bytes, start)])
    }

    private func record(
        _ kind: Kind, _ key: Int, _ bytes: [UInt8]?, _ start: Int64
    ) -> [UInt8] {
        let end = Clock.monotonic()
        guard let bytes else { return record(kind, key, 0, start, end) }
        guard let number = Self.number(bytes) else { return record(.torn, key, 0, start, end) }
        return record(kind, key, number, start, end)
    }

    private func list() throws {
        let start = Clock.monotonic()
        let ids = Set(try store.ids())
        let end = Clock.monotonic()
        note(
            (0..<keyCount).map { key in
                let isThere = ids.contains(Self.id(key))
                return record(isThere ? .listedPresent : .listedAbsent, key, 0, start, end)
            })
    }

    private func change(_ changes: [(Kind, Int)], _ number: UInt64) throws {
        let start = Clock.monotonic()
        note(changes.map { record($0.0, $0.1, number, start, 0) })
        try commit(
            changes.map { kind, key in
                kind == .remove ? .remove(Self.id(key)) : put(key, number)
            }, if: [:], number, start)
    }

    private func put(_ key: Int, _ number: UInt64) -> StoreChange {
        .put(Self.id(key), .bytes(Self.value(number)))
    }

    /// Replaces what was read, unless somebody else was faster.
    private func update(_ key: Int, _ number: UInt64) throws {
        let readStart = Clock.monotonic()
        let entry = try store.read(Self.id(key))
        let read = record(.read, key, entry?.bytes, readStart)
        let start = Clock.monotonic()
        let old = entry.flatMap { Self.number($0.bytes) } ?? 0
        note([read, record(.update, key, number, start, 0, old)])
        try commit([put(key, number)], if: [Self.id(key): entry?.version], number, start)
    }

    private func commit(
        _ changes: [StoreChange], if conditions: [EntryID: Version?], _ number: UInt64,
        _ start: Int64
    ) throws {
        var kind = Kind.done
        do {
            try store.commit(changes, if: conditions, owner: try store.owner())
        } catch {
            switch error {
            case .conditionFailed, .busy: kind = .failed
            case .outcomeUnknown: kind = .unknown
            default: throw error
            }
        }
        note([record(kind, 0, number, start, Clock.monotonic())])
    }

    /// Compacts, unless somebody does.
    private func compact() throws {
        guard let log = store as? LogStore else { throw Failure(what: "no log") }
        let directory = try OpenFile.open(
            path, [.read, .directory], fileSystem: RealFileSystem())
        let job = FileLock(directory: directory, name: "job", gate: nil)
        guard let held = try job.tryAcquire() else { return }
        defer { held.release() }
        try log.compact()
    }

    // MARK: Records

    private func record(
        _ kind: Kind, _ key: Int, _ number: UInt64, _ start: Int64, _ end: Int64,
        _ old: UInt64 = 0
    ) -> [UInt8] {
        var bytes: [UInt8] = [kind.rawValue, UInt8(key), 0, 0, 0, 0, 0, 0]
        for word in [number, UInt64(start), UInt64(end), old, 0] {
            for index in 0..<8 {
                bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(8 * index)))
            }
        }
        return bytes
    }

    /// Appends records in one call, so that whoever is killed has written all of them or none.
    private func note(_ records: [[UInt8]]) {
        let bytes = Array(records.joined())
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe _ = write(file, bytes.baseAddress, bytes.count)
        }
    }

    private func say(_ text: String) {
        let bytes = Array(text.utf8)
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe _ = write(1, bytes.baseAddress, bytes.count)
        }
    }
}
