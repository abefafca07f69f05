import StrongroomVault
import Synchronization

/// A sealed entry in memory, as a source and as a sink.
final class SealedMemory: SealedSource, SealedSink {
    private let held: Mutex<[UInt8]>
    private let failsAfter: Int64

    /// A write that reaches past `failsAfter` throws.
    init(_ bytes: [UInt8] = [], failsAfter: Int64 = .max) {
        held = Mutex(bytes)
        self.failsAfter = failsAfter
    }

    var bytes: [UInt8] { held.withLock { $0 } }
    var byteCount: Int64 { Int64(held.withLock { $0.count }) }

    func read(at offset: Int64, count: Int) throws(VaultError) -> [UInt8] {
        held.withLock { bytes in
            guard offset >= 0, count >= 0, offset <= bytes.count else { return [] }
            return Array(bytes[Int(offset)...].prefix(count))
        }
    }

    func write(_ bytes: Span<UInt8>, at offset: Int64) throws(VaultError) {
        guard offset + Int64(bytes.count) <= failsAfter else {
            throw .system(operation: "write", path: "memory", code: 28)
        }
        var new: [UInt8] = []
        for index in bytes.indices { new.append(bytes[index]) }
        let added = new
        let isInPlace = held.withLock { held in
            guard offset >= 0, offset <= held.count else { return false }
            let start = Int(offset)
            held.replaceSubrange(start..<min(held.count, start + added.count), with: added)
            return true
        }
        guard isInPlace else { throw .system(operation: "write", path: "memory", code: 22) }
    }
}
