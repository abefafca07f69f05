import StrongroomSystem

/// Walks a whole log, every byte of it, and goes on behind what is wrong.
struct LogVerifier {
    private let log: LogFile
    private let keys: any LogKeys
    private var parser: LogParser
    private var index = LogIndex()
    /// Entries whose newest content is damaged.
    private var damaged: Set<EntryID> = []
    private(set) var report = LogReport()

    init(_ log: LogFile, keys: any LogKeys) throws(StoreError) {
        self.log = log
        self.keys = keys
        let first = try LogPosition.first(log.block, keys)
        parser = LogParser(log, keys: keys, from: first)
    }

    /// Compares block 0 with what it must be.
    mutating func verifyBlock() throws(StoreError) {
        let right = try log.block.encoded(keys)
        let bytes = try system(try log.file.read(at: 0, count: LogBlock.byteCount))
        for copy in LogBlock.copyOffsets {
            let range = copy..<(copy + LogBlock.byteCount / 2)
            if bytes.count < range.upperBound || bytes[range] != right[range] {
                report.findings.append(.spare(at: Int64(copy)))
            }
        }
    }

    /// Walks up to `end`, or without one as far as there are commits.
    ///
    /// - Parameters:
    ///   - end: Where the log ends.
    ///   - indexFile: What `index` holds, compared when its commit was passed.
    ///   - onProgress: Called with the bytes done and the bytes in all.
    /// - Throws: Errors of the system; what is wrong with the log is in the report.
    mutating func walk(
        upTo end: Int64?, comparing indexFile: LogIndexFile?, onProgress: (Int64, Int64) -> Void
    ) throws(StoreError) {
        let total = if let end { end } else { try system(try log.file.status()).byteCount }
        while parser.position.end < end ?? .max, let commit = try step(upTo: end) {
            try verify(commit)
            if let damage = try index.take(.commit(commit), isSealed: log.block.isSealed) {
                throw damage.storeError
            }
            if let indexFile, indexFile.start == commit.offset { try compare(indexFile, commit) }
            onProgress(min(parser.position.end, total), total)
        }
        report.entryCount = index.count
        report.byteCount = parser.position.end
        report.findings += damaged.sorted().map { .damaged($0) }
    }

    /// The next commit that can be read, nil if there is none; what is passed before it is found.
    private mutating func step(upTo end: Int64?) throws(StoreError) -> LogCommit? {
        parser.steps = []
        let start = parser.position.end
        do {
            if let commit = try parser.next() {
                parser.take(commit)
                return commit
            }
        } catch {
            guard case .tampered(_, let what) = error, let commit = try parser.commit(at: start)
            else { throw error }
            let ids = Set(commit.entries.map(\.id)).sorted()
            report.findings.append(.tampered(at: start, ids: ids, what: what))
            parser.take(commit)
            parser.position.isAfterLoss = true
            return commit
        }
        if let commit = try parser.corrected() {
            report.findings.append(.corrected(at: start))
            parser.take(commit)
            return commit
        }
        if let commit = try parser.later(before: end ?? .max) {
            try lose(upTo: commit.offset)
            parser.take(commit)
            return commit
        }
        if let end { try lose(upTo: end) }
        return nil
    }

    private mutating func lose(upTo end: Int64) throws(StoreError) {
        let start = parser.position.end
        report.findings.append(.lost(at: start, byteCount: end - start))
        parser.lose(upTo: end, sequence: parser.position.sequence)
        if let damage = try index.take(.lost(start..<end), isSealed: log.block.isSealed) {
            throw damage.storeError
        }
    }

    /// Reads every payload of a commit, and the zeros behind it.
    private mutating func verify(_ commit: LogCommit) throws(StoreError) {
        report.commitCount += 1
        for entry in commit.entries {
            switch entry.kind {
            case .put where try !log.isWhole(entry): damaged.insert(entry.id)
            case .put, .remove: damaged.remove(entry.id)
            case .lost:
                report.findings.append(.lost(at: entry.offset, byteCount: entry.byteCount))
            }
        }
        let rest = commit.offset + commit.head.byteCount
        guard rest < commit.end else { return }
        let bytes = try system(try log.file.read(at: rest, count: Int(commit.end - rest)))
        if !bytes.span.isZero { report.findings.append(.spare(at: rest)) }
    }

    private mutating func compare(
        _ file: LogIndexFile, _ commit: LogCommit
    ) throws(StoreError) {
        // Behind a loss the file knows more than the log.
        guard !index.hasLoss else { return }
        var known = file.index
        let isRight =
            file.sum == commit.head.sum && file.sequence == commit.head.sequence
            && known.count == index.count && known.liveByteCount == index.liveByteCount
        guard isRight, case .success(let rows) = try known.all(),
            case .success(let right) = try index.all(),
            rows.elementsEqual(right, by: { $0.id == $1.id && $0.row == $1.row })
        else { return report.findings.append(.index) }
    }

    /// Finds what lies behind the end and is no commit.
    mutating func verifyTail() throws(StoreError) {
        // What was read ahead may have been written meanwhile.
        parser = LogParser(log, keys: keys, from: parser.position)
        while let commit = try parser.next(), try parser.hasWholePayloads(commit) {
            parser.take(commit)
        }
        let start = parser.position.end
        let end = try parser.endOfWritten()
        if end > start { report.findings.append(.tail(at: start, byteCount: end - start)) }
    }

    /// Adds a tampering that was found in opening, if the walk did not come upon any.
    mutating func noteTampering(_ what: String) {
        let isFound = report.findings.contains { finding in
            if case .tampered = finding { true } else { false }
        }
        if !isFound { add(.tampered(at: parser.position.end, ids: [], what: what)) }
    }

    /// Adds what was found elsewhere.
    mutating func add(_ finding: LogFinding) { report.findings.append(finding) }
}

extension LogIndexDamage {
    /// An index that was made from the log has no pages that could be wrong.
    var storeError: StoreError { LogView.indexDamage }
}
