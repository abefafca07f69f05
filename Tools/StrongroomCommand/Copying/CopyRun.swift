import Strongroom
import StrongroomCrypto
import StrongroomStores
import StrongroomVault

/// One `copy --all` under way: small entries go out in commits of several, large ones in pieces, and none counts
/// before it was read back from the target and found to be the same.
final class CopyRun {
    /// Entries and bytes of one commit at most.
    private static let batchCount = 256
    /// How often a large value is copied that changes meanwhile.
    private static let attemptLimit = 3

    private let session: Session
    private let source: any EntryPlace
    private let target: any EntryPlace
    private let interruption: Interruption
    private let bar: ProgressBar
    private let total: UInt64
    private var isNew: Bool
    private var done: UInt64 = 0
    private var batch: [KeyedValue] = []
    private var batchByteCount: UInt64 = 0
    private var lastUnreadable: Failure?
    /// True once it is known that the other entries cannot be read either, or not be written.
    private var isUnreadable = false
    private var isUnwritable = false

    /// Entries that came.
    private(set) var count = 0
    /// Entries among them whose attributes the target does not keep.
    private(set) var lostAttributeCount = 0

    /// A run from one place to another; `isNew` if the first write makes a vault there; `total` is what `work` says of
    /// all entries.
    init(
        _ session: Session, from source: any EntryPlace, to target: any EntryPlace, isNew: Bool,
        bar: ProgressBar, total: UInt64
    ) {
        self.session = session
        self.source = source
        self.target = target
        self.isNew = isNew
        self.bar = bar
        self.total = total
        interruption = session.watchedInterruption()
    }

    /// How far copying a value moves the progress bar.
    static func work(_ byteCount: UInt64) -> UInt64 { byteCount + 1024 }

    /// Copies them; what cannot be read or is in the way is reported, and what keeps the target from being written at
    /// all is reported once and ends it.
    func copy(_ entries: [ListedEntry]) throws(Failure) {
        defer { bar.clear() }
        for entry in entries where !isUnreadable && !isUnwritable {
            try interruption.check()
            try copy(entry.key)
            advance(Self.work(entry.byteCount))
        }
        try storeBatch()
    }

    private func copy(_ key: String) throws(Failure) {
        let pieces: any EntryPieces
        let value: EntryValue
        do throws(Failure) {
            pieces = try opened(key)
            guard pieces.byteCount <= GetCommand.wholeByteCount else {
                return try copyLarge(key, pieces)
            }
            value = try EntryValue(
                bytes: SecretBytes(GetCommand.whole(pieces)), attributes: pieces.attributes,
                times: pieces.times())
        } catch { return try unreadable(error) }
        if batch.count == Self.batchCount
            || batchByteCount + pieces.byteCount > GetCommand.wholeByteCount
        {
            try storeBatch()
        }
        batch.append(KeyedValue(key: key, value: value))
        batchByteCount += pieces.byteCount
    }

    private func opened(_ key: String) throws(Failure) -> any EntryPieces {
        guard let pieces = try source.open(key) else {
            throw Failure(.noEntry, key, "the entry was removed while the others were copied")
        }
        return pieces
    }

    /// Writes what was gathered: in one commit, or, if that fails, one by one to see which ones fail.
    private func storeBatch() throws(Failure) {
        let entries = batch
        batch = []
        batchByteCount = 0
        guard !entries.isEmpty, !isUnwritable else { return }
        var isStored = false
        do throws(Failure) {
            try target.set(entries, mustBeAbsent: mustBeAbsent)
            isStored = true
        } catch {
            if entries.count == 1 { return try unwritable(error) }
            if error == .interrupted { throw error }
        }
        for entry in entries where !isUnwritable {
            try interruption.check()
            do throws(Failure) {
                if !isStored {
                    try target.set([entry], mustBeAbsent: mustBeAbsent)
                }
                guard try holds(entry) else { throw Self.changed(entry.key) }
                came(entry.value.attributes)
            } catch { try unwritable(error) }
        }
    }

    private var mustBeAbsent: Bool { !session.invocation.has(.force) }

    private func copyLarge(_ key: String, _ first: any EntryPieces) throws(Failure) {
        var pieces = first
        for attempt in 0..<Self.attemptLimit {
            // What stands there after the first attempt is our own.
            let mustBeAbsent = mustBeAbsent && attempt == 0
            guard try stream(pieces, as: key, mustBeAbsent: mustBeAbsent), !isUnwritable else {
                return
            }
            do throws(Failure) {
                if try holds(key, try opened(key)) { return came(pieces.attributes) }
                pieces = try opened(key)
            } catch { return try unwritable(error) }
        }
        try unwritable(Self.changed(key))
    }

    /// Streams a value; false if that failed, and was reported.
    private func stream(
        _ pieces: any EntryPieces, as key: String, mustBeAbsent: Bool
    ) throws(Failure) -> Bool {
        var sourceFailure: Failure?
        do throws(Failure) {
            try target.write(
                key, attributes: pieces.attributes, times: pieces.times(),
                mustBeAbsent: mustBeAbsent
            ) { (sink) throws(Failure) in
                while true {
                    try interruption.check()
                    let piece: SecretBytes?
                    do throws(Failure) { piece = try pieces.next() } catch {
                        sourceFailure = error
                        throw error
                    }
                    guard let piece else { return }
                    try piece.withBytes { (bytes) throws(Failure) in try sink.write(bytes) }
                }
            }
            return true
        } catch {
            if let sourceFailure {
                try unreadable(sourceFailure)
            } else {
                try unwritable(error)
            }
            return false
        }
    }
}

// What came of an entry.
extension CopyRun {
    private func came(_ attributes: [String: String]) {
        count += 1
        if target.area != .vault, !attributes.isEmpty { lostAttributeCount += 1 }
        guard isNew else { return }
        isNew = false
        bar.clear()
        session.announceVault(target)
    }

    private func advance(_ work: UInt64) {
        done += work
        bar.report(done: Int(done / 1024), of: Int(total / 1024))
    }

    /// An entry that cannot be read is one line, and the others go on; the same line twice is about more than entries.
    private func unreadable(_ failure: Failure) throws(Failure) {
        if failure == .interrupted { throw failure }
        guard failure != lastUnreadable else { return isUnreadable = true }
        lastUnreadable = failure
        bar.clear()
        session.report(failure)
    }

    /// What is in the way of one entry is one line; any other failure would be that of the next entry too.
    private func unwritable(_ failure: Failure) throws(Failure) {
        if failure == .interrupted { throw failure }
        bar.clear()
        session.report(failure)
        switch failure.status {
        case .exists, .usage, .noEntry: break
        default: isUnwritable = true
        }
    }

    private static func changed(_ key: String) -> Failure {
        Failure(
            .exists, key, "what is there now is not what was copied: somebody else writes there",
            advice: "copy it again when nobody does")
    }

    /// True if the target now holds that value, and all that it keeps with it.
    private func holds(_ entry: KeyedValue) throws(Failure) -> Bool {
        let pieces = WholePieces(entry.value)
        return try holds(entry.key, pieces)
    }

    private func holds(_ key: String, _ wanted: any EntryPieces) throws(Failure) -> Bool {
        guard let found = try target.open(key) else { return false }
        if target.area == .vault {
            guard found.attributes == wanted.attributes else { return false }
            if let wanted = try wanted.times(), let found = try found.times() {
                guard wanted.modified == found.modified else { return false }
                if let created = wanted.created, found.created != created { return false }
            }
        }
        return try ValueComparison.areEqual(wanted, found, interruption)
    }
}
