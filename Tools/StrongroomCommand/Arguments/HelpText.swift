/// The help, from the table.
enum HelpText {
    /// How the command is called, in one line.
    static let usage = "usage: strongroom [options] COMMAND …"

    /// Help on everything.
    static var general: String {
        var text = usage + "\n\n"
        text += "Keeps an app's secret values, sealed, and gives them out by key.\n\nCommands:\n"
        for command in CommandTable.all {
            text += line(title(command), command.summary)
        }
        text += "\nOptions of every command:\n"
        for name in OptionTable.general { text += line(OptionTable.definition(name)) }
        text += """

            Variables (an option beats its variable): STRONGROOM_APP, STRONGROOM_ROOT, STRONGROOM_WAIT,
            STRONGROOM_KEY, STRONGROOM_KEY_FILE, STRONGROOM_KEY_FD, STRONGROOM_KEY_COMMAND,
            STRONGROOM_PASSPHRASE_FILE, STRONGROOM_PASSPHRASE_FD, STRONGROOM_PASSPHRASE_COMMAND.

            Exit status: 0 done; 1 failed for another reason; 2 wrong usage; 3 no entry; 4 master key or
            passphrase missing; 5 wrong master key; 6 damaged; 7 made by a newer version; 8 busy;
            9 exists already; 125 to 127 only of exec.

            strongroom help COMMAND shows more of one command.

            """
        return text
    }

    /// Help on one command.
    static func command(_ name: CommandName) -> String {
        let command = CommandTable.definition(name)
        let options = command.options.isEmpty ? "" : " [options]"
        let operands = command.operands.isEmpty ? "" : " " + command.operands
        var text = "usage: strongroom \(name.rawValue)\(options)\(operands)\n\n"
        text += command.summary.prefix(1).uppercased() + command.summary.dropFirst() + ".\n"
        if !command.details.isEmpty { text += "\n" + command.details + "\n" }
        if !command.options.isEmpty {
            text += "\nOptions:\n"
            for option in command.options {
                let meaning = command.meanings.first { $0.key == option }?.value
                text += line(OptionTable.definition(option), meaning: meaning)
            }
        }
        return text + "\nstrongroom help shows the options that all commands take.\n"
    }

    private static func title(_ command: CommandDefinition) -> String {
        command.operands.isEmpty
            ? command.name.rawValue : command.name.rawValue + " " + command.operands
    }

    private static func line(_ option: OptionDefinition, meaning: String? = nil) -> String {
        var written = option.name.written
        if let short = option.short {
            written = "-" + String(Unicode.Scalar(short)) + ", " + written
        }
        if let value = option.value { written += " " + value }
        return line(written, meaning ?? option.summary)
    }

    private static func line(_ left: String, _ right: String) -> String {
        let width = 32
        let gap = max(2, width - left.count)
        return "  " + left + String(repeating: " ", count: gap) + right + "\n"
    }
}
