/// Every option of the command, named as it is written after the two dashes.
enum OptionName: String, CaseIterable, Sendable {
    // Which vault.
    case app, root, area
    case keyFile = "key-file"
    case keyDescriptor = "key-fd"
    case keyCommand = "key-command"
    case passphraseFile = "passphrase-file"
    case passphraseDescriptor = "passphrase-fd"
    case passphraseCommand = "passphrase-command"
    case newPassphraseFile = "new-passphrase-file"
    case newPassphraseDescriptor = "new-passphrase-fd"
    case wait, quiet, help, version
    // Of single commands.
    case abort, all, alphabet, begin, drop, file, finish, force, generate, json, layout, long, null
    case output, passphrase, plain, prefix, pristine, repair, set, to, trim, under
    case acceptRollback = "accept-rollback"
    case dryRun = "dry-run"
    case format
    case ifAbsent = "if-absent"
    case ignoreMissing = "ignore-missing"
    case keepOldKey = "keep-old-key"
    case newKeyFile = "new-key-file"
    case rewrapOnly = "rewrap-only"

    /// As it is written: `--key-file`.
    var written: String { "--" + rawValue }
}

/// What the table says of an option.
///
/// An option takes a value with every command or with none, so that
/// options can be told from operands before the command is known.
struct OptionDefinition: Sendable {
    /// Its name.
    let name: OptionName
    /// Its one-letter form, if it has one.
    var short: UInt8?
    /// What its value is called in the help; nil if it takes none.
    var value: String?
    /// One line of help.
    let summary: String
}
