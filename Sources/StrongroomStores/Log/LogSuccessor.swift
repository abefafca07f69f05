import StrongroomSystem

/// Makes of an item of one log what the next one has in its place.
struct LogSuccessor: Sendable {
    let log: LogFile
    let next: LogBlock
    let directory: OpenFile
    let transform: LogRewriter.Transform?

    /// Payloads up to here are read once, into memory.
    private static let memoryByteCount: Int64 = 1 << 20

    /// What there is in the place of an item.
    enum Made: Sendable {
        /// The change, nil if there is no successor.
        case change(LogChange?)
        /// The same bytes under that id: ``copy(as:_:_:)``, for which the row of the log's table is wanted.
        case same(EntryID)
    }

    /// What becomes of an item.
    func result(_ item: LogRewriter.Item) -> Result<Made, any Error> {
        do {
            switch item {
            case .entry(let id, let row): return .success(try successor(of: id, row))
            case .removal(let id, _): return .success(.change(.remove(id)))
            case .loss(let range): return .success(.change(try loss(range)))
            }
        } catch {
            return .failure(error)
        }
    }

    private func successor(of id: EntryID, _ row: LogRow) throws -> Made {
        guard let transform else { return .same(id) }
        let entry = LogStoredEntry(id: id, log: log, row: row)
        let directory = directory
        let stage: () throws(StoreError) -> any StagedPayload = { () throws(StoreError) in
            try StagedFile(in: directory, folder: LogName.spool)
        }
        switch try transform(id, entry, stage) {
        case .drop: return .change(nil)
        case .keep(let successor): return .same(try checked(successor))
        case .put(let successor, .bytes(let bytes)):
            return .change(try .put(try checked(successor), .bytes(bytes), block: next))
        case .put(let successor, .staged(let staged)):
            let file: StagedFile
            if let own = staged as? StagedFile {
                file = own
            } else {
                file = try StagedFile(in: directory, folder: LogName.spool)
                try file.fill(from: staged)
            }
            file.close()
            return .change(try .put(try checked(successor), .staged(file), block: next))
        }
    }

    private func checked(_ id: EntryID) throws(StoreError) -> EntryID {
        guard !id.bytes.isEmpty, id.bytes.count <= Int(UInt16.max) else { throw .invalidID(id) }
        return id
    }

    /// The same bytes under `id`.
    ///
    /// If they are not what was written, that can be told of the copy too. `old` is the row of the log's table, if it is
    /// to be read.
    func copy(
        as id: EntryID, _ row: LogRow, _ old: LogEntry?
    ) throws(StoreError) -> LogChange {
        var bytes: [UInt8] = []
        var oldSum = PayloadSum(key: log.key)
        var newSum = PayloadSum(key: next.log.bytes)
        let size = try system(try log.file.status()).byteCount
        // What is cut off is damage, and stays it: the sum of the rest is made wrong.
        let byteCount = max(0, min(row.byteCount, size - row.offset))
        let isInMemory = byteCount <= Self.memoryByteCount
        let isThere = try log.pieces(of: row.offset, byteCount) {
            (piece) throws(StoreError) in
            try oldSum.add(piece)
            try newSum.add(piece)
            if isInMemory { bytes.append(copying: piece) }
        }
        guard isThere else { throw .damaged(id) }
        let known = log.block.isSealed ? old?.sum : row.version
        let found = try oldSum.finish()
        let isWhole = byteCount == row.byteCount && (known == nil || found == known)
        let sum = try newSum.finish()
        let stamp = byteCount == row.byteCount ? row.version : newSum.stamp
        return LogChange(
            kind: .put, id: id,
            source: isInMemory ? .bytes(bytes) : .log(log, offset: row.offset),
            byteCount: byteCount, stamp: log.block.isSealed ? stamp : 0,
            sum: isWhole ? sum : ~sum)
    }

    /// The bytes of a lost range, at least one.
    private func loss(_ range: Range<Int64>) throws(StoreError) -> LogChange {
        let size = try system(try log.file.status()).byteCount
        let byteCount = min(range.upperBound, size) - range.lowerBound
        var sum = PayloadSum(key: next.log.bytes)
        var source = LogChange.Source.log(log, offset: range.lowerBound)
        if byteCount > 0 {
            try source.read(byteCount: byteCount) { (piece) throws(StoreError) in
                try sum.add(piece)
            }
        } else {
            source = .bytes([0])
            let zero: [UInt8] = [0]
            try sum.add(zero.span)
        }
        return LogChange(
            kind: .lost, id: EntryID([]), source: source, byteCount: max(byteCount, 1), stamp: 0,
            sum: try sum.finish())
    }
}

extension StagedFile {
    /// Writes all of another store's staged payload.
    func fill(from staged: any StagedPayload) throws(StoreError) {
        var offset: Int64 = 0
        let end = try staged.byteCount
        while offset < end {
            let bytes = try staged.read(at: offset, count: Int(min(1 << 20, end - offset)))
            try write(bytes.span, at: offset)
            offset += Int64(bytes.count)
        }
    }
}
