// Integers in the store's own files, least significant byte first.

extension [UInt8] {
    /// Appends the bytes of `number`.
    mutating func appendLittleEndian(_ number: some FixedWidthInteger & UnsignedInteger) {
        for index in 0..<(number.bitWidth / 8) {
            append(UInt8(truncatingIfNeeded: number >> (8 * index)))
        }
    }
}

/// Takes a file of the store's own apart, from the front; nil where it is too short.
struct ByteReader {
    private var rest: ArraySlice<UInt8>

    /// A reader of all of `bytes`.
    init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// True when everything was taken.
    var isAtEnd: Bool { rest.isEmpty }

    /// The next `count` bytes.
    mutating func bytes(_ count: Int) -> [UInt8]? {
        guard count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// The next number.
    mutating func number<Number: FixedWidthInteger & UnsignedInteger>(
        _ type: Number.Type
    ) -> Number? {
        guard let bytes = bytes(Number.bitWidth / 8) else { return nil }
        var number: Number = 0
        for byte in bytes.reversed() { number = number << 8 | Number(byte) }
        return number
    }
}
