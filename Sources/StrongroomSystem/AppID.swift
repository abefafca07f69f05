/// The name of an app, which names its directories.
package enum AppID {
    /// The longest one, in bytes.
    package static let byteCountLimit = 128

    /// True for `[A-Za-z0-9][A-Za-z0-9._-]*` of at most 128 characters.
    package static func isValid(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard let first = bytes.first, bytes.count <= byteCountLimit, isLetterOrDigit(first) else {
            return false
        }
        return bytes.allSatisfy { byte in
            isLetterOrDigit(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
                || byte == UInt8(ascii: "-")
        }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
