/// `~/.netrc`, where ftp, curl and others look up passwords (netrc(5) of GNU inetutils; curl's `.netrc`).
///
/// Words are parted by white space; one in double quotes may hold white space, and a backslash in it takes the next character
/// as it stands. A `#` at a word's beginning makes the rest of the line a comment. Macros are passed over.
public struct Netrc: Equatable, Sendable {
    /// Why a text is refused: the line, from 1 on, and what is wrong.
    ///
    /// It never holds a value.
    public struct Failure: Error, Equatable, Sendable {
        /// The line.
        public let line: Int
        /// What is wrong.
        public let what: String
    }

    /// One machine, or, without a name, the default one.
    public struct Machine: Equatable, Sendable {
        /// Its name; nil for `default`.
        public let name: String?
        /// Who.
        public var login: String?
        /// The password.
        public var password: String?
        /// A second password, of hosts that want one.
        public var account: String?
    }

    /// The machines, in their order.
    public private(set) var machines: [Machine] = []
    /// How many macros were passed over.
    public private(set) var macroCount = 0

    /// Reads a file.
    public init(parsing bytes: [UInt8]) throws(Failure) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(line: 1, what: "it is not UTF-8")
        }
        var words = Words(rest: text.unicodeScalars[...])
        while let word = try words.next() {
            switch word {
            case "machine":
                guard let name = try words.next() else {
                    throw words.failure("machine lacks a name")
                }
                machines.append(Machine(name: name))
            case "default": machines.append(Machine(name: nil))
            case "login", "password", "account":
                guard let value = try words.next() else {
                    throw words.failure("\(word) lacks a value")
                }
                guard let last = machines.indices.last else {
                    throw words.failure("\(word) stands before any machine")
                }
                switch word {
                case "login": machines[last].login = value
                case "password": machines[last].password = value
                default: machines[last].account = value
                }
            case "macdef":
                macroCount += 1
                words.skipMacro()
            default:
                throw words.failure(
                    "a word is none of machine, default, login, password, account, macdef")
            }
        }
    }

    private struct Words {
        var rest: Substring.UnicodeScalarView
        var line = 1

        func failure(_ what: String) -> Failure { Failure(line: line, what: what) }

        private mutating func take() -> Unicode.Scalar? {
            let scalar = rest.popFirst()
            if scalar == "\n" { line += 1 }
            return scalar
        }

        mutating func next() throws(Failure) -> String? {
            while let scalar = rest.first, scalar.properties.isWhitespace || scalar == "#" {
                if scalar == "#" {
                    while let next = rest.first, next != "\n" { _ = take() }
                } else {
                    _ = take()
                }
            }
            guard let first = rest.first else { return nil }
            var word = ""
            if first == "\"" {
                _ = take()
                while let scalar = take() {
                    if scalar == "\"" { return word }
                    if scalar == "\\" {
                        guard let escaped = take() else { break }
                        word.unicodeScalars.append(escaped)
                    } else {
                        word.unicodeScalars.append(scalar)
                    }
                }
                throw failure("a quote is not closed")
            }
            while let scalar = rest.first, !scalar.properties.isWhitespace {
                word.unicodeScalars.append(scalar)
                _ = take()
            }
            return word
        }

        /// A macro goes up to a blank line.
        mutating func skipMacro() {
            var isBlank = false
            while let scalar = take() {
                if scalar == "\n" {
                    if isBlank { return }
                    isBlank = true
                } else if scalar != "\r" {
                    isBlank = false
                }
            }
        }
    }
}
