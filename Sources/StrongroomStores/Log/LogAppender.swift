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
    /// How long the file is; nil if that is yet to be asked.
    private let fileByteCount: Int64?
    /// Where what the disk has begun with ends.
    private var startedEnd: Int64 = 0

    init(
        _ file: OpenFile, block: LogBlock, keys: any LogKeys, after position: LogPosition,
        fileByteCount: Int64? = nil
    ) {
        self.fileByteCount = fileByteCount
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
        let payloadStart = position.end + Int64(LogHead.byteCount + tableByteCount)
        var offset = payloadStart
        var entries: [LogEntry] = []
        entries.reserveCapacity(changes.count)
        for change in changes {
            entries.append(change.entry(at: offset))
            offset += change.byteCount
        }
        let end = LogHead.aligned(offset)
        // Nobody would read it.
        guard end <= LogCommit.endLimit else {
            throw .system(
                operation: "write", path: file.path.description, code: ErrorCode.fileTooLarge)
        }
        let room = try makesRoom ? room(behind: end) : 0
        let start = position.end
        let head: LogHead
        if end - start <= Self.onePieceByteCount {
            let encoded = try LogHead.encode(entries, after: position, block: block, keys: keys)
            head = encoded.head
            try writeWhole(encoded.bytes, changes, to: end, room)
            if !makesRoom { try startSync(upTo: end) }
        } else {
            // Tag and sum of a long table take as long as a part of the writing.
            let encode: @Sendable () -> Result<(bytes: [UInt8], head: LogHead), StoreError> = {
                [entries, position, block, keys] in
                do throws(StoreError) {
                    return .success(
                        try LogHead.encode(entries, after: position, block: block, keys: keys))
                } catch {
                    return .failure(error)
                }
            }
            let encoded = try LogCrew.beside(encode) { () throws(StoreError) in
                try writePayloads(changes, from: payloadStart, to: end, room)
            }.get()
            head = encoded.head
            try system(try file.write(encoded.bytes.span, at: start))
        }
        let commit = LogCommit(offset: start, head: head, entries: entries)
        position = commit.position
        return commit
    }

    /// How many zeros to write behind a commit that ends there; none as long as the file is long enough.
    private func room(behind end: Int64) throws(StoreError) -> Int {
        let size: Int64
        if let fileByteCount {
            size = fileByteCount
        } else {
            size = try system(try file.status()).byteCount
        }
        guard end > size else { return 0 }
        return Int(min(1 << 20, max(64 << 10, size / 8)))
    }

    /// Has the disk begin with what is written: all of it is synced soon.
    private mutating func startSync(upTo end: Int64) throws(StoreError) {
        // The last page is written to once more.
        let end = end / 4096 * 4096
        guard end > startedEnd else { return }
        try system(try file.startSync(of: startedEnd..<end))
        startedEnd = end
    }

    private func writeWhole(
        _ front: [UInt8], _ changes: [LogChange], to end: Int64, _ room: Int
    ) throws(StoreError) {
        var bytes = front
        let start = position.end
        let byteCount = Int(end - start)
        bytes.reserveCapacity(byteCount + room)
        for change in changes {
            try change.source.read(byteCount: change.byteCount) { (piece) throws(StoreError) in
                bytes.append(copying: piece)
            }
        }
        bytes += [UInt8](repeating: 0, count: byteCount + room - bytes.count)
        if room > 0 {
            do {
                return try file.write(bytes.span, at: start)
            } catch {
                // Room is no need; the space for the commit may be there.
                guard error.isWantOfSpace else { throw StoreError(error) }
            }
        }
        try system(try file.write(bytes.span.extracting(0..<byteCount), at: start))
    }

    private mutating func writePayloads(
        _ changes: [LogChange], from start: Int64, to end: Int64, _ room: Int
    ) throws(StoreError) {
        startedEnd = start / 4096 * 4096
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
                    try startSync(upTo: offset)
                }
                guard piece.count < Self.gatheredByteCount else {
                    try system(try file.write(piece, at: offset))
                    offset += Int64(piece.count)
                    return try startSync(upTo: offset)
                }
                gathered.append(copying: piece)
            }
        }
        try system(try file.write(gathered.span, at: offset))
        offset += Int64(gathered.count)
        let padding = [UInt8](repeating: 0, count: Int(end - offset) + room)
        do {
            try file.write(padding.span, at: offset)
        } catch {
            guard room > 0, error.isWantOfSpace else { throw StoreError(error) }
            let rest = padding.span.extracting(0..<Int(end - offset))
            try system(try file.write(rest, at: offset))
        }
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
