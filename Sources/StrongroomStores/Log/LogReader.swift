import StrongroomSystem

/// What a process knows of a log, and how it comes to know: opening, the hint, looking.
///
/// It stands under its store's mutex.
struct LogReader: Sendable {
    let place: LogPlace
    /// The log as far as it was read; nil if it must be opened anew.
    var view: LogView?
    /// The file whose front is the hint, if there is one.
    var hintFile: LogHintFile?
    /// False after an index turned out not to be what was written.
    var trustsIndex = true
    /// False for who wants to know that the log is sound, and nothing of what is in it.
    var makesIndex = true
    /// True if it may take up what a killed writer left.
    var adopts = false
    /// What this process has answered from.
    var seen = LogSeen()
    /// The process that opened it: a forked child opens anew.
    var process = Identity.process
    /// True while somebody reads changes.
    var isWatched = false
    /// Ids that changed and were not told yet; an empty list means all.
    var news: [[EntryID]] = []
    /// The anchor as it was before the log was opened, until it was compared.
    var anchor: LogPoint?
    var isAnchorCompared = false
    /// True from an opening until it was brought up to date: what it passes is no news.
    var isFresh = true
    /// When the name of the hint's file is asked for again.
    var nextLockCheck: Int64 = 0
    private var hintBytes = [UInt8](repeating: 0, count: LogHint.byteCount)
    private(set) var lastHint: (bytes: [UInt8], hint: LogHint?) = ([], nil) {
        didSet { view?.isSettled = false }
    }

    init(_ place: LogPlace) { self.place = place }

    var path: String { place.path.appending(LogName.log).description }

    /// The hint as it is now, nil if there is none.
    mutating func readHint() throws(StoreError) -> LogHint? {
        guard let hintFile else { return nil }
        // A reader may come between the bytes of a write.
        for _ in 0..<100 {
            var span = hintBytes.mutableSpan
            let count = try system(try hintFile.file.read(into: &span, at: 0))
            if count < LogHint.byteCount {
                lastHint = (Array(hintBytes[..<count]), nil)
                return nil
            }
            if Bytes.areEqual(hintBytes.span, lastHint.bytes.span) { return lastHint.hint }
            let hint = try LogHint(decoding: hintBytes.span)
            if hint != nil || hintBytes.span.isZero {
                lastHint = (hintBytes, hint)
                return hint
            }
        }
        lastHint = (hintBytes, nil)
        return nil
    }

    /// True if `hint` says where the end of `log` is now.
    func isCurrent(_ hint: LogHint, _ log: LogFile) -> Bool {
        hint.boot == place.boot && isOf(log, hint)
    }

    /// True if it says, or said in another boot, what of `log` was acknowledged.
    func isOf(_ log: LogFile, _ hint: LogHint) -> Bool {
        hint.log == log.block.log && hint.inode == log.inode
    }

    /// True if the anchor knows of more than a hint of this boot: then the disk alone lost power, and its hint is one of
    /// the past.
    private func isBehindAnchor(_ hint: LogHint, _ log: LogFile) -> Bool {
        guard !isAnchorCompared, isOf(log, hint), let anchor = known(nil, log).anchor else {
            return false
        }
        return hint.sequence < anchor.sequence
    }

    /// What is known of the end of `log` besides its bytes.
    func known(_ hint: LogHint?, _ log: LogFile) -> LogParser.Known {
        var known = LogParser.Known()
        if let hint, isOf(log, hint) { known.hint = hint }
        if let anchor, anchor.generation == log.block.generation, !place.acceptsRollback {
            known.anchor = anchor
        }
        return known
    }

    /// Goes over to a log that this process has made, of which nothing is news.
    mutating func replace(with next: LogView) throws(StoreError) {
        view = next
        try note()
    }

    /// Forgets what was read; the next look opens the log anew.
    mutating func forget() {
        view = nil
        hintFile = nil
    }

    /// Brings what is known up to date: afterwards `view` is what stands in the log now.
    mutating func look() throws(StoreError) {
        let isTime = try checkLockName() || isFresh
        if try !isUnchanged() { try lookAnew() }
        if isTime, adopts { try adoptLeft() }
    }

    /// The same, whatever the last look found, and without a thought of who was killed.
    mutating func lookAnew() throws(StoreError) {
        for _ in 0..<100 {
            guard let log = view?.log, let position = view?.position else {
                try open()
                continue
            }
            let hint = try readHint()
            if let hint, hint.boot == place.boot, !isBehindAnchor(hint, log) {
                if isOf(log, hint), hint.end == position.end, view?.isScanned == false {
                    guard hint.sequence == position.sequence else {
                        throw .tampered(path: path, what: "the hint names another commit")
                    }
                    try note()
                    view?.isSettled = true
                    return
                }
                if isOf(log, hint), hint.end >= position.end {
                    return try catchUp(to: hint, log, position)
                }
                if isOf(log, hint) || hint.log != log.block.log {
                    // Another log has the name now, perhaps.
                    guard try isNamed(log) else {
                        forget()
                        continue
                    }
                }
            }
            if try scan(hint, log, position) { return try note() }
        }
        throw .busy(path: path)
    }

    /// True if the last look found that there was nothing to do, and the hint has not changed since.
    ///
    /// Nothing is copied: it comes before every read.
    private mutating func isUnchanged() throws(StoreError) -> Bool {
        guard view?.isSettled == true, let hintFile else { return false }
        var span = hintBytes.mutableSpan
        let count = try system(try hintFile.file.read(into: &span, at: 0))
        return count == LogHint.byteCount && Bytes.areEqual(hintBytes.span, lastHint.bytes.span)
    }

    /// What is known of an entry, as far as was looked.
    mutating func find(_ id: EntryID) throws(StoreError) -> LogIndex.Answer {
        if case .success(let answer)? = try view?.index.find(id) { return answer }
        return try run { (view) throws(StoreError) in try LogPlan.find(id, &view) }
    }

    private mutating func catchUp(
        to hint: LogHint, _ log: LogFile, _ position: LogPosition
    ) throws(StoreError) {
        var parser = LogParser(log, keys: place.keys, from: position)
        try parser.parse(to: hint)
        try take(parser)
        view?.isScanned = false
        try note()
    }

    /// Reads on without a hint that says how far; false if something came between and all is to be tried again.
    private mutating func scan(
        _ hint: LogHint?, _ log: LogFile, _ position: LogPosition
    ) throws(StoreError) -> Bool {
        guard try isNamed(log) else {
            forget()
            return false
        }
        let before = lastHint.bytes
        let isIncremental = view?.isScanned ?? false
        var parser = LogParser(log, keys: place.keys, from: position)
        do {
            try parser.scan(known(hint, log), isIncremental: isIncremental)
        } catch {
            // What looks wrong may be the work of somebody who published and wrote meanwhile.
            guard try isHintStill(before) else { return false }
            throw error
        }
        if !parser.steps.isEmpty || !isIncremental { try syncForReading(log) }
        guard try isHintStill(before) else { return false }
        try take(parser)
        view?.isScanned = true
        return true
    }

    /// The second look: true if the hint has the bytes that it had before a scan.
    private mutating func isHintStill(_ before: [UInt8]) throws(StoreError) -> Bool {
        if hintFile == nil, try openHint() { return false }
        _ = try readHint()
        return lastHint.bytes == before
    }

    /// What a scan found has to last before anybody is told of it.
    private func syncForReading(_ log: LogFile) throws(StoreError) {
        do {
            try log.file.syncData()
        } catch {
            // A disk that takes no writes has nothing to sync, and some refuse to say so politely.
            guard error.code == ErrorCode.readOnly || error.code == ErrorCode.invalid else {
                throw StoreError(error)
            }
        }
    }

    /// True if `log` has the name.
    func isNamed(_ log: LogFile) throws(StoreError) -> Bool {
        let directory = try place.openDirectory()
        return log.isSame(try system(try directory.status(of: LogName.log)))
    }

    /// Takes up what a parser found.
    mutating func take(_ parser: LogParser) throws(StoreError) {
        guard let isSealed = view?.log.block.isSealed else { return }
        for step in parser.steps {
            if case .commit(let commit) = step { try compare(commit.position, commit: true) }
            if makesIndex, try view?.index.take(step, isSealed: isSealed) != nil {
                return try distrustIndex()
            }
            if isWatched, !isFresh { tell(step) }
        }
        view?.position = parser.position
        view?.isSettled = false
    }

    /// The index is not what was written: everything is read from the log.
    mutating func distrustIndex() throws(StoreError) {
        guard trustsIndex else {
            throw .storeDamaged(path: path, what: "the index cannot be made")
        }
        trustsIndex = false
        forget()
        try look()
    }

    private mutating func tell(_ step: LogStep) {
        guard case .commit(let commit) = step else { return news.append([]) }
        news.append(Set(commit.entries.map(\.id)).sorted())
    }

    /// Whoever was answered must not be answered from less.
    mutating func note() throws(StoreError) {
        guard let view else { return }
        let block = view.log.block
        try compare(view.position, commit: false)
        guard place.acceptsRollback || !seen.isNewer(than: view.position, of: block) else {
            throw .rolledBack(path: path, what: "this process has seen a newer state of the log")
        }
        seen = LogSeen(
            generation: block.generation, sequence: view.position.sequence,
            tag: view.position.isAfterLoss ? nil : view.position.tag)
        isAnchorCompared = true
        isFresh = false
    }
}
