import SimulatedDisk
@testable import StrongroomStores
import StrongroomSystem
import Synchronization
import Testing

/// A random walk over the store itself: up to four processes that write, compact, rewrite under another owner and read,
/// call by call in any order; they are killed between any two calls, or within a write, calls fail, and power is lost.
///
/// What must hold is told by ``WalkHistory``. Where the disk alone loses power, while the machine's boot goes on
/// (`replugs`), a hint may be one of the past and yet current: then a read may be old until somebody has written, but
/// nothing is lost.
struct LogWalk {
    /// What was found wrong.
    struct Violation: Error, Sendable {
        let what: String
    }

    /// What went on.
    struct Figures: Sendable {
        var readCount = 0
        var commitCount = 0
    }

    static let directory: Path = "/vault"
    static let owners = ["owner  1", "owner  2"].map { OwnerID(Array($0.utf8)) }
    static let ids = ["a", "b", "c", "d"]

    let turns = Turns(SimulatedDisk())
    let history: Monitor<WalkHistory>
    private let anchor = WalkAnchor()
    private let rule: LogRule?
    private let replugs: Bool
    private let shadow = OmittingFileSystem.Shadow()
    var random: TurnRandom
    private var processes: [Int: Process] = [:]
    private var lastProcess = 0
    var lastNumber = 0
    /// Who made the last call.
    private var latest: Int?
    /// How often he makes the next one too.
    private let persistence: Double
    /// How often who is about to write or sync is killed, or loses power.
    private let danger: Double
    /// How many writes and syncs go well for one that fails.
    private let faultDistance: Int

    /// A process, whose store lives as long as it.
    final class Process: Sendable {
        let number: Int
        let door: TurnFileSystem
        let fileSystem: any FileSystem
        let anchor: WalkAnchor
        let store = Mutex<LogStore?>(nil)
        /// True from a call that failed until what it was for is over.
        let hasFault = Mutex(false)
        /// True while it does not wait for a lock that somebody holds.
        let isTrying = Mutex(false)

        init(_ number: Int, _ walk: LogWalk) {
            self.number = number
            anchor = walk.anchor
            door = TurnFileSystem(walk.turns, process: number)
            if let rule = walk.rule {
                fileSystem = OmittingFileSystem(
                    rule, on: door, walk.turns.disk, LogWalk.directory, walk.shadow)
            } else {
                fileSystem = door
            }
        }

        func opened() throws -> LogStore {
            if let store = store.withLock({ $0 }) { return store }
            let made = try LogStore.open(
                at: LogWalk.directory, keys: TestLogKeys(), anchor: anchor, waitSeconds: 0,
                compactsByItself: false, fileSystem: fileSystem)
            store.withLock { $0 = made }
            return made
        }
    }

    static func run(
        seed: UInt64, omitting rule: LogRule?, replugs: Bool = false, steps: Int = 1500
    ) throws -> Figures {
        var walk = LogWalk(seed: seed, omitting: rule, replugs: replugs)
        return try walk.run(steps)
    }

    private init(seed: UInt64, omitting rule: LogRule?, replugs: Bool) {
        random = TurnRandom(seed: seed)
        persistence = [0, 0.6, 0.9, 0.97].randomElement(using: &random) ?? 0
        danger = [0, 0.02, 0.06].randomElement(using: &random) ?? 0
        faultDistance = [60, 20, 8].randomElement(using: &random) ?? 60
        self.rule = rule
        self.replugs = replugs
        history = Monitor(WalkHistory(hasFloors: !replugs))
    }

    private mutating func run(_ steps: Int) throws -> Figures {
        _ = try LogStore.create(
            at: Self.directory, owner: Self.owners[0], keys: TestLogKeys(), anchor: anchor,
            isSealed: false, waitSeconds: 0, fileSystem: TurnFileSystem(turns, process: 0))
        turns.begin()
        for _ in 0..<steps {
            try step()
            try check()
        }
        // What failed and was not taken back yet is beyond the protocol, unless the power is lost as well.
        let hasFault = processes.values.contains { $0.hasFault.withLock { $0 } }
        if hasFault { losePower() } else { killAll() }
        // Everybody is gone; who comes now finds it all, and so does who comes after the next power loss.
        turns.end()
        for isAfterLoss in [false, true] {
            if isAfterLoss { turns.disk.losePower(.some, &random) }
            lastProcess += 1
            let last = Process(lastProcess, self)
            if !isAfterLoss { write(last)() }
            look(last, isLast: true)()
            try check()
        }
        return history.change { history in
            Figures(readCount: history.readCount, commitCount: history.acknowledgedCount)
        }
    }

    private func check() throws {
        if let what = history.change({ $0.violation }) { throw Violation(what: what) }
    }

    // MARK: What happens

    private mutating func step() throws {
        let fate = Double.random(in: 0..<1, using: &random)
        if fate < 0.002 { return losePower() }
        if fate < 0.008, let number = processes.keys.sorted().randomElement(using: &random) {
            // Who is killed while he takes back what failed leaves bytes that no sync brings to the disk any more.
            if processes[number]?.hasFault.withLock({ $0 }) != true { kill(number) }
            return
        }
        if processes.count < 4 {
            lastProcess += 1
            processes[lastProcess] = Process(lastProcess, self)
        }
        let isTired = Double.random(in: 0..<1, using: &random) >= persistence
        if isTired || latest.map(waits) ?? true {
            let ready = processes.keys.sorted().filter { !waits($0) }
            latest = ready.randomElement(using: &random)
        }
        guard let number = latest, let process = processes[number] else { return }
        if let call = turns.call(of: number) { return go(on: call, process) }
        process.hasFault.withLock { $0 = false }
        process.isTrying.withLock { $0 = false }
        switch Double.random(in: 0..<1, using: &random) {
        case ..<0.28: try turns.start(number, write(process))
        case ..<0.45: try turns.start(number, count(process))
        case ..<0.53: try turns.start(number, compact(process))
        case ..<0.58: try turns.start(number, rewrite(process))
        case ..<0.80: try turns.start(number, look(process))
        default: try turns.start(number, read(process))
        }
    }

    /// True if a process wants a lock that somebody else holds, and does not only try.
    private func waits(_ number: Int) -> Bool {
        guard let process = processes[number], case .lock(let file)? = turns.call(of: number)
        else { return processes[number] == nil }
        return turns.disk.isLocked(file) && !process.isTrying.withLock { $0 }
    }

    /// Lets a process make its next call, unless something happens to it.
    private mutating func go(on call: Turns.Call, _ process: Process) {
        switch call {
        case .write, .sync, .readerSync:
            guard Double.random(in: 0..<1, using: &random) < danger else { break }
            if Int.random(in: 0..<4, using: &random) == 0 { return losePower() }
            if !process.hasFault.withLock({ $0 }) { return kill(process.number) }
        case .lock, .other: break
        }
        turns.step(process.number, fate(of: call, process))
    }

    private mutating func fate(of call: Turns.Call, _ process: Process) -> Turns.Fate {
        switch call {
        case .readerSync, .lock, .other: return .done
        case .sync:
            guard mayFail(process) else { return .done }
            return .fails(0, TurnRandom(seed: random.next()))
        case .write(_, let bytes, _):
            let count = Int.random(in: 0...bytes.count, using: &random)
            if mayFail(process) { return .fails(count, TurnRandom(seed: 0)) }
            // Others see half of a longer write, and who is killed has written half of it.
            guard bytes.count > 512, count > 0, Int.random(in: 0..<3, using: &random) == 0 else {
                return .done
            }
            return .short(count)
        }
    }

    /// One fault at a time: a disk that fails while it is told to forget what failed is beyond the protocol.
    private mutating func mayFail(_ process: Process) -> Bool {
        guard Int.random(in: 0..<faultDistance, using: &random) == 0 else { return false }
        return process.hasFault.withLock { hasFault in
            defer { hasFault = true }
            return !hasFault
        }
    }

    private mutating func losePower() {
        killAll()
        let isNewBoot = !replugs || Bool.random(using: &random)
        turns.disk.losePower(.some, isNewBoot: isNewBoot, &random)
        // It is on another disk than the one that is replugged.
        if isNewBoot { anchor.losePower(&random) }
    }

    private mutating func killAll() {
        for number in processes.keys.sorted() { kill(number) }
    }

    private mutating func kill(_ number: Int) {
        guard let process = processes.removeValue(forKey: number) else { return }
        turns.kill(number, process.door, &random)
        process.store.withLock { $0 = nil }
    }

    /// What an error means: nil if its process was killed, and nobody was told.
    func note(_ error: any Error, _ process: Process, _ operation: String) -> Bool? {
        guard !turns.isDead(process.number) else { return nil }
        switch error as? StoreError {
        case .busy, .conditionFailed, .ownerChanged: return true
        case .outcomeUnknown: return nil
        case .system(_, _, ErrorCode.io) where process.hasFault.withLock({ $0 }): return true
        default:
            history.change { $0.fail("\(operation): \(error)") }
            return true
        }
    }
}
