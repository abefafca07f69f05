/// An entry in memory, held open.
struct MemoryEntry: EntryReader {
    let id: EntryID
    let entry: StoredEntry

    var byteCount: Int64 { Int64(entry.bytes.count) }
    var version: Version { entry.version }

    func read(at offset: Int64, count: Int) throws(StoreError) -> [UInt8] {
        guard offset >= 0, count >= 0, offset <= byteCount, Int64(count) <= byteCount - offset
        else { throw .damaged(id) }
        let start = Int(offset)
        return Array(entry.bytes[start..<(start + count)])
    }
}
