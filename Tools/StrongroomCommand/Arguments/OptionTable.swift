/// The options of all commands.
///
/// Parsing and help come from here.
enum OptionTable {
    /// The definition of `name`.
    static func definition(_ name: OptionName) -> OptionDefinition {
        switch name {
        case .app: define(name, "ID", "the app whose container is used (strongroom)")
        case .root: define(name, "DIR", "the whole container below one directory")
        case .area: define(name, "NAME", "vault (the default), storage, cache or temporary")
        case .keyFile: define(name, "FILE", "the master-key file")
        case .keyDescriptor: define(name, "N", "read the master key from an open descriptor")
        case .keyCommand: define(name, "COMMAND", "a command that prints the master key")
        case .passphraseFile: define(name, "FILE", "a file that holds the key's passphrase")
        case .passphraseDescriptor: define(name, "N", "the same from an open descriptor")
        case .passphraseCommand: define(name, "COMMAND", "a command that prints the passphrase")
        case .newPassphraseFile: define(name, "FILE", "a file that holds the new passphrase")
        case .newPassphraseDescriptor: define(name, "N", "the same from an open descriptor")
        case .wait: define(name, "SECONDS", "how long to wait for a lock (10)")
        case .quiet: define(name, short: "q", nil, "results and errors only")
        case .help: define(name, short: "h", nil, "show help and stop")
        case .version: define(name, nil, "show the version and stop")
        case .abort: define(name, nil, "undo --begin")
        case .all: define(name, nil, "every entry")
        case .alphabet: define(name, "NAME", "alnum (the default), hex or base64")
        case .begin: define(name, nil, "begin a rotation in two calls")
        case .drop:
            define(name, "ENTRY", "give up one damaged entry, its key or id:HEX, or what is lost")
        case .file: define(name, "FILE", "read from a file; - is standard input")
        case .finish: define(name, nil, "finish a rotation that was begun, with the new key")
        case .force: define(name, short: "f", nil, "go on where the command would refuse")
        case .generate: define(name, "N", "make a random value of N characters")
        case .json: define(name, nil, "write JSON")
        case .layout: define(name, "NAME", "how entries are stored: log (the default) or files")
        case .long: define(name, nil, "show size and times too")
        case .null: define(name, nil, "raw keys, a NUL after each")
        case .output: define(name, short: "o", "FILE", "write to a file, mode 0600")
        case .passphrase: define(name, nil, "seal the master-key file with a passphrase")
        case .plain: define(name, nil, "the key itself, of a sealed key file too")
        case .prefix: define(name, "FOLDER", "every entry below FOLDER, by names made of the keys")
        case .pristine:
            define(name, nil, "begin with PATH, HOME, USER, LANG, TERM and TMPDIR alone")
        case .repair: define(name, nil, "set right what can be set right")
        case .set: define(name, "NAME=KEY", "the variable NAME is the value of KEY")
        case .to: define(name, "AREA", "the area to write to")
        case .trim: define(name, nil, "drop one final newline of the value")
        case .under: define(name, "FOLDER", "every entry that list FOLDER shows")
        case .acceptRollback:
            define(name, nil, "take an older vault that was put back for the newest")
        case .dryRun: define(name, nil, "only show what would happen")
        case .format: define(name, "NAME", "json or dotenv")
        case .ifAbsent: define(name, nil, "refuse to replace an entry")
        case .ignoreMissing: define(name, nil, "an entry that is not there is no error")
        case .keepOldKey: define(name, "FILE", "write the old key to a new file first")
        case .newKeyFile: define(name, "FILE", "the key that comes next; made if it is absent")
        case .rewrapOnly: define(name, nil, "change the master key, leave the entries")
        }
    }

    /// The options that any command takes.
    static let general: [OptionName] = [
        .app, .root, .keyFile, .keyDescriptor, .keyCommand, .passphraseFile,
        .passphraseDescriptor, .passphraseCommand, .wait, .quiet, .help, .version,
    ]

    /// Options of `exec`, which may be given several times there.
    static let repeatable: [OptionName] = [.set, .file]

    /// The option written as `--text`.
    static func long(_ text: ArraySlice<UInt8>) -> OptionDefinition? {
        guard let text = String(validating: text, as: UTF8.self),
            let name = OptionName(rawValue: text)
        else { return nil }
        return definition(name)
    }

    /// The option written as a dash and `letter`.
    static func short(_ letter: UInt8) -> OptionDefinition? {
        for name in [OptionName.help, .quiet, .output, .force] {
            let option = definition(name)
            if option.short == letter { return option }
        }
        return nil
    }

    private static func define(
        _ name: OptionName, short: Unicode.Scalar? = nil, _ value: String?, _ summary: String
    ) -> OptionDefinition {
        OptionDefinition(
            name: name, short: short.map { UInt8(ascii: $0) }, value: value, summary: summary)
    }
}
