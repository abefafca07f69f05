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
