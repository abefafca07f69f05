import StrongroomSystem
import StrongroomVault

/// `rotate`: a new master key, and every entry sealed again.
enum RotateCommand {
    /// The ways to call it.
    private enum Mode: Equatable {
        case whole, rewrap, begin(Path), finish, abort
    }

    /// Runs it.
    static func run(_ session: Session) throws(Failure) {
        let mode = try mode(session.invocation)
        let vault = try session.openVault(notesRotation: false)
        let interruption = session.watchedInterruption()
        let bar = ProgressBar(session.console, title: "rotating")
        var options = RotationOptions()
        options.keepOldKey = try session.invocation.path(.keepOldKey)
        options.isCancelled = interruption.isRaised
        options.progress = bar.report
        do {
            switch mode {
            case .whole: try finished(vault.rotate(options), mode, bar, session)
            case .rewrap: try finished(vault.rewrap(options), mode, bar, session)
            case .finish: try finished(vault.finishRotation(options), mode, bar, session)
            case .begin(let path):
                try vault.beginRotation(newKeyFile: path, options)
                session.console.note(
                    "both keys open the vault now; give \(Escaping.shown(path.description)) to every "
                        + "host, then run strongroom rotate --finish with it")
            case .abort:
                try vault.abortRotation()
                session.console.note(
                    "whoever had the new key file can read what is stored until the next rotation")
            }
        } catch let failure as Failure {
            throw failure
        } catch let error as VaultError {
            bar.clear()
            if error == .cancelled {
                session.console.complain(
                    "the rotation stopped between two steps, and every entry can be read; "
                        + "run strongroom \(again(mode)) to go on")
                throw Failure.interrupted
            }
            throw session.failure(error)
        } catch {
            throw Failure(.failed, "the rotation failed")
        }
    }

    private static func mode(_ options: Invocation) throws(Failure) -> Mode {
        let modes: [OptionName] = [.rewrapOnly, .begin, .finish, .abort]
        let given = modes.filter(options.has)
        guard given.count < 2 else {
            throw Failure(
                .usage, "\(given[0].written) and \(given[1].written) exclude each other")
        }
        let newKeyFile = try options.path(.newKeyFile)
        if newKeyFile != nil, given != [.begin] {
            throw Failure(.usage, "--new-key-file", "goes with --begin only")
        }
        if options.has(.keepOldKey), !given.isEmpty, given != [.rewrapOnly] {
            throw Failure(.usage, "--keep-old-key and \(given[0].written) exclude each other")
        }
        switch given.first {
        case .rewrapOnly: return .rewrap
        case .finish: return .finish
        case .abort: return .abort
        case .begin:
            guard let newKeyFile else { throw Failure(.usage, "--begin", "needs --new-key-file") }
            return .begin(newKeyFile)
        default: return .whole
        }
    }

    private static func again(_ mode: Mode) -> String {
        switch mode {
        case .rewrap: "rotate --rewrap-only"
        case .finish: "rotate --finish"
        default: "rotate"
        }
    }

    /// Says what was done, and names every entry that could not be sealed again.
    private static func finished(
        _ report: RotationReport, _ mode: Mode, _ bar: ProgressBar, _ session: Session
    ) throws(Failure) {
        bar.clear()
        let count = mode == .rewrap ? "" : ", \(Counted.entries(report.entryCount)) sealed again"
        try session.console.writeLine("master key \(report.newKeyID)\(count)")
        if report.wasResumed { session.console.note("an unfinished rotation was finished") }
        if let kept = try session.invocation.path(.keepOldKey) {
            session.console.note(
                "backups made before need the old key, which is in "
                    + Escaping.shown(kept.description))
        } else {
            let advice = mode == .finish ? "" : " (--keep-old-key FILE keeps it)"
            session.console.note("backups made before need the old key\(advice)")
        }
        session.console.note(
            mode == .rewrap
                ? "this ends no leak: who had the old key may hold the data key; rotate does"
                : "whoever had the old key may have read every entry: if it has leaked, change those "
                    + "credentials where they were issued (strongroom list --long)")
        for entry in report.damaged { session.report(Failure(entry)) }
    }
}

extension Failure {
    /// That an entry does not open, by its key where the header still tells it.
    init(_ entry: DamagedEntry) {
        // What a newer version made is not damaged, and nobody should give it up.
        if case .newerFormat = entry.error {
            self.init(entry.error)
        } else if entry.key == nil {
            self.init(
                .damaged, "id:" + entry.id, "an entry whose key cannot be read is damaged",
                advice: "restore a backup, or give it up with check --repair --drop id:\(entry.id)")
        } else {
            self.init(entry.error)
        }
        key = entry.key
    }
}
