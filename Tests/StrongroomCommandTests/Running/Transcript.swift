/// A transcript: commands with what they must print and end with, in files that a person can read.
///
/// A line begins with a mark and a space:
///
///     # a comment
///     = NAME=VALUE          a variable, from here on
///     $ strongroom get k    runs the built command; quotes as in sh, $'…' with escapes of bytes as in bash
///     % rm "$ROOT/x"        runs a line of shell, where $V is the command, $ROOT the test's directory, $TOOLS scripts
///     < text                a line of its standard input (`<| text` without a newline)
///     > text                a line of its standard output (`>| text` without a newline)
///     ! text                a line of its standard error
///     ? 3                   its exit status; 0 if there is no such line
///
/// In expected lines `$ROOT` is the directory and `{id}`, `{entry}`, `{time}`, `{exact}`, `{number}` and `{…}` stand for a key's
/// id, an entry's, a time, a time with its fraction, a number, and anything.
struct Transcript {
    /// One command.
    struct Step {
        var line: Int
        var isShell: Bool
        var command: String
        var input: [UInt8] = []
        var output = ""
        var error = ""
        var status: Int32 = 0
        var variables: [String: String]
    }

    /// The steps, in order.
    var steps: [Step] = []

    /// Reads a transcript; what it does not understand is thrown as its line.
    init(parsing text: String) throws {
        var variables: [String: String] = [:]
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            guard let mark = line.first else { continue }
            let rest = line.dropFirst(2)
            switch mark {
            case "#": continue
            case "=":
                guard let split = rest.firstIndex(of: "=") else { throw Bad(line: index + 1) }
                variables[String(rest[..<split])] = String(rest[rest.index(after: split)...])
            case "$", "%":
                steps.append(
                    Step(
                        line: index + 1, isShell: mark == "%", command: String(rest),
                        variables: variables))
            default:
                guard !steps.isEmpty else { throw Bad(line: index + 1) }
                try steps[steps.count - 1].add(mark, line, number: index + 1)
            }
        }
    }

    /// A line that is not as the format says.
    struct Bad: Error { var line: Int }
}

extension Transcript.Step {
    fileprivate mutating func add(_ mark: Character, _ line: Substring, number: Int) throws {
        let isOpen = line.dropFirst().first == "|"
        let text = String(line.dropFirst(isOpen ? 3 : 2)) + (isOpen ? "" : "\n")
        switch mark {
        case "<": input += Array(text.utf8)
        case ">": output += text
        case "!": error += text
        case "?":
            guard let status = Int32(line.dropFirst(2)) else {
                throw Transcript.Bad(line: number)
            }
            self.status = status
        default: throw Transcript.Bad(line: number)
        }
    }
}
