import Testing

@testable import StrongroomCommand

/// A command line and what it is taken for.
struct ParsingCase: CustomTestStringConvertible, Sendable {
    var name: String
    var arguments: [String]
    var command: CommandName?
    var operands: [String] = []
    var options: [OptionName: String] = [:]
    var testDescription: String { name }

    static let accepted = [
        ParsingCase(name: "a key", arguments: ["get", "k"], command: .get, operands: ["k"]),
        ParsingCase(
            name: "an option before the command", arguments: ["--app", "a", "get", "k"],
            command: .get, operands: ["k"], options: [.app: "a"]),
        ParsingCase(
            name: "an option after the operand", arguments: ["get", "k", "--app", "a"],
            command: .get, operands: ["k"], options: [.app: "a"]),
        ParsingCase(
            name: "a command's option before the command",
            arguments: ["--output", "f", "get", "k"],
            command: .get, operands: ["k"], options: [.output: "f"]),
        ParsingCase(
            name: "a value after an equals sign", arguments: ["get", "--output=a=b", "k"],
            command: .get, operands: ["k"], options: [.output: "a=b"]),
        ParsingCase(
            name: "short options", arguments: ["-q", "get", "-f", "-o", "x", "k"], command: .get,
            operands: ["k"], options: [.quiet: "", .force: "", .output: "x"]),
        ParsingCase(
            name: "a value that looks like an option",
            arguments: ["set", "k", "--file", "--trim"], command: .set, operands: ["k"],
            options: [.file: "--trim"]),
        ParsingCase(
            name: "a dash for standard input", arguments: ["set", "k", "--file", "-"],
            command: .set, operands: ["k"], options: [.file: "-"]),
        ParsingCase(
            name: "a lone dash is an operand", arguments: ["get", "-"], command: .get,
            operands: ["-"]),
        ParsingCase(
            name: "a key that looks like an option", arguments: ["set", "--", "--help"],
            command: .set, operands: ["--help"]),
        ParsingCase(
            name: "options end once", arguments: ["del", "a", "--", "--", "-q"], command: .del,
            operands: ["a", "--", "-q"]),
        ParsingCase(
            name: "options end before the command", arguments: ["-q", "--", "get", "-n"],
            command: .get, operands: ["-n"], options: [.quiet: ""]),
        ParsingCase(
            name: "an empty key is left to the command", arguments: ["get", ""], command: .get,
            operands: [""]),
        ParsingCase(
            name: "a command of two words", arguments: ["key", "-q", "show-id"],
            command: .keyShowID, options: [.quiet: ""]),
        ParsingCase(
            name: "help on a command without its operands", arguments: ["get", "-h"],
            command: .get, options: [.help: ""]),
        ParsingCase(name: "help alone", arguments: ["--help"], options: [.help: ""]),
        ParsingCase(name: "the version", arguments: ["--version"], options: [.version: ""]),
    ]
}

/// A command line that is wrong usage, and the line that says so.
struct RefusalCase: CustomTestStringConvertible, Sendable {
    var name: String
    var arguments: [String]
    var line: String
    var testDescription: String { name }

    static let refused = [
        RefusalCase(
            name: "nothing", arguments: [], line: "no command is given; see strongroom help"),
        RefusalCase(
            name: "an unknown command", arguments: ["frob"],
            line: "frob: unknown command; see strongroom help"),
        RefusalCase(
            name: "a command of a later version", arguments: ["unlock"],
            line: "unlock: unknown command; see strongroom help"),
        RefusalCase(
            name: "a program without two dashes before it",
            arguments: ["exec", "--set", "A=b", "true"],
            line: "exec: needs -- before COMMAND; see strongroom help exec"),
        RefusalCase(
            name: "two dashes too late", arguments: ["exec", "true", "--", "x"],
            line: "exec: needs -- before COMMAND; see strongroom help exec"),
        RefusalCase(
            name: "no program", arguments: ["exec", "--"],
            line: "exec: needs -- COMMAND [ARG…]; see strongroom help exec"),
        RefusalCase(
            name: "a file twice where it may be given once",
            arguments: ["set", "k", "--file", "a", "--file", "b"], line: "--file: is given twice"),
        RefusalCase(
            name: "an abbreviation of a command", arguments: ["stat"],
            line: "stat: unknown command; see strongroom help"),
        RefusalCase(
            name: "two words in one", arguments: ["key new"],
            line: "key new: unknown command; see strongroom help"),
        RefusalCase(
            name: "half a command", arguments: ["key"],
            line: "key: key takes new, show-id, export or import"),
        RefusalCase(
            name: "another half", arguments: ["passphrase", "change"],
            line: "change: passphrase takes set or remove"),
        RefusalCase(
            name: "an abbreviated option", arguments: ["get", "--out", "f", "k"],
            line: "--out: unknown option; for a key that begins with a dash, write -- before it"),
        RefusalCase(
            name: "short options in one word", arguments: ["-qf", "get", "k"],
            line: "-qf: unknown option; for a key that begins with a dash, write -- before it"),
        RefusalCase(
            name: "an unknown option shows no value", arguments: ["--pass=secret", "get", "k"],
            line: "--pass: unknown option; for a key that begins with a dash, write -- before it"),
        RefusalCase(
            name: "an option twice", arguments: ["--app", "a", "list", "--app", "a"],
            line: "--app: is given twice"),
        RefusalCase(
            name: "an option twice, long and short", arguments: ["get", "-f", "--force", "k"],
            line: "--force: is given twice"),
        RefusalCase(
            name: "no value", arguments: ["get", "k", "--output"],
            line: "--output: needs a value; write --output FILE"),
        RefusalCase(
            name: "an empty value", arguments: ["get", "k", "--output="],
            line: "--output: is empty; give it a value"),
        RefusalCase(
            name: "a value for a flag", arguments: ["get", "k", "--force=yes"],
            line: "--force: takes no value"),
        RefusalCase(
            name: "another command's option", arguments: ["get", "k", "--trim"],
            line: "--trim: is no option of get; see strongroom help get"),
        RefusalCase(
            name: "an area where only the vault makes sense",
            arguments: ["rotate", "--area", "vault"],
            line: "--area: is no option of rotate; see strongroom help rotate"),
        RefusalCase(
            name: "too few operands", arguments: ["move", "a"],
            line: "move: needs KEY NEW; see strongroom help move"),
        RefusalCase(
            name: "too many operands", arguments: ["get", "a", "b"],
            line: "get: too many operands; see strongroom help get"),
    ]

    static let meant = [
        "ls": "list", "rm": "del", "mv": "move", "cp": "copy", "show": "get", "insert": "set",
    ]
}

@Suite struct `Taking arguments apart` {
    @Test("is accepted", arguments: ParsingCase.accepted)
    func accepted(_ example: ParsingCase) throws {
        let invocation = try ArgumentParser.parse(example.arguments.map { Array($0.utf8) })
        #expect(invocation.command == example.command)
        #expect(invocation.operands == example.operands.map { Array($0.utf8) })
        #expect(Set(invocation.options.names) == Set(example.options.keys))
        for (name, value) in example.options {
            #expect(invocation.options[name] == Array(value.utf8))
        }
    }

    @Test("is wrong usage", arguments: RefusalCase.refused)
    func refused(_ example: RefusalCase) {
        #expect(throws: Failure(.usage, example.line)) {
            try ArgumentParser.parse(example.arguments.map { Array($0.utf8) })
        }
    }

    @Test("names what was meant", arguments: RefusalCase.meant.keys.sorted())
    func meant(_ name: String) {
        let command = RefusalCase.meant[name] ?? ""
        #expect(throws: Failure(.usage, "\(name): unknown command; did you mean \(command)?")) {
            try ArgumentParser.parse([Array(name.utf8)])
        }
    }

    @Test func `bytes that are no UTF-8 are shown in octal`() {
        #expect(
            throws: Failure(.usage, "\\377x: unknown command; see strongroom help")
        ) { try ArgumentParser.parse([[0xFF, 0x78]]) }
    }

    @Test func `the table holds every command once, and every option takes one form`() {
        #expect(CommandTable.all.map(\.name) == CommandName.allCases)
        for command in CommandTable.all {
            #expect(!command.summary.isEmpty)
            for option in command.options {
                #expect(!OptionTable.general.contains(option), "\(option) is general already")
            }
        }
        for name in OptionName.allCases {
            #expect(!OptionTable.definition(name).summary.isEmpty)
            let isUsed =
                OptionTable.general.contains(name)
                || CommandTable.all.contains { $0.options.contains(name) }
            #expect(isUsed, "\(name) belongs to no command")
        }
    }

    @Test func `help shows every command and every option`() {
        for command in CommandName.allCases {
            #expect(HelpText.general.contains("  " + command.rawValue))
            let text = HelpText.command(command)
            #expect(text.hasPrefix("usage: strongroom " + command.rawValue))
            for option in CommandTable.definition(command).options {
                #expect(text.contains(option.written))
            }
        }
        for option in OptionTable.general { #expect(HelpText.general.contains(option.written)) }
    }
}
