/// `del`: removes entries.
enum DelCommand {
    /// Runs it.
    static func run(_ session: Session) throws(Failure) {
        let options = session.invocation
        var keys: [String] = []
        for index in options.operands.indices { keys.append(try session.key(at: index)) }
        let folder = try session.folder(options.options[.under], named: "--under")
        guard !keys.isEmpty || folder != nil else {
            throw Failure(
                .usage, "del", "needs KEY or --under FOLDER", advice: "see strongroom help del")
        }
        let place = try session.place()
        for key in keys {
            do throws(Failure) {
                guard try place.contains(key) else {
                    if options.has(.ignoreMissing) { continue }
                    throw Failure.noEntry(key)
                }
                try place.del([key])
            } catch { session.report(error) }
        }
        if let folder { try del(under: folder, place, session) }
    }

    private static func del(
        under folder: String, _ place: any EntryPlace, _ session: Session
    ) throws(Failure) {
        let listing = try place.list()
        let keys = listing.below(folder).map(\.key)
        if keys.isEmpty, listing.failures.isEmpty, !session.invocation.has(.ignoreMissing) {
            throw Failure(.noEntry, folder, "there is no entry under this folder")
        }
        if !keys.isEmpty { try place.del(keys) }
        for failure in listing.failures { session.report(failure) }
    }
}
