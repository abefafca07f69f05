import StrongroomSystem

/// Writes commits into a log that nobody else writes, behind each other.
struct LogAppender {
    /// Up to here a commit is written in one call; larger ones in pieces, the head last.
    private static let onePieceByteCount: Int64 = 4 << 20
    /// Of a larger one so much is written in one call.
    private static let gatheredByteCount = 1 << 20

    /// Open for writing.
    let file: OpenFile
    let block: LogBlock
    let keys: any LogKeys
    private(set) var position: LogPosition

    init(_ file: OpenFile, block: LogBlock, keys: any LogKeys, after position: LogPosition) {
        self.file = file
        self.block = block
        self.keys = keys
        self.position = position
    }

    /// Writes a commit of `changes`; nothing is synced.
    ///
    /// With `makesRoom` a file that grows gets room for later commits, written with zeros, if there is space for it:
    /// to sync a commit into written space costs one write of the disk instead of three. A throw leaves bytes of the
    /// commit behind the position, perhaps its head too.
    mutating func append(
        _ changes: [LogChange], makesRoom: Bool
    ) throws(StoreError) -> LogCommit {
        var tableByteCount = 0
        for change in changes {
            tableByteCount += LogEntry.fixedByteCount + change.id.bytes.count
        }
        var offset = position.end + Int64(LogHead.byteCount + tableByteCount)
        let payloadStart = offset
        var entries: [LogEntry] = []
        entries.reserveCapacity(changes.count)
        for change in changes {
            entries.append(change.entry(at: offset))
            offset += change.byteCount
        }
        let (front, head) = try LogHead.encode(
            entries, after: position, block: block, keys: keys)
        let commit = LogCommit(offset: position.end, head: head, entries: entries)
        let room = try makesRoom ? room(behind: commit) : 0
        if head.byteCount <= Self.onePieceByteCount {
            try writeWhole(front, changes, commit, room)
        } else {
            try writePieces(front, changes, commit, from: payloadStart, room)
        }
        position = commit.position
        return commit
    }

    /// How many zeros to write behind a commit; none as long as the file is long enough.
    private func room(behind commit: LogCommit) throws(StoreError) -> Int {
        let size = try system(try file.status()).byteCount
        guard commit.end > size else { return 0 }
        return Int(min(1 << 20, max(64 << 10, size / 8)))
    }

    private func writeWhole(
        _ front: [UInt8], _ changes: [LogChange], _ commit: LogCommit, _ room: Int
    ) throws(StoreError) {
        var bytes = front
        let byteCount = Int(commit.head.alignedByteCount)
        bytes.reserveCapacity(byteCount + room)
        for change in changes {
            try change.source.read(byteCount: change.byteCount) { (piece) throws(StoreError) in
                bytes.append(copying: piece)
            }
        }
        bytes += [UInt8](repeating: 0, count: byteCount + room - bytes.count)
        if room > 0 {
            do {
                return try file.write(bytes.span, at: commit.offset)
            } catch {
                // Room is no need; the space for the commit may be there.
                guard error.isWantOfSpace else { throw StoreError(error) }
            }
        }
        try system(try file.write(bytes.span.extracting(0..<byteCount), at: commit.offset))
    }

    private func writePieces(
        _ front: [UInt8], _ changes: [LogChange], _ commit: LogCommit, from start: Int64,
        _ room: Int
    ) throws(StoreError) {
        var offset = start
        // Small payloads go out together.
        var gathered: [UInt8] = []
        gathered.reserveCapacity(Self.gatheredByteCount)
        for change in changes {
            try change.source.read(byteCount: change.byteCount) { (piece) throws(StoreError) in
                if gathered.count + piece.count > Self.gatheredByteCount {
                    try system(try file.write(gathered.span, at: offset))
                    offset += Int64(gathered.count)
                    gathered.removeAll(keepingCapacity: true)
                }
                guard piece.count < Self.gatheredByteCount else {
                    try system(try file.write(piece, at: offset))
                    offset += Int64(piece.count)
                    return
                }
                gathered.append(copying: piece)
            }
        }
        try system(try file.write(gathered.span, at: offset))
        offset += Int64(gathered.count)
        let padding = [UInt8](repeating: 0, count: Int(commit.end - offset) + room)
        do {
            try file.write(padding.span, at: offset)
        } catch {
            guard room > 0, error.isWantOfSpace else { throw StoreError(error) }
            let rest = padding.span.extracting(0..<Int(commit.end - offset))
            try system(try file.write(rest, at: offset))
        }
        try system(try file.write(front.span, at: commit.offset))
    }

    /// Makes sure that nothing at the position is taken for a commit, after a write or a sync that failed.
    func retract() throws(StoreError) {
        let size = try system(try file.status()).byteCount
        let count = min(Int64(LogHead.byteCount), size - position.end)
        if count > 0 {
            let zeros = [UInt8](repeating: 0, count: Int(count))
            // A write that was refused whole, over the limit of a file's size perhaps, leaves nothing to overwrite.
            if try system(try file.read(at: position.end, count: Int(count))) != zeros {
                try system(try file.write(zeros.span, at: position.end))
            }
        }
        try system(try file.syncData())
    }
}

extension SystemError {
    /// True if the disk, or what the user may take of it, is full.
    var isWantOfSpace: Bool {
        code == ErrorCode.noSpace || code == ErrorCode.quota || code == ErrorCode.fileTooLarge
    }
}

extension StoreError {
    /// True if the disk, or what the user may take of it, is full.
    var isWantOfSpace: Bool {
        code == ErrorCode.noSpace || code == ErrorCode.quota || code == ErrorCode.fileTooLarge
    }
}
