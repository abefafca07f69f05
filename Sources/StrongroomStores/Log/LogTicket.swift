import StrongroomSystem

/// A commit that waits to be written, with others of its process.
struct LogTicket: Sendable {
    /// The most changes, and the most bytes, that go out together.
    static let changeLimit = 256
    static let byteLimit: Int64 = 1 << 20

    /// Its place in the queue.
    let number: UInt64
    /// Each id once.
    let changes: [LogChange]
    /// The log that stamps and sums are for.
    let log: Bytes16
    let conditions: [EntryID: Version?]
    let owner: OwnerID?

    /// Bytes that it takes in a commit.
    var byteCount: Int64 { changes.reduce(0) { $0 + $1.commitByteCount } }
}

/// Where commits of one process stand that want to be written.
struct LogQueue: Sendable {
    private var process = Identity.process
    private var waiting: [LogTicket] = []
    private var results: [UInt64: Result<Void, StoreError>] = [:]
    private var lastNumber: UInt64 = 0
    private var isLed = false

    /// What somebody who waits is to do.
    enum Turn {
        /// His commit was written by somebody else, or failed.
        case done(Result<Void, StoreError>)
        /// He is to write, for all that wait.
        case lead
    }

    /// The next number.
    mutating func number() -> UInt64 {
        // In a forked child the parent's threads are not there.
        if process != Identity.process { self = LogQueue() }
        lastNumber += 1
        return lastNumber
    }

    /// Stands at the end of the queue.
    mutating func enter(_ ticket: LogTicket) { waiting.append(ticket) }

    /// What the holder of that ticket is to do now; nil: to wait.
    mutating func turn(_ number: UInt64) -> Turn? {
        if let result = results.removeValue(forKey: number) { return .done(result) }
        guard !isLed, waiting.first?.number == number else { return nil }
        isLed = true
        return .lead
    }

    /// Goes without being written; false if it is being written already.
    mutating func leave(_ number: UInt64) -> Bool {
        let count = waiting.count
        waiting.removeAll { $0.number == number }
        return waiting.count < count
    }

    /// The tickets that go out together, from the front; nobody joins them any more.
    mutating func close() -> [LogTicket] {
        var group: [LogTicket] = []
        var changeCount = 0
        var byteCount: Int64 = 0
        while let next = waiting.first {
            changeCount += next.changes.count
            byteCount += next.byteCount
            let isTooMuch =
                changeCount > LogTicket.changeLimit || byteCount > LogTicket.byteLimit
            if isTooMuch, !group.isEmpty { break }
            group.append(waiting.removeFirst())
        }
        return group
    }

    /// The leader is done, and so are all of his group.
    mutating func finish(_ results: [UInt64: Result<Void, StoreError>]) {
        self.results.merge(results) { $1 }
        isLed = false
    }
}
