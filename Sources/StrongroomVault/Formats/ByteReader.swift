import StrongroomSystem

/// Takes fields one after the other from bytes that may be anything; integers little-endian.
///
/// Each answers nil where too few bytes are left.
struct ByteReader: ~Escapable {
    private let bytes: Span<UInt8>
    private(set) var offset = 0

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>) {
        self.bytes = bytes
    }

    /// How many bytes are left.
    var remaining: Int { bytes.count - offset }

    @_lifetime(copy self)
    mutating func take(_ count: Int) -> Span<UInt8>? {
        guard count >= 0, count <= remaining else { return nil }
        let taken = bytes.extracting(offset..<offset + count)
        offset += count
        return taken
    }

    mutating func array(_ count: Int) -> [UInt8]? {
        guard let taken = take(count) else { return nil }
        return Array(copying: taken)
    }

    mutating func integer<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
        guard let taken = take(Number.bitWidth / 8) else { return nil }
        return Number(littleEndian: taken)
    }

    /// Strict UTF-8.
    mutating func text(_ count: Int) -> String? {
        guard let taken = take(count) else { return nil }
        return String(strict: taken)
    }
}

extension FixedWidthInteger {
    /// The number whose little-endian bytes these are.
    init(littleEndian bytes: Span<UInt8>) {
        self = 0
        for index in bytes.indices { self |= Self(truncatingIfNeeded: bytes[index]) << (8 * index) }
    }
}

extension String {
    /// The text of these bytes, or nil if they are not UTF-8.
    init?(strict bytes: Span<UInt8>) {
        guard let text = try? UTF8Span(validating: bytes) else { return nil }
        self.init(copying: text)
    }
}

extension Array<UInt8> {
    /// A plain copy of bytes that are no secret.
    init(copying bytes: Span<UInt8>) {
        self = []
        reserveCapacity(bytes.count)
        Bytes.append(bytes, to: &self)
    }
}

extension Span<UInt8> {
    /// True if the bytes are those of `other`, for what is no secret.
    func equals(_ other: [UInt8]) -> Bool {
        Bytes.areEqual(self, other.span)
    }
}
