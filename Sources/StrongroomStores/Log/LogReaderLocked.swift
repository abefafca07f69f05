import StrongroomSystem

// What a writer does first, with the lock in his hand (STORE.md, "Write lock").
extension LogReader {
    /// Finds the end of the log, adopts what lies whole behind it, and publishes it.
    ///
    /// Afterwards `view` is the whole log, durable, and the hint is current.
    mutating func prepare(_ held: HeldLock, _ directory: OpenFile) throws(StoreError) {
        if process != Identity.process { forget() }
        if let log = view?.log {
            let named = try system(try directory.status(of: LogName.log))
            if log.isSame(named) { view?.fileByteCount = named?.byteCount } else { view = nil }
        }
        for _ in 0..<3 {
            let isNew = view == nil
            if isNew { try lookAnew() }
            // Reading anew forgets it.
            try followHint(of: held, directory)
            guard let log = view?.log, let position = view?.position else { continue }
            let trusted = trustsIndex
            let hint = try readHint()
            if let hint, isCurrent(hint, log) {
                if hint.end < position.end, try !isStillThere(position, log) {
                    view = nil
                    continue
                }
                var parser = LogParser(log, keys: place.keys, from: position)
                if !isNew, try !parser.hasHead(of: position) {
                    view = nil
                    continue
                }
                try adopt(hint, parser, held.file)
            } else {
                try settle(hint, log, position, directory, held.file)
            }
            // Else the log was read anew on the way, and perhaps not as far.
            if trusted == trustsIndex { return }
        }
        throw .busy(path: path)
    }

    /// Reads the hint that all others see: the one in the file that is the lock now.
    ///
    /// By a descriptor of its own: that the lock's is closed, when the commit stands, is what tells who watches.
    private mutating func followHint(
        of held: HeldLock, _ directory: OpenFile
    ) throws(StoreError) {
        if let hintFile, hintFile.isSame(held.status) { return }
        hintFile = nil
        _ = try openHint(in: directory)
    }

    /// True if the last commit that was read, by a scan that went further than anybody published, is as it was.
    private func isStillThere(
        _ position: LogPosition, _ log: LogFile
    ) throws(StoreError) -> Bool {
        var parser = LogParser(log, keys: place.keys, from: position)
        return try parser.commit(at: position.start)?.head.sum == position.sum
    }

    /// Without a current hint: the end is what is found, and made durable with the name of the log.
    private mutating func settle(
        _ hint: LogHint?, _ log: LogFile, _ position: LogPosition, _ directory: OpenFile,
        _ lockFile: OpenFile
    ) throws(StoreError) {
        var parser = LogParser(log, keys: place.keys, from: position)
        try parser.scan(known(hint, log), isIncremental: view?.isScanned ?? false)
        try system(try log.file.sync())
        try system(try directory.sync())
        try take(parser)
        view?.isScanned = false
        try letReadersNotice(lockFile)
        try publish(in: lockFile)
    }

    /// With a current hint: its end is the end, and what lies whole behind it is taken.
    private mutating func adopt(
        _ hint: LogHint, _ parser: consuming LogParser, _ lockFile: OpenFile
    ) throws(StoreError) {
        if hint.end >= parser.position.end { try parser.parse(to: hint) }
        let end = hint.end
        try parser.scan(known(hint, parser.log), checksAllPayloads: true, isIncremental: true)
        let hasMoved = parser.position.end != end
        if hasMoved { try system(try parser.log.file.syncData()) }
        try take(parser)
        view?.isScanned = false
        if hasMoved { try publish(in: lockFile) }
    }

    /// Publishes the end of the view.
    private func publish(in lockFile: OpenFile) throws(StoreError) {
        guard let view else { return }
        try publish(view.position, of: view.log, in: lockFile)
    }

    /// Moves the hint in the lock's file to `position`; everything before it must be durable.
    ///
    /// A throw leaves the old hint, the new one, or none.
    func publish(
        _ position: LogPosition, of log: LogFile, in lockFile: OpenFile
    ) throws(StoreError) {
        let hint = LogHint(
            boot: place.boot, log: log.block.log, inode: log.inode, end: position.end,
            sequence: position.sequence)
        let bytes = try hint.encoded()
        try system(try lockFile.write(bytes.span, at: 0))
    }

    /// Takes up a commit of our own, if nobody who looked meanwhile has.
    mutating func take(own commit: LogCommit, after position: LogPosition) throws(StoreError) {
        guard let log = view?.log, view?.position == position else { return }
        var parser = LogParser(log, keys: place.keys, from: position)
        parser.take(commit)
        try take(parser)
        try note()
    }
}
