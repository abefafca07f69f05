/// Walks through JSON (RFC 8259), strictly: what is not of its grammar is refused, and so is what nests deeper than 64.
struct JSONScanner {
    /// Where it is.
    private(set) var offset: Int

    /// What is said of a text that is no JSON.
    static let malformed = DockerRefusal.malformed("the text is no JSON object")
    private static let depthLimit = 64

    /// A scanner at `offset`.
    init(at offset: Int) { self.offset = offset }

    /// Goes past white space.
    mutating func skipSpace(_ bytes: Span<UInt8>) {
        while offset < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[offset]) { offset += 1 }
    }

    /// Goes past `byte` if it comes next.
    mutating func take(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
        guard offset < bytes.count, bytes[offset] == byte else { return false }
        offset += 1
        return true
    }

    /// Goes past `byte`, which must come next.
    mutating func expect(_ byte: UInt8, _ bytes: Span<UInt8>) throws(DockerRefusal) {
        guard take(byte, bytes) else { throw Self.malformed }
    }

    /// A text, or nil for null, and nothing else.
    mutating func stringOrNull(
        _ bytes: Span<UInt8>, _ name: String
    ) throws(DockerRefusal) -> [UInt8]? {
        if offset < bytes.count, bytes[offset] == UInt8(ascii: "n") {
            try word("null", bytes)
            return nil
        }
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") else {
            throw .malformed("\(name) is no text")
        }
        return try string(bytes)
    }

    /// The text between two quotes, as UTF-8.
    mutating func string(_ bytes: Span<UInt8>) throws(DockerRefusal) -> [UInt8] {
        try expect(UInt8(ascii: "\""), bytes)
        var text: [UInt8] = []
        // Room for the whole at once: a secret is not to lie in every size that an array grows through.
        var end = offset
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
            end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        text.reserveCapacity(max(0, min(end, bytes.count) - offset))
        while offset < bytes.count {
            let byte = bytes[offset]
            offset += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard Self.isUTF8(text) else { throw .malformed("a text is not UTF-8") }
                return text
            case UInt8(ascii: "\\"): try escape(bytes, into: &text)
            case 0..<0x20: throw Self.malformed
            default: text.append(byte)
            }
        }
        throw Self.malformed
    }

    /// What follows a backslash.
    private mutating func escape(
        _ bytes: Span<UInt8>, into text: inout [UInt8]
    ) throws(DockerRefusal) {
        guard offset < bytes.count else { throw Self.malformed }
        let byte = bytes[offset]
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            var value = try hexadecimal(bytes)
            if (0xD800...0xDBFF).contains(value) {
                try expect(UInt8(ascii: "\\"), bytes)
                try expect(UInt8(ascii: "u"), bytes)
                let low = try hexadecimal(bytes)
                guard (0xDC00...0xDFFF).contains(low) else { throw Self.malformed }
                value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
            }
            // The second half of a pair alone is no character.
            guard let scalar = Unicode.Scalar(value) else { throw Self.malformed }
            text += Array(String(Character(scalar)).utf8)
        default: throw Self.malformed
        }
    }

    private mutating func hexadecimal(_ bytes: Span<UInt8>) throws(DockerRefusal) -> UInt32 {
        guard offset + 4 <= bytes.count else { throw Self.malformed }
        var value: UInt32 = 0
        for index in offset..<offset + 4 {
            let byte = bytes[index]
            switch byte {
            case 0x30...0x39: value = value << 4 | UInt32(byte - 0x30)
            case 0x41...0x46: value = value << 4 | UInt32(byte - 0x37)
            case 0x61...0x66: value = value << 4 | UInt32(byte - 0x57)
            default: throw Self.malformed
            }
        }
        offset += 4
        return value
    }

    /// Goes past a value of any kind.
    mutating func skipValue(_ bytes: Span<UInt8>, depth: Int = 0) throws(DockerRefusal) {
        guard depth < Self.depthLimit, offset < bytes.count else { throw Self.malformed }
        switch bytes[offset] {
        case UInt8(ascii: "\""): _ = try string(bytes)
        case UInt8(ascii: "{"): try skipMembers(bytes, depth, end: UInt8(ascii: "}"))
        case UInt8(ascii: "["): try skipMembers(bytes, depth, end: UInt8(ascii: "]"))
        case UInt8(ascii: "t"): try word("true", bytes)
        case UInt8(ascii: "f"): try word("false", bytes)
        case UInt8(ascii: "n"): try word("null", bytes)
        default: try skipNumber(bytes)
        }
    }

    private mutating func skipMembers(
        _ bytes: Span<UInt8>, _ depth: Int, end: UInt8
    ) throws(DockerRefusal) {
        offset += 1
        skipSpace(bytes)
        if take(end, bytes) { return }
        repeat {
            skipSpace(bytes)
            if end == UInt8(ascii: "}") {
                _ = try string(bytes)
                skipSpace(bytes)
                try expect(UInt8(ascii: ":"), bytes)
                skipSpace(bytes)
            }
            try skipValue(bytes, depth: depth + 1)
            skipSpace(bytes)
        } while take(UInt8(ascii: ","), bytes)
        try expect(end, bytes)
    }

    /// A minus sign, digits without a leading zero, a fraction, an exponent.
    private mutating func skipNumber(_ bytes: Span<UInt8>) throws(DockerRefusal) {
        _ = take(UInt8(ascii: "-"), bytes)
        if !take(UInt8(ascii: "0"), bytes) { try skipDigits(bytes) }
        if take(UInt8(ascii: "."), bytes) { try skipDigits(bytes) }
        let isCapital = take(UInt8(ascii: "E"), bytes)
        if isCapital || take(UInt8(ascii: "e"), bytes) {
            if !take(UInt8(ascii: "+"), bytes) { _ = take(UInt8(ascii: "-"), bytes) }
            try skipDigits(bytes)
        }
    }

    private mutating func skipDigits(_ bytes: Span<UInt8>) throws(DockerRefusal) {
        let start = offset
        while offset < bytes.count, (0x30...0x39).contains(bytes[offset]) { offset += 1 }
        guard offset > start else { throw Self.malformed }
    }

    private mutating func word(_ word: String, _ bytes: Span<UInt8>) throws(DockerRefusal) {
        for byte in word.utf8 { try expect(byte, bytes) }
    }

    private static func isUTF8(_ bytes: [UInt8]) -> Bool {
        String(validating: bytes, as: UTF8.self) != nil
    }
}
