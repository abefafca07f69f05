import StrongroomVault
import Synchronization

/// A source that claims a length of its own, with zeros where it has no bytes, and fails when told to.
final class HugeSource: SealedSource {
    private let bytes: [UInt8]
    let byteCount: Int64
    private let state = Mutex((longest: 0, fails: false))

    init(_ bytes: [UInt8], byteCount: Int64) {
        self.bytes = bytes
        self.byteCount = byteCount
    }

    /// The most bytes that one read asked for.
    var longestRead: Int { state.withLock { $0.longest } }

    func fail(_ fails: Bool) {
        state.withLock { $0.fails = fails }
    }

    func read(at offset: Int64, count: Int) throws(VaultError) -> [UInt8] {
        let fails = state.withLock { state in
            state.longest = max(state.longest, count)
            return state.fails
        }
        guard !fails else { throw .system(operation: "read", path: "memory", code: 5) }
        let held = offset < bytes.count ? Array(bytes[Int(offset)...].prefix(count)) : []
        return held + [UInt8](repeating: 0, count: count - held.count)
    }
}
