/// Files of variables as docker compose (`env_file`, its `.env`) and systemd (`EnvironmentFile=`, systemd.exec(5)) both read
/// them: a `NAME=VALUE` a line, quoted.
///
/// Only what both take for the same is written and read: a value in single quotes is as it stands, in double quotes a backslash
/// stands before each `"`, `\`, `$` and backtick. A dollar that nothing stands before is refused when read, since one of them
/// puts a variable in its place.
public enum Dotenv {
    /// Why a text is refused: the line, from 1 on, and what is wrong.
    ///
    /// It never holds a value.
    public struct Failure: Error, Equatable, Sendable {
        /// The line.
        public let line: Int
        /// What is wrong.
        public let what: String
    }

    /// The line of a variable, with its newline; nil if the value cannot be said: no UTF-8, or a control character other than a
    /// newline and a tab.
    public static func line(_ name: VariableName, _ value: [UInt8]) -> [UInt8]? {
        guard let text = String(validating: value, as: UTF8.self) else { return nil }
        var isPlain = true
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n", "\t": continue
            case "'": isPlain = false
            default: if scalar.properties.generalCategory == .control { return nil }
            }
        }
        guard !isPlain else { return Array("\(name)='\(text)'\n".utf8) }
        var quoted = ""
        for scalar in text.unicodeScalars {
            if "\"\\$`".unicodeScalars.contains(scalar) { quoted += "\\" }
            quoted.unicodeScalars.append(scalar)
        }
        return Array("\(name)=\"\(quoted)\"\n".utf8)
    }

    /// The variables of a file, in its order.
    public static func variables(
        parsing bytes: [UInt8]
    ) throws(Failure) -> [(name: VariableName, value: [UInt8])] {
        var reader = Reader(rest: bytes[...])
        var found: [(name: VariableName, value: [UInt8])] = []
        while let variable = try reader.next() { found.append(variable) }
        return found
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>
        var line = 1

        mutating func next() throws(Failure) -> (name: VariableName, value: [UInt8])? {
            while let byte = rest.first {
                switch byte {
                case UInt8(ascii: "\n"), UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
                    _ = take()
                case UInt8(ascii: "#"): skipLine()
                default: return try variable()
                }
            }
            return nil
        }

        private mutating func take() -> UInt8? {
            let byte = rest.popFirst()
            if byte == UInt8(ascii: "\n") { line += 1 }
            return byte
        }

        private mutating func skipLine() {
            while let byte = take(), byte != UInt8(ascii: "\n") {}
        }

        private func failure(_ what: String) -> Failure { Failure(line: line, what: what) }

        private mutating func variable() throws(Failure) -> (name: VariableName, value: [UInt8]) {
            var name: [UInt8] = []
            while let byte = rest.first, byte != UInt8(ascii: "=") {
                guard byte != UInt8(ascii: "\n") else { break }
                name.append(byte)
                _ = take()
            }
            guard take() == UInt8(ascii: "=") else { throw failure("there is no NAME=VALUE") }
            if name.starts(with: Array("export ".utf8)) { name.removeFirst(7) }
            guard let text = String(validating: name, as: UTF8.self), let name = VariableName(text)
            else { throw failure("what stands before = is no name of a variable") }
            switch rest.first {
            case UInt8(ascii: "'"): return (name, try quoted(by: UInt8(ascii: "'")))
            case UInt8(ascii: "\""): return (name, try quoted(by: UInt8(ascii: "\"")))
            default: return (name, try plain())
            }
        }

        private mutating func quoted(by quote: UInt8) throws(Failure) -> [UInt8] {
            let start = line
            _ = take()
            var value: [UInt8] = []
            while let byte = take() {
                if byte == quote {
                    try requireEnd()
                    return value
                }
                if quote == UInt8(ascii: "\"") {
                    if byte == UInt8(ascii: "$") {
                        throw failure(
                            "a dollar without a backslash before it may stand for a variable")
                    }
                    if byte == UInt8(ascii: "\\") {
                        guard let next = take(), "\"\\$`".utf8.contains(next) else {
                            throw failure(
                                "a backslash stands before something that readers differ in")
                        }
                        value.append(next)
                        continue
                    }
                }
                value.append(byte)
            }
            throw Failure(line: start, what: "a quote is not closed")
        }

        /// After a quoted value there are blanks and perhaps a comment.
        private mutating func requireEnd() throws(Failure) {
            var isBlank = false
            while let byte = rest.first, byte != UInt8(ascii: "\n") {
                if byte == UInt8(ascii: "#"), isBlank { break }
                guard
                    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
                        || byte == UInt8(ascii: "\r")
                else { throw failure("something follows the closing quote") }
                isBlank = true
                _ = take()
            }
            skipLine()
        }

        private mutating func plain() throws(Failure) -> [UInt8] {
            var value: [UInt8] = []
            while let byte = rest.first, byte != UInt8(ascii: "\n") {
                switch byte {
                case UInt8(ascii: "$"), UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""),
                    UInt8(ascii: "#"), UInt8(ascii: "`"):
                    throw failure("a value with one of $ \\ ' \" ` # has to be quoted")
                default: value.append(byte)
                }
                _ = take()
            }
            let blanks = [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r")]
            while let last = value.last, blanks.contains(last) { value.removeLast() }
            while let first = value.first, blanks.contains(first) { value.removeFirst() }
            _ = take()
            return value
        }
    }
}
