import StrongroomSystem

// Opening, and the anchor.
extension LogReader {
    /// Opens the log that has the name now, up to where the index knows it.
    mutating func open() throws(StoreError) {
        anchor = try place.anchor?.point().flatMap { $0.isPossible ? $0 : nil }
        isAnchorCompared = place.acceptsRollback || anchor == nil
        let directory = try place.openDirectory()
        process = Identity.process
        if hintFile == nil { _ = try openHint(in: directory) }
        let log = try LogFile.open(in: directory, keys: place.keys)
        try compareGenerations(log.block)
        let first = try LogPosition.first(log.block, place.keys)
        // What came between this opening and the last one is not known by name.
        if isWatched { news.append([]) }
        isFresh = true
        view = LogView(
            log: log, position: first, index: LogIndex(), indexedEnd: first.end, indexByteCount: 0)
        if trustsIndex { try openIndex(log, directory) }
    }

    mutating func openHint(in directory: OpenFile? = nil) throws(StoreError) -> Bool {
        let directory = if let directory { directory } else { try place.openDirectory() }
        let file: OpenFile
        do {
            file = try directory.openFile(LogName.lock, [.read, .nonBlocking])
        } catch {
            guard error.code == ErrorCode.noEntry || error.code == ErrorCode.accessDenied else {
                throw StoreError(opening: error)
            }
            return false
        }
        hintFile = try LogHintFile(file)
        return true
    }

    /// Takes up the index file, if it is this log's and goes not too far.
    private mutating func openIndex(
        _ log: LogFile, _ directory: OpenFile
    ) throws(StoreError) {
        let bytes: [UInt8]
        do {
            bytes = try directory.openFile(LogName.index, [.read, .nonBlocking])
                .readAll(limit: 1 << 40)
        } catch {
            // Whatever is wrong with it, it is as good as none.
            return
        }
        guard let file = try LogIndexFile(decoding: bytes, block: log.block, keys: place.keys)
        else { return }
        var parser = LogParser(
            log, keys: place.keys, from: try LogPosition.first(log.block, place.keys))
        guard let position = try parser.position(behind: file.start, sum: file.sum),
            position.sequence == file.sequence
        else { return }
        if let hint = try readHint(), isCurrent(hint, log), position.end > hint.end { return }
        if let point = known(nil, log).anchor, point.sequence < file.sequence {
            // The anchored commit has to be seen.
            return
        }
        try compare(position, commit: true)
        view = LogView(
            log: log, position: position, index: file.index, indexedEnd: position.end,
            indexByteCount: Int64(bytes.count))
    }

    private func compareGenerations(_ block: LogBlock) throws(StoreError) {
        guard let anchor, !place.acceptsRollback else { return }
        if block.generation < anchor.generation {
            throw .rolledBack(
                path: path, what: "its generation is older than the one that this machine noted")
        }
        guard block.base.generation == anchor.generation else { return }
        let base = block.base
        guard base.sequence > anchor.sequence || base == anchor else {
            throw .rolledBack(
                path: path, what: "it was made from an older state than this machine noted")
        }
    }

    /// Compares a commit, or the end, with the anchor.
    func compare(_ position: LogPosition, commit: Bool) throws(StoreError) {
        guard !isAnchorCompared, let anchor, let block = view?.log.block,
            anchor.generation == block.generation
        else { return }
        let isOther = position.sequence == anchor.sequence && position.tag != anchor.tag
        if isOther && !position.isAfterLoss || !commit && position.sequence < anchor.sequence {
            throw .rolledBack(path: path, what: "it is not the log that this machine noted")
        }
    }
}
