/// `list`: the keys, for people or for programs.
enum ListCommand {
    /// Runs it.
    static func run(_ session: Session) throws(Failure) {
        let options = session.invocation
        let folder = try session.folder(options.operands.first, named: "FOLDER")
        if options.has(.json), options.has(.null) || options.has(.long) {
            throw Failure(.usage, "--json", "goes with neither --null nor --long")
        }
        let listing = try session.placeForInventory().list()
        let entries = listing.below(folder)
        if options.has(.json) {
            try writeJSON(entries, session.console)
        } else {
            let end = options.has(.null) ? "\0" : "\n"
            for entry in entries {
                let key = options.has(.null) ? entry.key : Escaping.shown(entry.key)
                let front = options.has(.long) ? columns(entry) : ""
                try session.console.write(front + key + end)
            }
        }
        for failure in listing.failures { session.report(failure) }
    }

    /// Size, created, modified.
    private static func columns(_ entry: ListedEntry) -> String {
        let size = String(entry.byteCount)
        return String(repeating: " ", count: max(0, 10 - size.utf8.count)) + size + "  "
            + time(entry.created) + "  " + time(entry.modified) + "  "
    }

    /// A time, or a dash and as many blanks where the area does not know.
    private static func time(_ nanoseconds: Int64?) -> String {
        guard let nanoseconds else { return "-" + String(repeating: " ", count: 19) }
        return Timestamp.text(nanoseconds, isExact: false)
    }

    private static func writeJSON(_ entries: [ListedEntry], _ console: Console) throws(Failure) {
        // One entry a write: a vault of a million entries need not be one text in memory.
        var comma = "["
        for entry in entries {
            var json = JSONText()
            json.object { json in
                json.field("key", entry.key)
                json.field("byteCount", entry.byteCount)
                json.field("created", entry.created.map { Timestamp.text($0, isExact: true) })
                json.field("modified", entry.modified.map { Timestamp.text($0, isExact: true) })
                json.name("attributes")
                json.object { json in
                    for (name, value) in entry.attributes.sorted(by: { $0.key < $1.key }) {
                        json.field(name, value)
                    }
                }
            }
            try console.write(comma + json.text)
            comma = ",\n"
        }
        try console.write(entries.isEmpty ? "[]\n" : "]\n")
    }
}
