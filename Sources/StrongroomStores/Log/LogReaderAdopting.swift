import StrongroomSystem

// What a killed writer left.
//
// A commit that is whole and durable, and was not published when its writer was killed, comes with the next writer, who
// adopts it. Whoever reads until then finds that it is not there, and may act on that. So who opens a log, and who goes
// on reading, looks now and then whether there is such a one while nobody writes, and adopts it himself.
extension LogReader {
    /// Adopts a commit that lies behind the end, if nobody is writing it and we may write.
    mutating func adoptLeft() throws(StoreError) {
        guard try hasHeadBehindEnd(), let held = try lockIfFree() else { return }
        defer { held.lock.release() }
        let end = view?.position.end
        do {
            try prepare(held.lock, held.directory)
        } catch {
            // What was read half way is read anew.
            forget()
            return try lookAnew()
        }
        if let view, view.position.end != end {
            place.anchor?.note(view.position.point(view.log.block))
        }
    }

    /// True if what lies behind a current hint's end begins as the next commit would.
    private func hasHeadBehindEnd() throws(StoreError) -> Bool {
        guard let view, let hint = lastHint.hint, isCurrent(hint, view.log),
            hint.end == view.position.end
        else { return false }
        let position = view.position
        let bytes = try system(
            try view.log.file.read(at: position.end, count: LogHead.byteCount))
        guard let head = LogHead(fields: bytes.span) else { return false }
        return head.sequence > position.sequence
            && (position.isAfterLoss || head.link == position.sum)
    }

    /// The write lock and its directory; nil if somebody has it, or if this user may not write there.
    private func lockIfFree() throws(StoreError) -> (lock: HeldLock, directory: OpenFile)? {
        do throws(SystemError) {
            let directory = try OpenFile.open(
                place.path, [.read, .directory, .followLink], fileSystem: place.fileSystem)
            guard DirectoryMaker.mayWrite(try directory.status()) else { return nil }
            let lock = FileLock(directory: directory, name: LogName.lock, gate: LogName.gate)
            return try lock.tryAcquire().map { ($0, directory) }
        } catch {
            // A disk that takes no writes, for one. Who can write sees to it.
            return nil
        }
    }
}
