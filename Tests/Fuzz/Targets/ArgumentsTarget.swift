@testable import StrongroomCommand

/// Command lines; each argument ends with a NUL.
enum ArgumentsTarget {
    static func run(_ input: [UInt8]) throws {
        var arguments = input.split(separator: 0, omittingEmptySubsequences: false).map(Array.init)
        if arguments.last == [] { arguments.removeLast() }
        let invocation: Invocation
        do {
            invocation = try ArgumentParser.parse(arguments)
        } catch {
            expect(error.status == .usage, "wrong usage with another status")
            expect(
                !error.line.unicodeScalars.contains(where: Escaping.isControl),
                "an error that steers a terminal")
            return
        }
        // Nothing comes out that did not go in: operands are arguments, values are arguments or what follows a `=`.
        for operand in invocation.operands {
            expect(arguments.contains(operand), "an operand that nobody gave")
        }
        for name in invocation.options.names {
            guard let value = invocation.options[name], !value.isEmpty else {
                expect(
                    OptionTable.definition(name).value == nil, "an option without its value")
                continue
            }
            let inline = Array("\(name.written)=".utf8) + value
            expect(
                arguments.contains(value) || arguments.contains(inline),
                "a value that nobody gave")
        }
        if let command = invocation.command, !invocation.has(.help) {
            let definition = CommandTable.definition(command)
            expect(
                definition.operandCount.contains(invocation.operands.count),
                "too few or too many operands")
        }
        for option in invocation.options.names {
            judge(option, of: invocation)
        }
    }

    /// Words that are judged later: an error is wrong usage.
    private static func judge(_ option: OptionName, of invocation: Invocation) {
        do {
            _ = try invocation.path(option)
            _ = try invocation.text(option)
            if let value = invocation.options[option] {
                _ = try Invocation.number(value, named: option.written, in: 0...1000)
            }
        } catch {
            expect(error.status == .usage, "wrong usage with another status")
        }
    }
}
