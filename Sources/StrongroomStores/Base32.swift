/// Names of files from bytes that are no text: RFC 4648's base32 in lower case without padding.
///
/// Five bytes take eight letters; a disk that folds case keeps them apart.
package enum Base32 {
    private static let letters = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

    /// The letters for `bytes`.
    package static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 8 + 4) / 5)
        var bits: UInt32 = 0
        var bitCount = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            bitCount += 8
            while bitCount >= 5 {
                bitCount -= 5
                text.append(letters[Int(bits >> bitCount & 31)])
            }
        }
        if bitCount > 0 { text.append(letters[Int(bits << (5 - bitCount) & 31)]) }
        return text
    }

    /// The bytes that exactly these letters stand for, or nil: one text for each.
    package static func decode(_ text: [UInt8]) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var bitCount = 0
        for letter in text {
            let value: UInt8
            switch letter {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = letter - UInt8(ascii: "a")
            case UInt8(ascii: "2")...UInt8(ascii: "7"): value = letter - UInt8(ascii: "2") + 26
            default: return nil
            }
            bits = bits << 5 | UInt32(value)
            bitCount += 5
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> bitCount))
            }
        }
        // Left-over bits must be too few for a letter, and zero.
        guard bitCount < 5, bits & ((1 << bitCount) - 1) == 0 else { return nil }
        return bytes
    }
}
