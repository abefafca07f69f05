/// Splits a transcript's command line into arguments, as a shell does.
///
/// There are blanks, `'…'`, `"…"`, and `$'…'` with the escapes `n`, `t`, `xHH`, and a backslash before anything else. `$ROOT` is
/// put in everywhere.
struct ShellWords {
    private var words: [[UInt8]] = []
    private var word: [UInt8]?
    private var rest: ArraySlice<UInt8>

    /// The arguments of `line`.
    static func split(_ line: String, root: String) -> [[UInt8]] {
        var splitter = ShellWords(rest: Array(line.replacing("$ROOT", with: root).utf8)[...])
        while let byte = splitter.rest.popFirst() { splitter.take(byte) }
        splitter.endWord()
        return splitter.words
    }

    private init(rest: ArraySlice<UInt8>) { self.rest = rest }

    private mutating func take(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: " "): endWord()
        case UInt8(ascii: "'"), UInt8(ascii: "\""): quoted(until: byte)
        case UInt8(ascii: "$") where rest.first == UInt8(ascii: "'"):
            rest.removeFirst()
            escaped()
        default: word = (word ?? []) + [byte]
        }
    }

    private mutating func endWord() {
        if let word { words.append(word) }
        word = nil
    }

    private mutating func quoted(until quote: UInt8) {
        var text = word ?? []
        while let byte = rest.popFirst(), byte != quote { text.append(byte) }
        word = text
    }

    private mutating func escaped() {
        var text = word ?? []
        while let byte = rest.popFirst(), byte != UInt8(ascii: "'") {
            guard byte == UInt8(ascii: "\\"), let escape = rest.popFirst() else {
                text.append(byte)
                continue
            }
            switch escape {
            case UInt8(ascii: "n"): text.append(10)
            case UInt8(ascii: "t"): text.append(9)
            case UInt8(ascii: "x"):
                let digits = String(decoding: rest.prefix(2), as: UTF8.self)
                rest = rest.dropFirst(2)
                text.append(UInt8(digits, radix: 16) ?? 0)
            default: text.append(escape)
            }
        }
        word = text
    }
}
