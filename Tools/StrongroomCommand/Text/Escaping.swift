import Strongroom

/// How keys and paths are shown to people.
///
/// Control characters (C0, DEL, C1), direction marks and the backslash are escaped as in C, so that one
/// name is one line and cannot steer a terminal. It is reversible.
enum Escaping {
    /// `text` as it is shown.
    static func shown(_ text: String) -> String { PrintedText(text).description }

    /// `bytes` as they are shown: UTF-8 as text, every other byte as three octal digits.
    static func shown(bytes: [UInt8]) -> String {
        var result = ""
        var decoder = UTF8StreamDecoder()
        for byte in bytes {
            decoder.feed(byte) { event in
                switch event {
                case .scalar(let scalar): result += shown(String(scalar))
                case .invalid(let bytes): for byte in bytes { result += octal(byte) }
                }
            }
        }
        for byte in decoder.pending { result += octal(byte) }
        return result
    }

    /// True for what can steer a terminal.
    static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F: true
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// `\033`.
    private static func octal(_ byte: UInt8) -> String {
        "\\" + String(byte >> 6, radix: 8) + String(byte >> 3 & 7, radix: 8)
            + String(byte & 7, radix: 8)
    }
}
