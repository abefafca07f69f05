import StrongroomSystem
import Synchronization

/// An entry's file, held open: its bytes stay, whatever takes its name.
///
/// Without a file it is what has an entry's name in a vault and is no file: `.damaged` but for its size, which is 0.
final class EntryFile: EntryReader {
    let id: EntryID
    let file: OpenFile?
    let byteCount: Int64
    private let known = Mutex<Version?>(nil)

    init(id: EntryID, file: OpenFile?, byteCount: Int64) {
        self.id = id
        self.file = file
        self.byteCount = byteCount
    }

    var version: Version {
        get throws(StoreError) {
            if let version = known.withLock({ $0 }) { return version }
            let reading: (Int64, Int) throws(StoreError) -> [UInt8] = {
                (offset, count) throws(StoreError) in try self.read(at: offset, count: count)
            }
            let version = try ContentHash.version(byteCount: byteCount, read: reading)
            known.withLock { $0 = version }
            return version
        }
    }

    func read(at offset: Int64, count: Int) throws(StoreError) -> [UInt8] {
        guard let file, offset >= 0, count >= 0 else { throw .damaged(id) }
        let bytes = try system(try file.read(at: offset, count: count))
        guard bytes.count == count else { throw .damaged(id) }
        return bytes
    }

    func modified() throws(StoreError) -> Int64? {
        guard let file else { return nil }
        return try system(try file.modified())
    }

    /// All of it.
    func stored() throws(StoreError) -> StoredEntry {
        guard let file else { throw .damaged(id) }
        let bytes = try system(try file.readAll(limit: .max - 1))
        return StoredEntry(bytes: bytes, version: try ContentHash.version(of: bytes))
    }
}
