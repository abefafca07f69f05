/// Lower-case hexadecimal text, two digits a byte.
///
/// Keys pass through here, so no branch and no table looks at a digit.
package enum Hexadecimal {
    /// The digits of bytes that are no secret.
    package static func text(of bytes: [UInt8]) -> String {
        var text = ""
        text.reserveCapacity(bytes.count * 2)
        for byte in bytes {
            text.unicodeScalars.append(Unicode.Scalar(digit(byte >> 4)))
            text.unicodeScalars.append(Unicode.Scalar(digit(byte & 15)))
        }
        return text
    }

    /// The ASCII digit of a number below 16.
    static func digit(_ number: UInt8) -> UInt8 {
        let number = Int(number)
        return UInt8(truncatingIfNeeded: number + 48 + (((9 - number) >> 63) & 39))
    }

    /// Writes the bytes that `digits` stand for into all of `bytes`; false, with `bytes` half written, if
    /// there are not exactly twice as many digits or one is no lower-case hexadecimal digit.
    static func decode(_ digits: Span<UInt8>, into bytes: inout MutableSpan<UInt8>) -> Bool {
        guard digits.count == bytes.count * 2 else { return false }
        var invalid = 0
        for index in bytes.indices {
            let high = value(of: digits[index * 2], invalid: &invalid)
            let low = value(of: digits[index * 2 + 1], invalid: &invalid)
            bytes[index] = high << 4 | low
        }
        return invalid == 0
    }

    /// The same into an array, for bytes that are no secret.
    static func decode(_ digits: Span<UInt8>) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: digits.count / 2)
        var span = bytes.mutableSpan
        guard decode(digits, into: &span) else { return nil }
        return bytes
    }

    private static func value(of digit: UInt8, invalid: inout Int) -> UInt8 {
        let number = Int(digit) - 48
        let letter = Int(digit) - 97
        let isNoNumber = (number | (9 - number)) >> 63
        let isNoLetter = (letter | (5 - letter)) >> 63
        invalid |= isNoNumber & isNoLetter
        return UInt8(truncatingIfNeeded: (number & ~isNoNumber) | ((letter + 10) & ~isNoLetter))
    }
}
