import SimulatedDisk
@testable import StrongroomStores
import StrongroomSystem
import Synchronization

// What the processes of a walk do.
extension LogWalk {
    /// The id of a name; the index takes ids of 20 bytes, such as a vault's are.
    private static func id(_ name: String) -> EntryID {
        EntryID(name + String(repeating: "-", count: 20 - name.count))
    }

    private static func name(_ id: EntryID) -> String {
        String(decoding: id.bytes.prefix { $0 != UInt8(ascii: "-") }, as: UTF8.self)
    }

    /// The value of an id after a commit: of one sector or of several, so that a torn one is torn in many ways.
    private static func value(_ id: String, _ number: Int) -> [UInt8] {
        let unit = Array("\(id) \(number);".utf8)
        var bytes: [UInt8] = []
        while bytes.count < (number % 3 == 0 ? 1500 : 20) { bytes += unit }
        return bytes
    }

    private static func number(_ id: String, _ bytes: [UInt8]) throws -> Int {
        let text = String(decoding: bytes.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
        guard let number = text.split(separator: " ").last.flatMap({ Int($0) }),
            bytes == value(id, number)
        else { throw Violation(what: "\(id) is torn: \(text)") }
        return number
    }

    private static func count(_ bytes: [UInt8]?) -> Int {
        bytes.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
    }

    private static func journal(_ number: Int) -> StoreChange {
        .put(Self.id("j\(number)"), .bytes([1]))
    }

    /// Commits, and tells the history what became of it.
    private func commit(
        _ changes: [StoreChange], if conditions: [EntryID: Version?] = [:], owner: OwnerID?,
        _ number: Int, _ process: Process
    ) {
        do {
            let store = try process.opened()
            try store.commit(
                changes + [Self.journal(number)], if: conditions,
                owner: owner ?? (try store.owner()))
            history.change { $0.acknowledge(number) }
        } catch {
            if note(error, process, "commit") == true { history.change { $0.refuse(number) } }
        }
    }

    /// Puts, replaces and removes some ids in one commit.
    mutating func write(_ process: Process) -> @Sendable () -> Void {
        lastNumber += 1
        let number = lastNumber
        var noted: [String: Int?] = [:]
        var changes: [StoreChange] = []
        for id in Self.ids where Int.random(in: 0..<2, using: &random) == 0 {
            if Int.random(in: 0..<4, using: &random) == 0 {
                noted[id] = .some(nil)
                changes.append(.remove(Self.id(id)))
            } else {
                noted[id] = number
                changes.append(.put(Self.id(id), .bytes(Self.value(id, number))))
            }
        }
        let walk = self
        return { [noted, changes] in
            walk.history.change { $0.begin(noted, number: number) }
            walk.commit(changes, owner: nil, number, process)
        }
    }

    /// Adds one to the counter, unless somebody else is faster.
    mutating func count(_ process: Process) -> @Sendable () -> Void {
        lastNumber += 1
        let number = lastNumber
        let walk = self
        return {
            let floor = walk.history.change { $0.floor() }
            do {
                let store = try process.opened()
                let owner = try store.owner()
                let entry = try store.read(Self.id("count"))
                let count = Self.count(entry?.bytes)
                walk.history.change { history in
                    history.read(count: count, floor)
                    history.begin([:], counts: true, number: number)
                }
                walk.commit(
                    [.put(Self.id("count"), .bytes(Array("\(count + 1)".utf8)))],
                    if: [Self.id("count"): entry?.version], owner: owner, number, process)
            } catch {
                _ = walk.note(error, process, "count")
            }
        }
    }

    /// Runs `body` as the one that holds `job`, if nobody does.
    private func withJob(
        _ process: Process, _ operation: String, _ body: (LogStore) throws -> Void
    ) {
        do {
            let store = try process.opened()
            let directory = try OpenFile.open(
                Self.directory, [.read, .directory], fileSystem: process.fileSystem)
            let job = FileLock(directory: directory, name: LogName.job, gate: nil)
            process.isTrying.withLock { $0 = true }
            let found = try job.tryAcquire()
            process.isTrying.withLock { $0 = false }
            guard let held = found else { return }
            defer { held.release() }
            try body(store)
        } catch let error as SystemError {
            _ = note(StoreError(error), process, operation)
        } catch {
            _ = note(error, process, operation)
        }
    }

    func compact(_ process: Process) -> @Sendable () -> Void {
        let walk = self
        return { walk.withJob(process, "compact") { try $0.compact() } }
    }

    func rewrite(_ process: Process) -> @Sendable () -> Void {
        let walk = self
        return {
            walk.withJob(process, "rewrite") { store in
                let next = try store.owner() == Self.owners[0] ? Self.owners[1] : Self.owners[0]
                try store.rewrite(owner: next) { id, entry, _ in
                    // Two threads read at once, what nobody changes.
                    let bytes = try walk.turns.freely(process.number) {
                        try entry.read(at: 0, count: Int(entry.byteCount))
                    }
                    return .put(id, .bytes(bytes))
                }
            }
        }
    }

    /// One look at all there is.
    func look(_ process: Process, isLast: Bool = false) -> @Sendable () -> Void {
        let walk = self
        return {
            let floor = walk.history.change { $0.floor(forLastRead: isLast) }
            do {
                let store = try process.opened()
                let entries = try store.look { (view) throws(StoreError) in
                    let log = view.log
                    return try view.all().map { LogStoredEntry(id: $0.id, log: log, row: $0.row) }
                }
                var state = WalkHistory.State()
                for entry in entries {
                    let id = Self.name(entry.id)
                    if id.hasPrefix("j") {
                        state.commits.insert(Int(id.dropFirst()) ?? -1)
                        continue
                    }
                    guard let bytes = try entry.log.read(entry.row)?.bytes else {
                        throw Violation(what: "\(id) is damaged")
                    }
                    if id == "count" {
                        state.count = Self.count(bytes)
                    } else {
                        state.values[id] = try Self.number(id, bytes)
                    }
                }
                walk.history.change { [state] in $0.see(state, floor) }
            } catch {
                _ = walk.note(error, process, "look")
            }
        }
    }

    /// A list of ids, and one value after the other.
    mutating func read(_ process: Process) -> @Sendable () -> Void {
        let ids = Self.ids.shuffled(using: &random).prefix(2)
        let lists = Bool.random(using: &random)
        let walk = self
        return {
            do {
                let store = try process.opened()
                if lists {
                    let floor = walk.history.change { $0.floor() }
                    let names = try store.ids().map(Self.name).filter { $0.hasPrefix("j") }
                    let numbers = Set(names.compactMap { Int($0.dropFirst()) })
                    walk.history.change { $0.list(numbers, floor) }
                }
                for id in ids {
                    let floor = walk.history.change { $0.floor() }
                    let bytes = try store.read(Self.id(id))?.bytes
                    let number = try bytes.map { try Self.number(id, $0) }
                    walk.history.change { $0.read(id, number, floor) }
                }
            } catch {
                _ = walk.note(error, process, "read")
            }
        }
    }
}
