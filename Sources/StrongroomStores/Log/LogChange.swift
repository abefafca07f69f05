import StrongroomSystem

/// A change made ready to be written: with its stamp and its sum.
struct LogChange: Sendable {
    /// Where the bytes of a put are.
    enum Source: Sendable {
        /// In memory.
        case bytes([UInt8])
        /// In a file of the store's own.
        case staged(StagedFile)
        /// In another log.
        case log(LogFile, offset: Int64)
        /// Nowhere: it is no put.
        case none
    }

    let kind: LogEntry.Kind
    let id: EntryID
    let source: Source
    let byteCount: Int64
    let stamp: UInt64
    let sum: UInt64

    /// A removal.
    static func remove(_ id: EntryID) -> LogChange {
        LogChange(kind: .remove, id: id, source: .none, byteCount: 0, stamp: 0, sum: 0)
    }

    /// A put of what is in memory or in a file of the store's own, for the log of `block`.
    static func put(
        _ id: EntryID, _ source: Source, block: LogBlock
    ) throws(StoreError) -> LogChange {
        if case .bytes(let bytes) = source {
            return LogChange(
                kind: .put, id: id, source: source, byteCount: Int64(bytes.count),
                stamp: block.isSealed ? LogEntry.stamp(of: bytes) : 0,
                sum: try LogSum.payload(bytes, key: block.log.bytes))
        }
        var sum = PayloadSum(key: block.log.bytes)
        var byteCount: Int64 = 0
        try source.read { (bytes) throws(StoreError) in
            try sum.add(bytes)
            byteCount += Int64(bytes.count)
        }
        guard byteCount <= LogEntry.byteCountLimit else {
            throw .tooLarge(id, limit: LogEntry.byteCountLimit)
        }
        return LogChange(
            kind: .put, id: id, source: source, byteCount: byteCount,
            stamp: block.isSealed ? sum.stamp : 0, sum: try sum.finish())
    }

    /// A row of a table for it, whose payload lies at `offset`.
    func entry(at offset: Int64) -> LogEntry {
        LogEntry(
            kind: kind, id: id, offset: offset, byteCount: byteCount, stamp: stamp, sum: sum)
    }

    /// Bytes that it takes in a commit.
    var commitByteCount: Int64 {
        byteCount + Int64(LogEntry.fixedByteCount + id.bytes.count)
    }
}

extension LogChange.Source {
    /// Hands over all of it in pieces; what lies in another log has `byteCount` bytes.
    func read(
        byteCount: Int64 = 0, into body: (Span<UInt8>) throws(StoreError) -> Void
    ) throws(StoreError) {
        switch self {
        case .none: break
        case .bytes(let bytes): try body(bytes.span)
        case .staged(let staged):
            var offset: Int64 = 0
            let end = staged.byteCount
            while offset < end {
                let bytes = try staged.read(at: offset, count: Int(min(1 << 20, end - offset)))
                try body(bytes.span)
                offset += Int64(bytes.count)
            }
        case .log(let log, let offset):
            guard try log.pieces(of: offset, byteCount, into: body) else {
                throw .system(
                    operation: "read", path: log.file.path.description, code: ErrorCode.io)
            }
        }
    }
}
