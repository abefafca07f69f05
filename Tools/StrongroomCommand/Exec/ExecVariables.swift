import StrongroomFormats
import StrongroomSystem

/// The variables that `exec` is to set, each from an entry, before a value was read.
struct ExecVariables {
    /// One of them.
    struct Variable {
        /// Its name.
        let name: VariableName
        /// The entry.
        let key: String
        /// True if it is the path of a file that holds the value.
        var isFile = false
    }

    /// In the order of the command line; those of `--prefix` last.
    private(set) var all: [Variable] = []

    /// What the options name; `list` gives the entries for `--prefix`.
    init(
        _ invocation: Invocation, folder: String?, list: () throws(Failure) -> EntryListing
    ) throws(Failure) {
        for option in [OptionName.set, .file] {
            for assignment in invocation.options.all(option) {
                let variable = try Self.variable(assignment, option)
                guard !all.contains(where: { $0.name == variable.name }) else {
                    throw Failure(.usage, variable.name.text, "is to be set twice")
                }
                all.append(variable)
            }
        }
        if let folder { try add(below: folder, of: try list()) }
    }

    /// The variable of `NAME=KEY`.
    private static func variable(
        _ assignment: [UInt8], _ option: OptionName
    ) throws(Failure) -> Variable {
        let equals = UInt8(ascii: "=")
        guard let end = assignment.firstIndex(of: equals) else {
            throw Failure(
                .usage, option.written, "takes NAME=KEY",
                advice: "a variable and the entry that it gets")
        }
        let shown = Escaping.shown(bytes: Array(assignment[..<end]))
        guard let text = String(validating: assignment[..<end], as: UTF8.self),
            let name = VariableName(text), !name.isOwn
        else {
            throw Failure(
                .notStarted,
                shown + ": "
                    + (shown.hasPrefix("STRONGROOM_")
                        ? "no program gets it" : "is no name of a variable"))
        }
        guard let key = String(validating: assignment[(end + 1)...], as: UTF8.self) else {
            throw Failure(
                .usage,
                Escaping.shown(bytes: Array(assignment[(end + 1)...])) + ": this is no key",
                advice: "a key is UTF-8 text")
        }
        return Variable(name: name, key: try Session.key(key), isFile: option == .file)
    }

    /// Adds what lies below a folder and was not named by itself.
    private mutating func add(
        below folder: String, of listing: EntryListing
    ) throws(Failure) {
        let prefix = folder + "/"
        for failure in listing.failures where failure.mayConcern(keysBelow: prefix) {
            throw failure
        }
        var isAny = false
        for entry in listing.below(folder) where entry.key != folder {
            isAny = true
            if all.contains(where: { $0.key == entry.key }) { continue }
            let rest = String(entry.key.dropFirst(prefix.count))
            guard let name = VariableName(mapping: rest) else {
                throw Failure(
                    .notStarted, entry.key, "gives no name of a variable",
                    advice: "name it with --set NAME=KEY")
            }
            guard !name.isReserved else {
                throw Failure(
                    .notStarted, entry.key, "gives \(name), which tells programs what to do",
                    advice: "name it with --set NAME=KEY if that is meant")
            }
            if let other = all.first(where: { $0.name == name }) {
                throw Failure(
                    .notStarted, entry.key,
                    "gives \(name), as \(Escaping.shown(other.key)) does",
                    advice: "name one of them with --set NAME=KEY")
            }
            all.append(Variable(name: name, key: entry.key))
        }
        guard isAny else { throw Failure(.notStarted, folder, "there is no entry below it") }
    }
}
