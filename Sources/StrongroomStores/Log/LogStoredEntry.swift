import StrongroomSystem
import Synchronization

/// An entry of a log, held open: its log stays open with it, whatever becomes of the name.
final class LogStoredEntry: EntryReader {
    let id: EntryID
    let log: LogFile
    let row: LogRow
    private let isVerified = Mutex(false)

    init(id: EntryID, log: LogFile, row: LogRow) {
        self.id = id
        self.log = log
        self.row = row
    }

    var byteCount: Int64 { row.byteCount }

    var version: Version {
        get throws(StoreError) { Version(number: row.version) }
    }

    /// Part of the payload: of a plain log only after all of it was verified once, of a sealed one after its stamp;
    /// what is sealed is verified by whoever opens it, but an older sealing of the same entry would open.
    func read(at offset: Int64, count: Int) throws(StoreError) -> [UInt8] {
        guard offset >= 0, count >= 0, offset <= row.byteCount,
            Int64(count) <= row.byteCount - offset
        else { throw .damaged(id) }
        let isVerified = isVerified.withLock { $0 }
        // What begins with the stamp is verified as it is read.
        let showsStamp = offset == 0 && count >= min(Int(row.byteCount), LogEntry.stampEnd)
        if !isVerified, !log.block.isSealed || !showsStamp {
            guard try log.block.isSealed ? hasRightStamp() : log.isWhole(entry) else {
                throw .damaged(id)
            }
        }
        let bytes = try system(try log.file.read(at: row.offset + offset, count: count))
        guard bytes.count == count else { throw .damaged(id) }
        if !isVerified {
            if log.block.isSealed, showsStamp {
                guard LogEntry.stamp(of: bytes) == row.version else { throw .damaged(id) }
            }
            self.isVerified.withLock { $0 = true }
        }
        return bytes
    }

    private func hasRightStamp() throws(StoreError) -> Bool {
        let count = Int(min(row.byteCount, Int64(LogEntry.stampRange.upperBound)))
        let bytes = try system(try log.file.read(at: row.offset, count: count))
        return bytes.count == count && LogEntry.stamp(of: bytes) == row.version
    }

    private var entry: LogEntry {
        LogEntry(
            kind: .put, id: id, offset: row.offset, byteCount: row.byteCount, stamp: 0,
            sum: row.version)
    }
}
