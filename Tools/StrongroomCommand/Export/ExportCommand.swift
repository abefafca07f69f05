import FoundationEssentials
import StrongroomCrypto
import StrongroomFormats
import StrongroomSystem
import StrongroomVault

/// `export`: the entries in a form that others read.
enum ExportCommand {
    /// Where the bytes go.
    private enum Target {
        case output(Console)
        case file(OutputFile)

        func write(_ text: String) throws(Failure) {
            switch self {
            case .output(let console): try console.write(text)
            case .file(let file): try file.write(text.utf8.span)
            }
        }
    }

    /// Runs it.
    static func run(_ session: Session) throws(Failure) {
        let options = session.invocation
        let folder = try session.folder(options.operands.first, named: "FOLDER")
        let format = try options.text(.format)
        guard let format, format == "json" || format == "dotenv" else {
            throw Failure(.usage, "--format", "takes json or dotenv")
        }
        let output = try options.path(.output)
        let place = try session.place()
        try reportRollback(place, session)
        let listing = try place.list()
        for failure in listing.failures
        where folder.map({ failure.mayConcern(keysBelow: $0) }) ?? true {
            session.report(failure)
        }
        let entries = listing.below(folder)
        let names = format == "dotenv" ? try names(entries, below: folder) : []
        var file: OutputFile?
        if let output { file = try OutputFile(output, fileSystem: session.fileSystem) }
        let target = file.map(Target.file) ?? .output(session.console)
        let interruption = session.watchedInterruption()
        var comma = "["
        // All of it is judged before any of it is written.
        var variables: [UInt8] = []
        for (index, entry) in entries.enumerated() {
            try interruption.check()
            guard let value = try value(of: entry, in: place, session) else { continue }
            if format == "dotenv" {
                guard let line = Dotenv.line(names[index], value.buffer.copyToArray()) else {
                    throw Failure(
                        .failed, entry.key, "cannot be said in a file of variables",
                        advice: "nothing was written; export it as JSON")
                }
                variables += line
            } else {
                try target.write(comma + json(entry, value))
                comma = ",\n"
            }
        }
        if format == "dotenv" { try target.write(String(decoding: variables, as: UTF8.self)) }
        if format == "json" { try target.write(comma == "[" ? "[]\n" : "]\n") }
        guard let file else { return }
        guard session.status == .done || options.has(.force) else {
            return session.console.complain(
                "nothing was written to the file; to have what could be read, use --force")
        }
        try file.finish()
    }

    /// The value; nil if it cannot be read, which is reported.
    private static func value(
        of entry: ListedEntry, in place: any EntryPlace, _ session: Session
    ) throws(Failure) -> SecretBytes? {
        do throws(Failure) {
            guard let pieces = try place.open(entry.key) else { return nil }
            return SecretBytes(try GetCommand.whole(pieces))
        } catch {
            guard error.status == .damaged else { throw error }
            session.report(error)
            return nil
        }
    }

    /// A vault that is older than what was seen is exported all the same, and that said.
    private static func reportRollback(
        _ place: any EntryPlace, _ session: Session
    ) throws(Failure) {
        guard let place = place as? VaultPlace, !session.isUntouched(place),
            try place.status().isRolledBack
        else { return }
        session.report(
            Failure(
                .damaged, place.directory.description, "older than what was seen before",
                advice: "what follows may not be the newest"))
    }

    private static func json(_ entry: ListedEntry, _ value: SecretBytes) -> String {
        var json = JSONText()
        json.object { json in
            json.field("key", entry.key)
            json.field("byteCount", value.buffer.byteCount)
            json.field("created", entry.created.map { Timestamp.text($0, isExact: true) })
            json.field("modified", entry.modified.map { Timestamp.text($0, isExact: true) })
            json.name("attributes")
            json.object { json in
                for (name, value) in entry.attributes.sorted(by: { $0.key < $1.key }) {
                    json.field(name, value)
                }
            }
            json.field("value", Data(value.buffer.copyToArray()).base64EncodedString())
        }
        return json.text
    }

    /// The variables' names, each of one key.
    private static func names(
        _ entries: [ListedEntry], below folder: String?
    ) throws(Failure) -> [VariableName] {
        var names: [VariableName] = []
        for entry in entries {
            var rest = entry.key
            if let folder, rest != folder { rest = String(rest.dropFirst(folder.count + 1)) }
            guard let name = VariableName(mapping: rest) else {
                throw Failure(.failed, entry.key, "gives no name of a variable")
            }
            if let other = names.firstIndex(of: name) {
                throw Failure(
                    .failed, entry.key,
                    "gives \(name), as \(Escaping.shown(entries[other].key)) does")
            }
            names.append(name)
        }
        return names
    }
}
