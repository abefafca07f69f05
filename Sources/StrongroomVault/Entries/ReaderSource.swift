import StrongroomStores

/// Sealed bytes in a store, for ``EntryOpening``.
struct ReaderSource: SealedSource {
    let reader: any EntryReader
    /// What errors call the entry.
    let key: String?
    let id: EntryID

    var byteCount: Int64 { reader.byteCount }

    func read(at offset: Int64, count: Int) throws(VaultError) -> [UInt8] {
        do {
            return try reader.read(at: offset, count: count)
        } catch {
            throw VaultError(error, keys: key.map { [id: $0] } ?? [:])
        }
    }
}
