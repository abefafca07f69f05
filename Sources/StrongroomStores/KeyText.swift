import StrongroomSystem
@_spi(_Unicode) import Swift

/// A key's text as every area takes it: Unicode of 1 to 1,024 UTF-8 bytes, as given and in normal form C,
/// without NUL.
///
/// Two keys are the same when their normal forms are.
package struct KeyText: Hashable, Sendable {
    /// The longest key, in UTF-8 bytes.
    package static let byteCountLimit = 1024

    /// The normal form C (Unicode Standard Annex 15).
    package let text: String

    /// The key `text`, or nil if it is no key.
    package init?(_ text: String) {
        // ASCII is its own normal form, and finding that takes a microsecond, a third of a get.
        if (1...Self.byteCountLimit).contains(text.utf8.count), Bytes.arePlainText(text.utf8.span) {
            self.text = text
            return
        }
        guard Self.isAllowed(text) else { return nil }
        var normal = ""
        normal.unicodeScalars.append(contentsOf: text._nfc)
        guard Self.isAllowed(normal) else { return nil }
        self.text = normal
    }

    /// The normal form's UTF-8.
    package var bytes: [UInt8] { Array(text.utf8) }

    private static func isAllowed(_ text: String) -> Bool {
        (1...byteCountLimit).contains(text.utf8.count) && !text.utf8.contains(0)
    }
}
