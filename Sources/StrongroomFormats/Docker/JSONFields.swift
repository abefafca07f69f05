/// The texts of one JSON object (RFC 8259), by name; whatever else is in it is read and dropped.
///
/// Of two fields of one name the later counts; a field that is null is not there.
struct JSONFields {
    private var values: [(name: String, value: [UInt8])] = []

    /// Reads an object.
    ///
    /// - Parameters:
    ///   - bytes: The whole text.
    ///   - names: The fields that are wanted; if one is neither text nor null, the whole is refused.
    /// - Throws: ``DockerRefusal/malformed(_:)``.
    init(reading bytes: Span<UInt8>, names: [String]) throws(DockerRefusal) {
        var scanner = JSONScanner(at: 0)
        scanner.skipSpace(bytes)
        try scanner.expect(UInt8(ascii: "{"), bytes)
        scanner.skipSpace(bytes)
        if !scanner.take(UInt8(ascii: "}"), bytes) {
            repeat {
                scanner.skipSpace(bytes)
                let name = String(decoding: try scanner.string(bytes), as: UTF8.self)
                scanner.skipSpace(bytes)
                try scanner.expect(UInt8(ascii: ":"), bytes)
                scanner.skipSpace(bytes)
                if names.contains(name) {
                    set(name, try scanner.stringOrNull(bytes, name))
                } else {
                    try scanner.skipValue(bytes)
                }
                scanner.skipSpace(bytes)
            } while scanner.take(UInt8(ascii: ","), bytes)
            try scanner.expect(UInt8(ascii: "}"), bytes)
        }
        scanner.skipSpace(bytes)
        guard scanner.offset == bytes.count else { throw JSONScanner.malformed }
    }

    /// The text of a field.
    subscript(name: String) -> [UInt8]? {
        for field in values where field.name == name { return field.value }
        return nil
    }

    private mutating func set(_ name: String, _ value: [UInt8]?) {
        values.removeAll { $0.name == name }
        if let value { values.append((name, value)) }
    }

    /// An object of texts, without a space.
    static func object(_ fields: [(name: String, value: [UInt8])]) -> [UInt8] {
        var bytes: [UInt8] = [UInt8(ascii: "{")]
        for (index, field) in fields.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            quote(field.name.utf8, into: &bytes)
            bytes.append(UInt8(ascii: ":"))
            quote(field.value, into: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    private static func quote(_ text: some Collection<UInt8>, into bytes: inout [UInt8]) {
        // A secret is not to lie in every size that an array grows through.
        bytes.reserveCapacity(bytes.count + text.count + 2)
        bytes.append(UInt8(ascii: "\""))
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case UInt8(ascii: "\n"): bytes += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
            case UInt8(ascii: "\r"): bytes += [UInt8(ascii: "\\"), UInt8(ascii: "r")]
            case UInt8(ascii: "\t"): bytes += [UInt8(ascii: "\\"), UInt8(ascii: "t")]
            case 0..<0x20, 0x7F:
                let digits = Array("0123456789abcdef".utf8)
                bytes += "\\u00".utf8
                bytes.append(digits[Int(byte >> 4)])
                bytes.append(digits[Int(byte & 0xF)])
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
