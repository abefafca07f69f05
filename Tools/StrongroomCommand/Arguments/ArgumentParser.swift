/// Takes a command line apart by the table.
///
/// Options may stand before or after the command; nothing is
/// abbreviated; an option given twice is wrong usage, but for two of `exec`.
struct ArgumentParser {
    private var operands: [[UInt8]] = []
    private var options = GivenOptions()
    /// How many operands stand before `--`; nil without one.
    private var leadingCount: Int?

    /// The invocation that `arguments` (without the program's name) ask for.
    static func parse(_ arguments: [[UInt8]]) throws(Failure) -> Invocation {
        var parser = ArgumentParser()
        try parser.split(arguments)
        return try parser.invocation()
    }

    /// Tells options and their values from operands.
    private mutating func split(_ arguments: [[UInt8]]) throws(Failure) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == Array("--".utf8) {
                leadingCount = operands.count
                operands += rest
                return
            }
            guard argument.first == UInt8(ascii: "-"), argument.count > 1 else {
                operands.append(argument)
                continue
            }
            let (option, value) = try Self.option(argument)
            guard options[option.name] == nil || OptionTable.repeatable.contains(option.name)
            else {
                throw Failure(.usage, option.name.written, "is given twice")
            }
            options.add(
                option.name, try Self.value(of: option, inline: value, from: &rest))
        }
    }

    private static func option(
        _ argument: [UInt8]
    ) throws(Failure) -> (OptionDefinition, inline: [UInt8]?) {
        let equals = argument.firstIndex(of: UInt8(ascii: "=")) ?? argument.endIndex
        let isLong = argument[1] == UInt8(ascii: "-")
        let found =
            if isLong {
                OptionTable.long(argument[2..<equals])
            } else {
                argument.count == 2 ? OptionTable.short(argument[1]) : nil
            }
        guard let found else {
            throw Failure(
                .usage,
                Escaping.shown(bytes: Array(isLong ? argument[..<equals] : argument[...]))
                    + ": unknown option",
                advice: "for a key that begins with a dash, write -- before it")
        }
        let hasValue = isLong && equals < argument.endIndex
        return (found, hasValue ? Array(argument[(equals + 1)...]) : nil)
    }

    private static func value(
        of option: OptionDefinition, inline: [UInt8]?, from rest: inout ArraySlice<[UInt8]>
    ) throws(Failure) -> [UInt8] {
        let name = option.name.written
        guard let placeholder = option.value else {
            guard inline == nil else { throw Failure(.usage, name, "takes no value") }
            return []
        }
        guard let value = inline ?? rest.popFirst() else {
            throw Failure(.usage, name, "needs a value", advice: "write \(name) \(placeholder)")
        }
        guard !value.isEmpty else {
            throw Failure(.usage, name, "is empty", advice: "give it a value")
        }
        return value
    }

    /// Finds the command and checks operands and options against it.
    private func invocation() throws(Failure) -> Invocation {
        if options[.version] != nil { return Invocation(operands: operands, options: options) }
        guard !operands.isEmpty else {
            if options[.help] != nil { return Invocation(options: options) }
            throw Failure.noCommand
        }
        let (command, operands) = try Self.command(operands)
        let definition = CommandTable.definition(command)
        if command != .exec, let option = options.repeated {
            throw Failure(.usage, option.written, "is given twice")
        }
        for option in options.names {
            guard OptionTable.general.contains(option) || definition.options.contains(option)
            else {
                throw Failure(
                    .usage, option.written, "is no option of \(command.rawValue)",
                    advice: Self.advice(command))
            }
        }
        let invocation = Invocation(command: command, operands: operands, options: options)
        guard options[.help] == nil else { return invocation }
        // What belongs to the program is not to be taken for ours.
        if command == .exec, !operands.isEmpty, leadingCount != 1 {
            throw Failure(
                .usage, command.rawValue, "needs -- before COMMAND", advice: Self.advice(command))
        }
        guard operands.count >= definition.operandCount.lowerBound else {
            throw Failure(
                .usage, command.rawValue, "needs \(definition.operands)",
                advice: Self.advice(command))
        }
        guard operands.count <= definition.operandCount.upperBound else {
            throw Failure(
                .usage, command.rawValue, "too many operands", advice: Self.advice(command))
        }
        return invocation
    }

    /// The command that the first operand, or the first two, name, and the operands after it.
    private static func command(
        _ operands: [[UInt8]]
    ) throws(Failure) -> (CommandName, [[UInt8]]) {
        let first = String(validating: operands[0], as: UTF8.self) ?? ""
        if let command = CommandName(rawValue: first), !first.utf8.contains(UInt8(ascii: " ")) {
            return (command, Array(operands.dropFirst()))
        }
        let actions = CommandTable.actions(of: first)
        guard !actions.isEmpty else { throw unknown(operands[0]) }
        let choice = "\(first) takes " + CommandTable.actionNames(of: first)
        guard operands.count > 1 else { throw Failure(.usage, first, choice) }
        let second = String(validating: operands[1], as: UTF8.self) ?? ""
        guard let command = CommandName(rawValue: first + " " + second) else {
            throw Failure(.usage, Escaping.shown(bytes: operands[1]) + ": " + choice)
        }
        return (command, Array(operands.dropFirst(2)))
    }

    /// That there is no such command, with what may be meant.
    static func unknown(_ name: [UInt8]) -> Failure {
        let shown = Escaping.shown(bytes: name)
        if let meant = CommandTable.othersNames[shown] {
            return Failure(.usage, shown + ": unknown command", advice: "did you mean \(meant)?")
        }
        return Failure(.usage, shown + ": unknown command", advice: "see strongroom help")
    }

    private static func advice(_ command: CommandName) -> String {
        "see strongroom help \(command.rawValue)"
    }
}
