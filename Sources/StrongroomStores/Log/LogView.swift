/// A log as far as it was read: which commits, and what they left.
struct LogView: Sendable {
    let log: LogFile
    var position: LogPosition
    var index: LogIndex
    /// True if the end was looked for from here on and there was none further.
    var isScanned = false
    /// True if a look ended here because the hint named this end, and nothing was done since: as long as the hint has
    /// the same bytes, there is nothing to do.
    var isSettled = false
    /// Where the index file that was read ends, or was written to.
    var indexedEnd: Int64
    /// Bytes of that file.
    var indexByteCount: Int64

    /// How long the file was when a writer last looked, of this process and with the lock in his hand; nil if none has.
    var fileByteCount: Int64?

    /// Where the next commit goes.
    var end: LogEnd { LogEnd(log: log, position: position, fileByteCount: fileByteCount) }

    /// Bytes of the log that hold nothing any more.
    var garbageByteCount: Int64 {
        position.end - Int64(LogBlock.byteCount) - index.liveByteCount
    }

    /// Every entry whose newest known content is there, sorted by id.
    mutating func all() throws(StoreError) -> [(id: EntryID, row: LogRow)] {
        switch try index.all() {
        case .success(let all): return all
        case .failure: throw Self.indexDamage
        }
    }
}

/// Where a log ends, for who appends to it.
struct LogEnd: Sendable {
    let log: LogFile
    let position: LogPosition
    /// How long the file is, more than the log if there is room; nil if that is yet to be asked.
    let fileByteCount: Int64?
}
