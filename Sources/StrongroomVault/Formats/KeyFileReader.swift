/// Takes the lines of a key file that count, one after the other, each `name value`.
///
/// A byte order mark, CRLF, spaces and tabs at the end of a line, empty lines and lines that start
/// with `#` do not count. Nothing is copied: what it answers lies in the text.
struct KeyFileReader: ~Escapable {
    private let text: Span<UInt8>
    private let path: String
    private var offset = 0

    @_lifetime(copy text)
    init(_ text: Span<UInt8>, path: String) {
        self.text = text
        self.path = path
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        if text.count >= 3, text.extracting(0..<3).equals(mark) { offset = 3 }
    }

    /// True if no line that counts is left.
    var isAtEnd: Bool { lineAfter(offset) == nil }

    /// The value of the next line if its name is `name`; else nil, and the line is still there.
    @_lifetime(copy self)
    mutating func take(_ name: String) -> Span<UInt8>? {
        guard let (line, next) = lineAfter(offset) else { return nil }
        let start = line.lowerBound + name.utf8.count + 1
        guard start < line.upperBound,
            text.extracting(line.lowerBound..<start).equals(Array(name.utf8) + [0x20])
        else { return nil }
        offset = next
        return text.extracting(start..<line.upperBound)
    }

    /// The value of the next line, whose name must be `name`.
    @_lifetime(copy self)
    mutating func require(_ name: String) throws(VaultError) -> Span<UInt8> {
        guard let value = take(name) else {
            throw malformed("the line “\(name)” is missing, or not in its place")
        }
        return value
    }

    /// The value of the next line, `byteCount` bytes in hexadecimal that are no secret.
    mutating func bytes(_ name: String, _ byteCount: Int) throws(VaultError) -> [UInt8] {
        try Self.bytes(of: try require(name), name, byteCount, path: path)
    }

    /// The same of a value that was taken.
    static func bytes(
        of digits: Span<UInt8>, _ name: String, _ byteCount: Int, path: String
    ) throws(VaultError) -> [UInt8] {
        try checkCount(of: digits, name, byteCount, path: path)
        guard let bytes = Hexadecimal.decode(digits) else {
            throw Self.noDigits(name, path: path)
        }
        return bytes
    }

    /// Throws unless there are twice `byteCount` digits.
    static func checkCount(
        of digits: Span<UInt8>, _ name: String, _ byteCount: Int, path: String
    ) throws(VaultError) {
        guard digits.count == byteCount * 2 else {
            throw .masterKeyMalformed(
                path: path,
                reason: "the line “\(name)” has \(digits.count) digits instead of \(byteCount * 2)")
        }
    }

    static func noDigits(_ name: String, path: String) -> VaultError {
        .masterKeyMalformed(
            path: path,
            reason: "the line “\(name)” holds something else than the digits 0 to 9 and a to f")
    }

    /// The value of the next line, a decimal number without leading zeros, at most 18 digits.
    mutating func number(_ name: String) throws(VaultError) -> UInt64 {
        let digits = try require(name)
        var number: UInt64 = 0
        for index in digits.indices {
            guard (0x30...0x39).contains(digits[index]), digits[0] != 0x30, digits.count <= 18
            else { throw malformed("the line “\(name)” is no number") }
            number = number * 10 + UInt64(digits[index] - 0x30)
        }
        return number
    }

    func malformed(_ reason: String) -> VaultError {
        .masterKeyMalformed(path: path, reason: reason)
    }

    /// The next line that counts from `start` on, without what stands at its end, and where the line after
    /// it starts.
    private func lineAfter(_ start: Int) -> (Range<Int>, next: Int)? {
        var start = start
        while start < text.count {
            var next = start
            while next < text.count, text[next] != 0x0A { next += 1 }
            var end = next
            while end > start, [0x20, 0x09, 0x0D].contains(text[end - 1]) { end -= 1 }
            if end > start, text[start] != 0x23 { return (start..<end, min(next + 1, text.count)) }
            start = next + 1
        }
        return nil
    }
}
