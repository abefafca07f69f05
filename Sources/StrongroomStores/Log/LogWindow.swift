import StrongroomSystem

/// A part of a log in memory, read ahead in growing steps: who follows commits reads small heads that lie close by.
struct LogWindow {
    private static let firstByteCount = 4096
    private static let lastByteCount = 1 << 20

    private let file: OpenFile
    /// What was read last.
    private(set) var bytes: [UInt8] = []
    private var start: Int64 = 0
    private var nextByteCount = firstByteCount

    init(_ file: OpenFile) { self.file = file }

    /// The `count` bytes at `offset`, fewer only where the file ends.
    mutating func read(at offset: Int64, count: Int) throws(StoreError) -> [UInt8] {
        let range = try hold(at: offset, count: count)
        return Array(bytes[range])
    }

    /// Where the `count` bytes at `offset` lie in `bytes`, fewer only where the file ends.
    mutating func hold(at offset: Int64, count: Int) throws(StoreError) -> Range<Int> {
        if offset < start || offset + Int64(count) > start + Int64(bytes.count) {
            try fill(at: offset, count: count)
        }
        let from = Int(offset - start)
        return from..<max(from, min(from + count, bytes.count))
    }

    private mutating func fill(at offset: Int64, count: Int) throws(StoreError) {
        let byteCount = max(count, nextByteCount)
        bytes = try system(try file.read(at: offset, count: byteCount))
        start = offset
        nextByteCount = min(nextByteCount * 4, Self.lastByteCount)
    }
}
