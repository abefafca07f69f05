/// Takes the value of an entry piece by piece, inside the body of ``Area/write(_:_:)``.
public struct EntryWriter: ~Copyable, @unchecked Sendable {
    // `@unchecked Sendable`: it cannot be copied, writing needs exclusive access to it, and whoever
    // made it leaves the sink alone until the body has returned.
    private let sink: any EntrySink
    /// How many bytes were written so far.
    public private(set) var byteCount: Int64 = 0

    /// A writer into `sink`.
    init(_ sink: any EntrySink) { self.sink = sink }

    /// Writes the next piece.
    ///
    /// - Parameter bytes: The piece, of any length.
    /// - Throws: ``StrongroomError``; the body should let it pass, since nothing is published after
    ///   it.
    public mutating func write(_ bytes: Span<UInt8>) throws(StrongroomError) {
        try sink.write(bytes)
        byteCount += Int64(bytes.count)
    }

    /// Writes the next piece.
    ///
    /// - Parameter bytes: The piece, of any length.
    /// - Throws: ``StrongroomError``; the body should let it pass, since nothing is published after
    ///   it.
    public mutating func write(_ bytes: [UInt8]) throws(StrongroomError) {
        try write(bytes.span)
    }
}

/// Where an ``EntryWriter`` writes.
protocol EntrySink: AnyObject {
    /// Takes the next piece.
    func write(_ bytes: Span<UInt8>) throws(StrongroomError)
}

/// Gathers the pieces in memory.
final class MemorySink: EntrySink {
    /// What was written so far.
    private(set) var bytes: [UInt8] = []

    func write(_ bytes: Span<UInt8>) throws(StrongroomError) {
        self.bytes.reserveCapacity(self.bytes.count + bytes.count)
        for index in bytes.indices { self.bytes.append(bytes[index]) }
    }
}
