/// Bytes as text without any character that means something: RFC 3986, section 2.1, one way only.
///
/// What RFC 3986 calls unreserved (ASCII letters, digits, `-`, `.`, `_`, `~`) stays; every other byte becomes `%` and two
/// upper-case digits. So a text has one escaped form, which holds no slash and is ASCII.
enum PercentEscaping {
    /// `bytes` escaped.
    static func escaped(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.underestimatedCount)
        for byte in bytes {
            if isUnreserved(byte) {
                text.append(byte)
            } else {
                text.append(UInt8(ascii: "%"))
                text.append(digit(byte >> 4))
                text.append(digit(byte & 0xF))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes that `text` stands for; nil if it is not what ``escaped(_:)`` makes of any.
    static func unescaped(_ text: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                guard isUnreserved(byte) else { return nil }
                bytes.append(byte)
                continue
            }
            guard let high = rest.next().flatMap(value), let low = rest.next().flatMap(value),
                !isUnreserved(high << 4 | low)
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
        default: false
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46: digit - 0x37
        default: nil
        }
    }
}
