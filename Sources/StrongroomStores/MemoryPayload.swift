import StrongroomSystem
import Synchronization

/// A staged payload in memory.
final class MemoryPayload: StagedPayload {
    private struct State {
        var bytes: [UInt8] = []
        var isClosed = false
    }
    private let state = Mutex(State())

    var byteCount: Int64 { Int64(state.withLock { $0.bytes.count }) }

    /// Takes no more from now on.
    func close() { state.withLock { $0.isClosed = true } }

    func write(_ new: Span<UInt8>, at offset: Int64) throws(StoreError) {
        var given: [UInt8] = []
        given.reserveCapacity(new.count)
        for index in new.indices { given.append(new[index]) }
        let fits = state.withLock { [given] state in
            guard !state.isClosed, offset >= 0, offset <= Int64(state.bytes.count) else {
                return false
            }
            let start = Int(offset)
            let end = min(state.bytes.count, start + given.count)
            state.bytes.replaceSubrange(start..<end, with: given)
            return true
        }
        if !fits { throw Self.refusal("write") }
    }

    func read(at offset: Int64, count: Int) throws(StoreError) -> [UInt8] {
        let found = state.withLock { state -> [UInt8]? in
            guard offset >= 0, count >= 0, offset <= Int64(state.bytes.count),
                count <= state.bytes.count - Int(offset)
            else { return nil }
            return Array(state.bytes[Int(offset)..<(Int(offset) + count)])
        }
        guard let found else { throw Self.refusal("read") }
        return found
    }

    private static func refusal(_ operation: String) -> StoreError {
        .system(operation: operation, path: "memory", code: ErrorCode.invalid)
    }
}
