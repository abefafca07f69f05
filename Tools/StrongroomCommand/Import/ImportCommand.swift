import StrongroomCrypto
import StrongroomSystem
import StrongroomVault

/// `import`: entries from elsewhere, all of them or none.
enum ImportCommand {
    /// The largest file that is read.
    private static let byteCountLimit = 256 << 20

    /// What becomes of an entry that comes.
    private enum Fate: String {
        case new, replaced, identical
    }

    /// Runs it.
    static func run(_ session: Session) throws(Failure) {
        let options = session.invocation
        guard let name = try options.text(.format),
            let format = ImportedEntry.Format(rawValue: name)
        else {
            let names = ImportedEntry.Format.allCases.map(\.rawValue).joined(separator: ", ")
            throw Failure(.usage, "--format", "takes one of \(names)")
        }
        let (bytes, source) = try input(session)
        let entries = try ImportedEntry.all(format, bytes, source)
        let place = try session.place()
        let isNew = session.isUntouched(place)
        var fates: [Fate] = []
        for entry in entries { fates.append(try fate(of: entry, in: place)) }
        let isDry = options.has(.dryRun)
        if !options.has(.force), !isDry { try refuseReplacing(entries, fates) }
        let changing = zip(entries, fates).filter { $1 != .identical }.map(\.0)
        if isDry {
            for (entry, fate) in zip(entries, fates) {
                try session.console.writeLine("\(fate.rawValue) \(Escaping.shown(entry.key))")
            }
        } else if !changing.isEmpty {
            try place.set(
                changing.map { KeyedValue(key: $0.key, value: $0.value) },
                mustBeAbsent: !options.has(.force))
            if isNew { session.announceVault(place) }
        }
        let counts = [Fate.new, .replaced, .identical].map { fate in
            "\(fates.count { $0 == fate }) \(fate.rawValue)"
        }
        session.console.note(
            "\(Counted.entries(entries.count))\(isDry ? " would come" : " came"): "
                + counts.joined(separator: ", "))
    }

    private static func input(
        _ session: Session
    ) throws(Failure) -> (bytes: [UInt8], name: String) {
        let operand = session.invocation.operands[0]
        if operand == Array("-".utf8) {
            try session.secrets.claimInput()
            do throws(SystemError) {
                return (
                    try session.console.streams.input.readAll(limit: byteCountLimit),
                    "standard input"
                )
            } catch { throw Failure(error) }
        }
        let path = try Invocation.path(operand, named: "FILE")
        do throws(SystemError) {
            let file = try OpenFile.open(
                path, [.read, .followLink], fileSystem: session.fileSystem)
            return (try file.readAll(limit: byteCountLimit), path.description)
        } catch { throw Failure(error) }
    }

    private static func fate(
        of entry: ImportedEntry, in place: any EntryPlace
    ) throws(Failure) -> Fate {
        guard let pieces = try place.open(entry.key) else { return .new }
        guard pieces.byteCount == UInt64(entry.value.bytes.buffer.byteCount),
            place.area != .vault || pieces.attributes == entry.value.attributes
        else { return .replaced }
        let there = SecretBytes(try GetCommand.whole(pieces))
        return there.isEqual(to: entry.value.bytes) ? .identical : .replaced
    }

    private static func refuseReplacing(
        _ entries: [ImportedEntry], _ fates: [Fate]
    ) throws(Failure) {
        let taken = zip(entries, fates).filter { $1 == .replaced }.map(\.0.key)
        guard let first = taken.first else { return }
        let others =
            taken.count == 1
            ? "" : ", and of \(taken.count - 1) more \(taken.count == 2 ? "key" : "keys")"
        throw Failure(
            .exists, first, "there is another entry already\(others)",
            advice: "nothing was imported; to replace what is there, use --force")
    }
}

extension SecretBytes {
    /// True if both are the same bytes, in a time that does not tell where they differ.
    fileprivate func isEqual(to other: SecretBytes) -> Bool {
        equalInConstantTime(bytes, other.bytes)
    }
}
