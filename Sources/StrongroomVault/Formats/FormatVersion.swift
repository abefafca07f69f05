/// What the last character of a magic says.
enum FormatVersion {
    /// True for the digit of a version that this one does not know: `2` to `9`.
    static func isNewer(_ digit: UInt8) -> Bool {
        (0x32...0x39).contains(digit)
    }
}
