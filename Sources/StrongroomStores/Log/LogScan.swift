import StrongroomSystem

// End or damage? (STORE.md): what it means that nothing verifies at a position.
extension LogParser {
    /// What was known of a log's end before it was read.
    struct Known {
        /// A hint of this log in this file, of whatever boot: what lies before its end was acknowledged.
        var hint: LogHint?
        /// The anchor, if it is of this log's generation.
        var anchor: LogPoint?

        /// The highest number that a commit is known to have.
        var sequence: UInt64 { max(hint?.sequence ?? 0, anchor?.sequence ?? 0) }
    }

    /// Goes to `hint`'s end, up to which everything was acknowledged.
    ///
    /// What does not verify is damage; a commit that goes past the end is tampering.
    mutating func parse(to hint: LogHint) throws(StoreError) {
        while position.end < hint.end {
            try follow(upTo: hint.end)
            guard position.end < hint.end else { break }
            try passDamage(limit: hint.end, known: Known(hint: hint))
        }
        guard position.end == hint.end, position.sequence == hint.sequence else {
            throw tampered("the log and its hint do not belong together")
        }
    }

    /// Goes to the end of the log, which nobody says: as far as commits lie whole.
    ///
    /// The last commit, unless it is known to have been acknowledged, also needs its payloads; with
    /// `checksAllPayloads` every one. With `isIncremental` the end was looked for before, from the same position on,
    /// and only a commit right there can be new.
    mutating func scan(
        _ known: Known, checksAllPayloads: Bool = false, isIncremental: Bool = false
    ) throws(StoreError) {
        let start = position
        while true {
            while let commit = try next() {
                if checksAllPayloads, try !isAcknowledged(commit, known),
                    try !hasWholePayloads(commit)
                {
                    return
                }
                take(commit)
            }
            let isNew = position != start || !isIncremental
            guard isNew, try isDamage(known) else { break }
            try passDamage(limit: .max, known: known)
        }
        try dropTornCommit(known, start)
    }

    /// Gives up a last commit whose payloads are not whole, unless it was acknowledged.
    private mutating func dropTornCommit(
        _ known: Known, _ start: LogPosition
    ) throws(StoreError) {
        guard case .commit(let last)? = steps.last, try !isAcknowledged(last, known),
            try !hasWholePayloads(last)
        else { return }
        steps.removeLast()
        switch steps.last {
        case .commit(let before): position = before.position
        case .lost, nil:
            // Behind a lost range a torn commit is part of what cannot be told; else it was the first that was read.
            if steps.isEmpty {
                position = start
            } else {
                position = last.position
                steps.append(.commit(last))
            }
        }
    }

    private func isAcknowledged(_ commit: LogCommit, _ known: Known) throws(StoreError) -> Bool {
        if let hint = known.hint, hint.end >= commit.end { return true }
        return known.anchor.map { $0.sequence >= commit.head.sequence } ?? false
    }

    func hasWholePayloads(_ commit: LogCommit) throws(StoreError) -> Bool {
        for entry in commit.entries {
            if try !log.isWhole(entry) { return false }
        }
        return true
    }

    /// True if something was there: before a hint's end, before a commit that vouches for itself, or before the
    /// anchor's.
    private mutating func isDamage(_ known: Known) throws(StoreError) -> Bool {
        if let hint = known.hint, position.end < hint.end { return true }
        if try later(before: .max) != nil { return true }
        guard let anchor = known.anchor, position.sequence < anchor.sequence else { return false }
        guard try !isBlank() else {
            throw .rolledBack(
                path: log.file.path.description,
                what: "the log ends before the newest commit that this machine has noted")
        }
        return true
    }

    /// Gets past what does not verify at the position: by one bit, or to the next commit, or to the end.
    private mutating func passDamage(limit: Int64, known: Known) throws(StoreError) {
        if let commit = try corrected() { return take(commit) }
        if let commit = try commit(at: position.end),
            try commit.hasRightTag(block: log.block, keys: keys)
        {
            // No damage makes an older commit.
            throw tampered("a commit stands there a second time")
        }
        if let commit = try later(before: limit) {
            lose(upTo: commit.offset, sequence: position.sequence)
            return take(commit)
        }
        var end = known.hint?.end ?? 0
        if end <= position.end { end = try endOfWritten() }
        if end <= position.end { end = position.end + LogHead.aligned(Int64(LogHead.byteCount)) }
        lose(upTo: end, sequence: known.sequence)
    }
}
