import StrongroomCrypto

/// Random values for `set --generate`.
struct ValueGenerator {
    /// What a value is made of.
    enum Alphabet: String, CaseIterable, Sendable {
        case alnum, hex, base64

        /// The characters, each as likely as the next.
        var characters: [UInt8] {
            let upper = Array(UInt8(ascii: "A")...UInt8(ascii: "Z"))
            let lower = Array(UInt8(ascii: "a")...UInt8(ascii: "z"))
            let digits = Array(UInt8(ascii: "0")...UInt8(ascii: "9"))
            return switch self {
            case .alnum: upper + lower + digits
            case .hex: digits + lower[..<6]
            case .base64: upper + lower + digits + Array("+/".utf8)
            }
        }
    }

    /// The longest value, in characters.
    static let countLimit = 65_536

    /// `count` characters, each drawn by itself without bias.
    static func value(
        count: Int, alphabet: Alphabet
    ) throws(CryptoError) -> SecretBuffer {
        let characters = alphabet.characters
        // Bytes from `limit` on are drawn again: with them the first characters would be likelier.
        let limit = 256 - 256 % characters.count
        var buffer = SecretBuffer(byteCount: count)
        var filled = 0
        while filled < count {
            var drawn = try Randomness.bytes(64)
            for byte in drawn where filled < count && Int(byte) < limit {
                var span = buffer.mutableBytes
                span[filled] = characters[Int(byte) % characters.count]
                filled += 1
            }
            wipe(&drawn)
        }
        return buffer
    }
}
