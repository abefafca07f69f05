import StrongroomCrypto

/// The sums of a log: SipHash-2-4 under the log's id, which find damage and no forgery.
enum LogSum {
    /// Bytes of a piece of a long payload.
    static let pieceByteCount = 65_536

    /// The sum of the whole of `bytes` under a log's id, 16 bytes.
    static func sum(_ bytes: Span<UInt8>, key: [UInt8]) throws(StoreError) -> UInt64 {
        do {
            return try SipHash.sum(bytes, key: key.span)
        } catch {
            // Only a libsodium that does not start gets here.
            throw .system(operation: "hash", path: "libsodium", code: -1)
        }
    }

    /// The sum of a payload in memory.
    static func payload(_ bytes: [UInt8], key: [UInt8]) throws(StoreError) -> UInt64 {
        // Of one piece nothing has to be kept.
        if bytes.count <= pieceByteCount { return try sum(bytes.span, key: key) }
        var sum = PayloadSum(key: key)
        try sum.add(bytes.span)
        return try sum.finish()
    }
}

/// The sum of a payload that comes piece by piece.
///
/// Up to 65,536 bytes it is the sum of the bytes; of more it is the sum of the sums of its pieces of 65,536 bytes, 8
/// bytes each, in their order.
struct PayloadSum {
    private let key: [UInt8]
    private var sums: [UInt8] = []
    private var rest: [UInt8] = []
    private var stampBytes: [UInt8] = []

    /// Under a log's id.
    init(key: [UInt8]) { self.key = key }

    /// Adds what comes next.
    mutating func add(_ bytes: Span<UInt8>) throws(StoreError) {
        if stampBytes.count < LogEntry.stampRange.upperBound {
            let count = min(bytes.count, LogEntry.stampRange.upperBound - stampBytes.count)
            stampBytes.append(copying: bytes.extracting(0..<count))
        }
        var start = 0
        if rest.isEmpty, sums.isEmpty, bytes.count <= LogSum.pieceByteCount {
            rest.append(copying: bytes)
            return
        }
        while start < bytes.count {
            if rest.isEmpty, bytes.count - start > LogSum.pieceByteCount {
                // A whole piece, and more behind it: summed where it lies.
                let piece = bytes.extracting(start..<(start + LogSum.pieceByteCount))
                sums.append(try LogSum.sum(piece, key: key), byteCount: 8)
                start += LogSum.pieceByteCount
                continue
            }
            // A piece is summed when more comes: a payload of one piece is no list of sums.
            if rest.count == LogSum.pieceByteCount { try takeRest() }
            let count = min(bytes.count - start, LogSum.pieceByteCount - rest.count)
            rest.append(copying: bytes.extracting(start..<(start + count)))
            start += count
        }
    }

    private mutating func takeRest() throws(StoreError) {
        sums.append(try LogSum.sum(rest.span, key: key), byteCount: 8)
        rest.removeAll(keepingCapacity: true)
    }

    /// The sum of all that was added.
    mutating func finish() throws(StoreError) -> UInt64 {
        guard !sums.isEmpty else { return try LogSum.sum(rest.span, key: key) }
        if !rest.isEmpty { try takeRest() }
        return try LogSum.sum(sums.span, key: key)
    }

    /// The stamp of all that was added: bytes 12 to 19, zeros where it is shorter.
    var stamp: UInt64 { LogEntry.stamp(of: stampBytes) }
}
