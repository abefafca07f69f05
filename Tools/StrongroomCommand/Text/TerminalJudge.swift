/// Judges, piece by piece, whether a value may be shown on a terminal: UTF-8 text without control characters but
/// newline and tab, and without direction marks.
struct TerminalJudge {
    private var decoder = UTF8StreamDecoder()
    private var isClean = true

    /// True if all that was looked at is plain text.
    var isPlain: Bool { isClean && decoder.pending.isEmpty }

    /// Looks at the next piece.
    mutating func look(at bytes: Span<UInt8>) {
        var clean = isClean
        for index in bytes.indices where clean {
            decoder.feed(bytes[index]) { event in
                switch event {
                case .invalid: clean = false
                case .scalar("\n"), .scalar("\t"): break
                case .scalar(let scalar): if Escaping.isControl(scalar) { clean = false }
                }
            }
        }
        isClean = clean
    }
}
