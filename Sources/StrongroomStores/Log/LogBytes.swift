import StrongroomSystem

// Numbers and pieces of the log's bytes, integers little-endian.

extension Span<UInt8> {
    /// The number of `byteCount` bytes, 1 to 8, at `offset`.
    func number(at offset: Int, byteCount: Int = 8) -> UInt64 {
        // All 8 at once where they are there, also for fewer.
        if count - offset >= 8 {
            return Bytes.number(self, at: offset) & .max >> UInt64(64 - 8 * byteCount)
        }
        var number: UInt64 = 0
        var index = offset + byteCount
        while index > offset {
            index -= 1
            number = number << 8 | UInt64(self[index])
        }
        return number
    }

    /// The bytes of `range` as an array.
    func copy(_ range: Range<Int>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(copying: extracting(range))
        return bytes
    }

    /// True if every byte is zero.
    var isZero: Bool {
        Bytes.areZero(self)
    }
}

extension [UInt8] {
    /// Appends the lowest `byteCount` bytes of `number`.
    mutating func append(_ number: UInt64, byteCount: Int) {
        Bytes.append(number, byteCount: byteCount, to: &self)
    }

    /// Appends all of `bytes`.
    mutating func append(copying bytes: Span<UInt8>) {
        Bytes.append(bytes, to: &self)
    }

    /// Overwrites the 8 bytes at `offset` with `number`.
    mutating func set(_ number: UInt64, at offset: Int) {
        Bytes.set(number, in: &self, at: offset)
    }
}
