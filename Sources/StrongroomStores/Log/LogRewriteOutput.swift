import StrongroomSystem
import Synchronization

/// The log that a rewrite makes: commits that are not large, and the index of them.
///
/// One thread at a time writes it, while the other one may make what comes next.
final class LogRewriteOutput: Sendable {
    private struct State: Sendable {
        var appender: LogAppender
        var index = LogIndex()
        /// What the index is yet to take up: in one go it sorts once.
        var entries: [LogEntry] = []
        var putCount = 0
    }

    /// So many entries wait at most to be taken up.
    private static let entryLimit = 1 << 16

    let file: OpenFile
    let block: LogBlock
    private let state: Mutex<State>

    init(_ appender: LogAppender) {
        file = appender.file
        block = appender.block
        state = Mutex(State(appender: appender))
    }

    /// Writes commits that are not large: all that is in one is lost with its head.
    func append(_ changes: [LogChange]) throws(StoreError) {
        try state.withLock { (state) throws(StoreError) in
            var rest = changes[...]
            while !rest.isEmpty {
                var count = 0
                var byteCount: Int64 = 0
                for change in rest {
                    byteCount += change.commitByteCount
                    let isTooMuch =
                        count == LogTicket.changeLimit || byteCount > LogTicket.byteLimit
                    if isTooMuch, count > 0 { break }
                    count += 1
                }
                let commit = try state.appender.append(
                    Array(rest.prefix(count)), makesRoom: false)
                state.entries += commit.entries
                state.putCount += commit.entries.count { $0.kind == .put }
                rest = rest.dropFirst(count)
                if state.entries.count >= Self.entryLimit { try Self.takeUp(&state) }
            }
        }
    }

    /// Where the log ends, and what it holds.
    func contents() throws(StoreError) -> (position: LogPosition, index: LogIndex) {
        try state.withLock { (state) throws(StoreError) in
            try Self.takeUp(&state)
            return (state.appender.position, state.index)
        }
    }

    /// True if no id was put twice.
    func hasEachOnce() throws(StoreError) -> Bool {
        try state.withLock { (state) throws(StoreError) in
            try Self.takeUp(&state)
            return state.index.count == state.putCount
        }
    }

    private static func takeUp(_ state: inout State) throws(StoreError) {
        _ = try state.index.take(state.entries, isSealed: state.appender.block.isSealed)
        state.entries = []
    }
}
