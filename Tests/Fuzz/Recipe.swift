/// Takes an input apart that says how to make what is decoded; where it is too short there are zeros.
struct Recipe {
    private var rest: ArraySlice<UInt8>

    init(_ input: [UInt8]) { rest = input[...] }

    /// True when everything was taken.
    var isAtEnd: Bool { rest.isEmpty }

    /// The next byte.
    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// The next number, little-endian.
    mutating func number<Number: FixedWidthInteger>(_: Number.Type) -> Number {
        var number: Number = 0
        for index in 0..<Number.bitWidth / 8 {
            number |= Number(truncatingIfNeeded: byte()) << Number(8 * index)
        }
        return number
    }

    /// The next `count` bytes, fewer at the end.
    mutating func bytes(_ count: Int) -> [UInt8] {
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// Exactly `count` bytes, zeros behind the end.
    mutating func filled(_ count: Int) -> [UInt8] {
        let bytes = bytes(count)
        return bytes + [UInt8](repeating: 0, count: count - bytes.count)
    }

    /// All that is left.
    mutating func all() -> [UInt8] { bytes(rest.count) }
}
