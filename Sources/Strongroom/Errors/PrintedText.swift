/// A text of any content as one line shows it: control characters (C0, DEL, C1), line separators,
/// marks of direction and the backslash are escaped as in C, so that a key or path can neither
/// break the line nor dress up as another one.
package struct PrintedText: CustomStringConvertible, Sendable {
    /// The text to show.
    private let text: String

    /// Shows `text`.
    package init(_ text: String) { self.text = text }

    /// The escaped text.
    package var description: String {
        var line = ""
        for scalar in text.unicodeScalars { line += Self.escape(scalar) }
        return line
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar.value {
        case 0x5c: "\\\\"
        case 0x07: "\\a"
        case 0x08: "\\b"
        case 0x09: "\\t"
        case 0x0a: "\\n"
        case 0x0b: "\\v"
        case 0x0c: "\\f"
        case 0x0d: "\\r"
        // Three octal digits, since C reads as many hexadecimal ones as follow.
        case 0..<0x20, 0x7f: "\\" + padded(scalar.value, radix: 8, width: 3)
        // C1; Arabic letter mark, marks and embeddings of direction, isolates; separators of lines.
        case 0x80..<0xa0, 0x061c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069:
            "\\u" + padded(scalar.value, radix: 16, width: 4)
        default: String(scalar)
        }
    }

    private static func padded(_ number: UInt32, radix: Int, width: Int) -> String {
        let digits = String(number, radix: radix)
        return String(repeating: "0", count: width - digits.count) + digits
    }
}
