/// `help`, `--help` and `--version`.
enum HelpCommand {
    /// Runs `help`.
    static func run(_ session: Session) throws(Failure) {
        var words: [String] = []
        for operand in session.invocation.operands {
            guard let word = String(validating: operand, as: UTF8.self) else {
                throw ArgumentParser.unknown(operand)
            }
            words.append(word)
        }
        try session.console.write(text(on: words))
    }

    /// Help on a command of one word or two, on all whose first word it is, or on everything.
    private static func text(on words: [String]) throws(Failure) -> String {
        guard let first = words.first else { return HelpText.general }
        if let command = CommandName(rawValue: words.joined(separator: " ")) {
            return HelpText.command(command)
        }
        let actions = words.count == 1 ? CommandTable.actions(of: first) : []
        guard !actions.isEmpty else {
            throw ArgumentParser.unknown(Array(words.joined(separator: " ").utf8))
        }
        return actions.map(HelpText.command).joined(separator: "\n")
    }
}
