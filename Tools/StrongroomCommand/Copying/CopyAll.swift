import StrongroomSystem
import StrongroomVault

/// `copy --all`: every entry into another area, or into the vault below another root, each read back and compared.
enum CopyAll {
    /// Runs it.
    static func run(_ session: Session) throws(Failure) {
        let source = try session.place()
        let target = try CopyTarget.place(for: session, source)
        let isNew = session.isUntouched(target)
        let listing = try source.list()
        if isNew, !listing.entries.isEmpty { try refuseWeakerKey(source, target) }
        if !session.invocation.has(.force) {
            try CopyConflicts.refuse(listing.entries.map(\.key), in: target)
        }
        var total: UInt64 = 0
        for entry in listing.entries { total += CopyRun.work(entry.byteCount) }
        let run = CopyRun(
            session, from: source, to: target, isNew: isNew,
            bar: ProgressBar(session.console, title: "copying"), total: total)
        let count = listing.entries.count + listing.failures.count
        do throws(Failure) { try run.copy(listing.entries) } catch {
            if error == .interrupted {
                session.console.complain(
                    "stopped with \(counted(run.count, of: count)); to go on, run it again with --force"
                )
            }
            throw error
        }
        for failure in listing.failures { session.report(failure) }
        if run.count > 0 { Transfer.notePlain(from: source.area, to: target.area, session) }
        if run.lostAttributeCount > 0 {
            session.console.note(
                "attributes are not kept in \(target.area.rawValue): "
                    + "\(Counted.entries(run.lostAttributeCount)) had some")
        }
        session.console.note(counted(run.count, of: count))
    }

    private static func counted(_ count: Int, of total: Int) -> String {
        count == total
            ? "\(Counted.entries(count)) copied and compared"
            : "\(count) of \(Counted.entries(total)) copied and compared"
    }

    /// What a passphrase guards is not copied, without being asked, to where none does.
    private static func refuseWeakerKey(
        _ source: any EntryPlace, _ target: any EntryPlace
    ) throws(Failure) {
        guard let source = source as? VaultPlace, let target = target as? VaultPlace,
            try source.status().isSealed
        else { return }
        throw Failure(
            .usage, target.directory.description,
            "a vault made now would have a key without a passphrase, and this one has one",
            advice: "make it first with strongroom init, with or without --passphrase")
    }
}
