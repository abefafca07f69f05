import StrongroomSystem

/// Follows the commits of a log from a position on, each verified: sum, links, chain tag.
///
/// What it finds is collected and changes nothing until its caller takes it.
struct LogParser {
    let log: LogFile
    let keys: any LogKeys
    /// Where it stands.
    var position: LogPosition
    /// What it found, in the order of the log.
    var steps: [LogStep] = []
    private var window: LogWindow

    /// A parser of the log from `position` on.
    init(_ log: LogFile, keys: any LogKeys, from position: LogPosition) {
        self.log = log
        self.keys = keys
        self.position = position
        window = LogWindow(log.file)
    }

    /// Follows commits as long as they verify.
    mutating func follow(upTo end: Int64 = .max) throws(StoreError) {
        while position.end < end, let commit = try next() { take(commit) }
    }

    /// The commit at the position, or nil if nothing that belongs there verifies.
    ///
    /// A whole one that cannot have come there by itself is `.tampered`.
    mutating func next() throws(StoreError) -> LogCommit? {
        guard let commit = try commit(at: position.end) else { return nil }
        if commit.follows(position) {
            guard try commit.hasRightTag(block: log.block, keys: keys) else {
                throw tampered("a commit was made without the key")
            }
            return commit
        }
        // An older one is what a killed writer left.
        guard commit.head.sequence > position.sequence else { return nil }
        guard position.isAfterLoss, try commit.hasRightTag(block: log.block, keys: keys) else {
            throw tampered("a commit stands where another one belongs")
        }
        return commit
    }

    /// True if the head of the last commit that was read says what it said: what is appended is linked to it, so an
    /// older copy that somebody put there and went on with would be spoilt.
    ///
    /// What lies behind the commit is read with it.
    mutating func hasHead(of last: LogPosition) throws(StoreError) -> Bool {
        guard last.sequence > 0, !last.isAfterLoss else { return true }
        let byteCount = last.end - last.start
        let head = LogHead.byteCount
        let range = try window.hold(
            at: last.start, count: byteCount < 4096 ? Int(byteCount) + head : head)
        let span = window.bytes.span
        guard let found = LogHead(fields: span.extracting(range)) else { return false }
        return found.sum == last.sum && found.tag == last.tag
    }

    /// Goes behind a commit.
    mutating func take(_ commit: LogCommit) {
        steps.append(.commit(commit))
        position = commit.position
    }

    /// Goes behind a range of which nothing is known; the last commit in it had at least the number `sequence`.
    mutating func lose(upTo end: Int64, sequence: UInt64) {
        steps.append(.lost(position.end..<end))
        position.end = end
        position.sequence = max(position.sequence, sequence)
        position.isAfterLoss = true
    }

    /// What has a right sum at `offset`.
    mutating func commit(at offset: Int64) throws(StoreError) -> LogCommit? {
        var bytes = try window.read(at: offset, count: LogHead.byteCount)
        guard let head = LogHead(fields: bytes.span) else { return nil }
        bytes = try window.read(at: offset, count: LogHead.byteCount + head.tableByteCount)
        return try LogCommit(decoding: bytes, at: offset, block: log.block)
    }

    /// Where the log stands behind the commit at `offset`, if that has the head sum `sum` and the right chain tag.
    ///
    /// For who has that sum from where nobody without the key can write: then the tag alone, which is over every row,
    /// tells all that a position is. No entry is made, and the sum is not made again.
    mutating func position(
        behind offset: Int64, sum: UInt64
    ) throws(StoreError) -> LogPosition? {
        let bytes = try window.read(at: offset, count: LogHead.byteCount)
        guard let head = LogHead(fields: bytes.span), head.sum == sum,
            head.byteCount <= LogCommit.endLimit - offset
        else { return nil }
        let range = try window.hold(at: offset, count: LogHead.byteCount + head.tableByteCount)
        guard range.count == LogHead.byteCount + head.tableByteCount else { return nil }
        let table = window.bytes.span.extracting(range.dropFirst(LogHead.byteCount))
        guard let tag = try head.chainTag(table: table, block: log.block, keys: keys),
            tag == head.tag
        else { return nil }
        return LogPosition(
            start: offset, end: offset + head.alignedByteCount, sequence: head.sequence,
            sum: head.sum, tag: head.tag)
    }

    /// The commit at the position if one bit of its head, or of a small table, is set right.
    mutating func corrected() throws(StoreError) -> LogCommit? {
        let offset = position.end
        let read = try window.read(at: offset, count: 4096)
        guard read.count >= LogHead.byteCount else { return nil }
        var tableByteCount = 0
        if let head = LogHead(fields: read.span) { tableByteCount = head.tableByteCount }
        let summed = LogHead.byteCount + tableByteCount
        let bitCount = 8 * (summed <= read.count ? summed : LogHead.byteCount)
        let byteCount = try byteCount()
        for bit in 0..<bitCount {
            var bytes = read
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            guard let head = LogHead(fields: bytes.span) else { continue }
            let count = LogHead.byteCount + head.tableByteCount
            if count > bytes.count {
                // Only a head that fits all the rest is worth reading a long table for.
                guard head.sequence == position.sequence + 1, head.link == position.sum,
                    Int64(count) <= byteCount - offset
                else { continue }
                let more = try window.read(at: offset, count: count)
                guard more.count == count else { continue }
                bytes += more[bytes.count...]
            }
            guard
                let commit = try LogCommit(decoding: bytes, at: offset, block: log.block),
                commit.follows(position) || position.isAfterLoss,
                try commit.hasRightTag(block: log.block, keys: keys)
            else { continue }
            return commit
        }
        return nil
    }

    /// The first commit behind the position, and before `limit`, that vouches for itself and has a higher number.
    ///
    /// Commits do not overlap: a log in which what looks like heads and is none claims many times its length was made
    /// so, to keep its readers busy, and is `.tampered`.
    mutating func later(before limit: Int64) throws(StoreError) -> LogCommit? {
        var offset = position.end + LogHead.alignment
        let end = try min(limit, byteCount())
        var patience = 16 * max(end - offset, 1 << 20)
        while offset + Int64(LogHead.byteCount) <= end {
            let bytes = try system(
                try log.file.read(at: offset, count: Int(min(1 << 20, end - offset))))
            var place = 0
            while place + 8 <= bytes.count {
                if bytes[place] == UInt8(ascii: "S"),
                    bytes.span.number(at: place, byteCount: 4) == LogHead.magic
                {
                    let start = offset + Int64(place)
                    if let commit = try commit(at: start),
                        commit.head.sequence > position.sequence,
                        try commit.hasRightTag(block: log.block, keys: keys)
                    {
                        return commit
                    }
                    patience -= try claimedByteCount(at: start)
                    guard patience > 0 else {
                        throw tampered("it is full of what looks like commits and is none")
                    }
                }
                place += Int(LogHead.alignment)
            }
            offset += Int64(place)
            if place == 0 { break }
        }
        return nil
    }

    /// How many bytes were summed to find that no commit begins at `offset`.
    private mutating func claimedByteCount(at offset: Int64) throws(StoreError) -> Int64 {
        let bytes = try window.read(at: offset, count: LogHead.byteCount)
        guard let head = LogHead(fields: bytes.span) else { return 0 }
        return Int64(LogHead.byteCount)
            + min(Int64(head.tableByteCount), try byteCount() - offset)
    }

    /// True if there is nothing at the position: zeros where a head would be, or the end of the file.
    mutating func isBlank() throws(StoreError) -> Bool {
        let bytes = try window.read(at: position.end, count: LogHead.byteCount)
        return bytes.span.isZero
    }

    /// Where what is written behind the position ends, at a multiple of 8.
    func endOfWritten() throws(StoreError) -> Int64 {
        var end = position.end
        var offset = position.end
        let byteCount = try byteCount()
        while offset < byteCount {
            let bytes = try system(try log.file.read(at: offset, count: 1 << 20))
            guard !bytes.isEmpty else { break }
            if let last = bytes.lastIndex(where: { $0 != 0 }) {
                end = LogHead.aligned(offset + Int64(last) + 1)
            }
            offset += Int64(bytes.count)
        }
        return end
    }

    /// How long the file is.
    private func byteCount() throws(StoreError) -> Int64 {
        try system(try log.file.status()).byteCount
    }

    /// The error of bytes that are whole and do not belong there.
    func tampered(_ what: String) -> StoreError {
        .tampered(path: log.file.path.description, what: what)
    }
}

/// What a parser passed.
enum LogStep: Sendable {
    /// A commit.
    case commit(LogCommit)
    /// A range of which nothing is known.
    case lost(Range<Int64>)
}
