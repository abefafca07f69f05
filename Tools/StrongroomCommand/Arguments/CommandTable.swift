/// Every command, named as it is written.
enum CommandName: String, CaseIterable, Sendable {
    case initialize = "init"
    case set, get, del, list, move, copy, rotate
    case passphraseSet = "passphrase set"
    case passphraseRemove = "passphrase remove"
    case keyNew = "key new"
    case keyShowID = "key show-id"
    case keyExport = "key export"
    case keyImport = "key import"
    case check, compact, status, exec, export
    case importEntries = "import"
    case gitCredential = "git-credential"
    case dockerCredential = "docker-credential"
    case help
}

/// What the table says of a command.
struct CommandDefinition: Sendable {
    /// Its name, one word or two.
    let name: CommandName
    /// Its operands as the help shows them.
    var operands = ""
    /// How many operands it takes.
    var operandCount = 0...0
    /// Its options beside the general ones.
    var options: [OptionName] = []
    /// What some of them mean here, where that is not what they mean everywhere.
    var meanings: KeyValuePairs<OptionName, String> = [:]
    /// One line of help.
    let summary: String
    /// More lines of help.
    var details = ""
}

/// The commands.
///
/// Parsing and help come from here.
enum CommandTable {
    /// The table, in the order of the help.
    static let all: [CommandDefinition] = [
        CommandDefinition(
            name: .initialize,
            options: [.passphrase, .newPassphraseFile, .newPassphraseDescriptor, .layout],
            summary: "make the vault and its master key",
            details: """
                A key that lies there alone is used. The first set does the same by itself. Entries are
                kept in one log, or, with --layout files, in a file each: for network disks, and for
                who syncs by file.
                """),
        CommandDefinition(
            name: .set, operands: "KEY", operandCount: 1...1,
            options: [.file, .trim, .generate, .alphabet, .ifAbsent, .force, .area],
            meanings: [.force: "replace an entry, also by nothing or by a random value"],
            summary: "store a value",
            details: """
                The value is standard input exactly as it comes, or, when that is a terminal, a line
                typed twice without echo. A value is never taken from the command line.
                """),
        CommandDefinition(
            name: .get, operands: "KEY", operandCount: 1...1, options: [.output, .force, .area],
            meanings: [.force: "show control characters on a terminal"],
            summary: "write a value to standard output",
            details: """
                The exact bytes; on a terminal a newline follows if there is none, and a value with
                control characters is shown only with --force.
                """),
        CommandDefinition(
            name: .del, operands: "KEY…", operandCount: 0...Int.max,
            options: [.under, .ignoreMissing, .area], summary: "remove entries",
            details: """
                One that is not there is an error, and the others are removed all the same.
                """),
        CommandDefinition(
            name: .list, operands: "[FOLDER]", operandCount: 0...1,
            options: [.long, .json, .null, .area], summary: "show the keys",
            details: """
                Sorted, one a line; control characters and the backslash are escaped as in C, so
                scripts use --null or --json. Folder a holds a and a/b, not ab.
                JSON: an array of objects with key, byteCount, created, modified, attributes; times are
                RFC 3339 in UTC, or null where the area does not know them.
                """),
        CommandDefinition(
            name: .move, operands: "KEY NEW", operandCount: 2...2, options: [.to, .force, .area],
            meanings: [.force: "replace an entry NEW"],
            summary: "give an entry another key or area"),
        CommandDefinition(
            name: .copy, operands: "KEY NEW", operandCount: 0...2,
            options: [.all, .to, .force, .area],
            meanings: [
                .to: "the area to write to; with --all also a directory",
                .force: "replace entries that are there",
            ], summary: "store an entry a second time",
            details: """
                With --all --to AREA|DIRECTORY, and no operands: every entry, into another area or into
                the vault below another root, each read back and compared. If one of the keys is there
                already, nothing is copied, unless --force is given; a copy that was stopped goes on with
                it too. The vault there may be of the other layout (strongroom --root DIRECTORY init
                --layout files). A vault keeps attributes and times, a plain area does not.
                """),
        CommandDefinition(
            name: .rotate,
            options: [.rewrapOnly, .keepOldKey, .begin, .newKeyFile, .finish, .abort],
            summary: "change the master key and seal every entry again",
            details: """
                Entries can be read and written meanwhile. Killed at any time, it goes on when it is run
                again. For a key that the command cannot write: --begin --new-key-file FILE, give the
                new key to every host, then --finish with it (or --abort).
                """),
        CommandDefinition(
            name: .passphraseSet, options: [.newPassphraseFile, .newPassphraseDescriptor],
            summary: "seal the master-key file with a passphrase"),
        CommandDefinition(
            name: .passphraseRemove, summary: "take the passphrase from the master-key file"),
        CommandDefinition(
            name: .keyNew, options: [.output], summary: "make a master-key file without a vault"),
        CommandDefinition(name: .keyShowID, summary: "show the id of the master key in use"),
        CommandDefinition(
            name: .keyExport, options: [.plain, .output],
            summary: "write the master key's text, for a copy kept elsewhere"),
        CommandDefinition(
            name: .keyImport, options: [.file, .force],
            meanings: [.force: "replace a key that is there"],
            summary: "put a master key back in place"),
        CommandDefinition(
            name: .check, options: [.repair, .drop, .acceptRollback, .json],
            summary: "verify every byte and name what is wrong",
            details: """
                Status 0: sound. 1: only modes are wrong. 6: something is damaged, tampered with,
                missing, or older than what was seen before. --repair sets right modes, leftovers and a
                rotation to finish; it never loses an entry but the one that --drop names. --drop lost
                gives up what was in a part of the log that is lost. --accept-rollback: you put an
                older vault back yourself.
                JSON: sound, entryCount, and findings, each with kind (mode, leftover, damaged, tampered,
                missing, rolledBack, unfinished), path, key (or null), what, repaired.
                """),
        CommandDefinition(
            name: .compact, summary: "drop the bytes of removed and replaced entries",
            details: """
                A log keeps them, sealed, until it is compacted or the key is rotated. It does so by
                itself when more than half of it, and more than 256 KiB, is such garbage. Entries can be
                read and written meanwhile.
                """),
        CommandDefinition(
            name: .status, options: [.json], summary: "show where everything is, and its state",
            details: """
                JSON: app; directories (vault, storage, cache, temporary, assets), each with path and rule;
                masterKey with source, rule, id, sealed; vault (null if there is none, or it cannot be
                opened) with id, app, format, layout (log, files), entryCount, byteCount,
                garbageByteCount, keyringGeneration, rotation (none, begun, unfinished), rolledBack,
                and rollbackProtection with anchor (the file that notes the newest state) and reason (why
                there is none, or it is older than the vault). What is not known is null.
                """),
        CommandDefinition(
            name: .exec, operands: "-- COMMAND [ARG…]", operandCount: 1...Int.max,
            options: [.set, .file, .prefix, .pristine, .area],
            meanings: [.file: "NAME=KEY: NAME is the path of a file in memory with the value"],
            summary: "run a program with values in its environment",
            details: """
                COMMAND takes the place of strongroom: status, signals, terminal and ps are its own. It
                starts only if every value was read, and gets no STRONGROOM_* variable. --set and --file
                may be given several times. With --prefix a key gives a name: what follows FOLDER/, letters
                upper-cased, each run of anything but letters and digits as one underscore; names that
                steer the loader, a shell or an interpreter are refused.
                Status 125: not started; 126: COMMAND cannot be run; 127: there is no COMMAND.
                """),
        CommandDefinition(
            name: .export, operands: "[FOLDER]", operandCount: 0...1,
            options: [.format, .output, .force, .area],
            meanings: [.force: "write the file also if something could not be read"],
            summary: "write entries as JSON or as a file of variables",
            details: """
                json: an array of objects with key, byteCount, created, modified, attributes and value
                (base64), from which strongroom import makes the same entries. dotenv: NAME='VALUE' a line, for docker compose and
                systemd; names are made of keys as exec --prefix makes them. What cannot be read is left
                out, and named, and the status is 6.
                """),
        CommandDefinition(
            name: .importEntries, operands: "FILE", operandCount: 1...1,
            options: [.format, .dryRun, .force, .area],
            meanings: [
                .format: "json, dotenv, keepass-csv or netrc",
                .force: "replace entries that are there",
            ],
            summary: "store entries that come from elsewhere",
            details: """
                All of them or none; - is standard input. An entry that is there and is another one is
                replaced only with --force. keepass-csv: what KeePassXC and KeePass export; a password under
                GROUP/TITLE, with username and url as attributes, notes and TOTP under GROUP/TITLE/notes and
                /totp. netrc: a password under netrc/MACHINE/LOGIN; macros are passed over.
                """),
        CommandDefinition(
            name: .gitCredential, operands: "get|store|erase", operandCount: 1...1,
            summary: "answer git as its credential helper",
            details: """
                For git to call: git config --global credential.helper strongroom, where the program is also
                installed as git-credential-strongroom. Options stand before the operation:
                credential.helper 'strongroom --app work'. Keys are git/PROTOCOL/HOST/USERNAME[/PATH], each
                part percent-escaped; git/PROTOCOL/HOST tells which of them was stored last.
                """),
        CommandDefinition(
            name: .dockerCredential, operands: "get|store|erase|list|version",
            operandCount: 0...Int.max,
            summary: "answer docker as its credential helper",
            details: """
                For docker to call: "credsStore": "strongroom" in ~/.docker/config.json, where the program is
                also installed as docker-credential-strongroom, which takes variables only. Keys are
                docker/URL, percent-escaped. Errors are on standard output, with status 1.
                """),
        CommandDefinition(
            name: .help, operands: "[COMMAND]", operandCount: 0...2, summary: "show help"),
    ]

    /// The definition of `name`.
    static func definition(_ name: CommandName) -> CommandDefinition {
        for command in all where command.name == name { return command }
        return CommandDefinition(name: name, summary: "")
    }

    /// What somebody meant who writes another program's name for a command.
    static let othersNames = [
        "ls": "list", "rm": "del", "mv": "move", "cp": "copy", "show": "get", "insert": "set",
    ]
}

extension CommandTable {
    /// The commands of two words whose first word is `first`.
    static func actions(of first: String) -> [CommandName] {
        var found: [CommandName] = []
        for command in CommandName.allCases where command.rawValue.hasPrefix(first + " ") {
            found.append(command)
        }
        return found
    }

    /// The second words of those, in one line: `new, show-id, export or import`.
    static func actionNames(of first: String) -> String {
        let names = actions(of: first).map { String($0.rawValue.dropFirst(first.utf8.count + 1)) }
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " or " + last
    }
}
