/// Sixteen bytes as two little-endian words: a log's id, a boot's id, a chain tag.
package struct Bytes16: Hashable, Sendable {
    /// Bytes in one.
    package static let byteCount = 16
    /// Sixteen zeros.
    package static let zero = Bytes16(low: 0, high: 0)

    /// Bytes 0 to 7.
    let low: UInt64
    /// Bytes 8 to 15.
    let high: UInt64

    init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    /// The 16 bytes at `offset` of `bytes`, which has that many.
    package init(_ bytes: Span<UInt8>, at offset: Int = 0) {
        low = bytes.number(at: offset)
        high = bytes.number(at: offset + 8)
    }

    /// The bytes.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(self)
        return bytes
    }
}

extension [UInt8] {
    /// Appends sixteen bytes.
    mutating func append(_ bytes: Bytes16) {
        append(bytes.low, byteCount: 8)
        append(bytes.high, byteCount: 8)
    }
}
