import StrongroomSystem

// Reading entries: no lock, nothing written. A commit of several changes counts from the moment that its record has
// its name, so who reads looks for a record first and answers from it. Looking only afterwards would not do: of two
// readers, one after the other, the first could find the new value by the record, and the second, if the record
// went between his two looks, still the old file.
extension EntryTree {
    /// The longest record that is read: 16 million changes of the usual size.
    private static let recordByteCountLimit = 1 << 30

    /// The record of a commit that is being carried out, if there is one.
    func record() throws(StoreError) -> CommitRecord? {
        switch try find(StoreName.record, in: root) {
        case .nothing: return nil
        case .file(let file, _):
            let bytes = try system(try file.readAll(limit: Self.recordByteCountLimit))
            let record = try CommitRecord(decoding: bytes, path: file.path.description)
            // No commit of ours is of what can be no entry.
            guard record.changes.allSatisfy({ isEntry($0.id) }) else { throw damagedRecord }
            return record
        case .folder, .other: throw damagedRecord
        }
    }

    private var damagedRecord: StoreError {
        .storeDamaged(
            path: root.path.appending(StoreName.record).description,
            what: "not a record of a commit")
    }

    /// True if there can be an entry of that id.
    func isEntry(_ id: EntryID) -> Bool {
        do {
            _ = try mapping.names(of: id)
            return true
        } catch {
            return false
        }
    }

    /// The entry of `id`, open, if there is one; `record` is what stood before.
    func open(_ id: EntryID, record: CommitRecord?) throws(StoreError) -> EntryFile? {
        let names = try mapping.names(of: id)
        if let record, let index = record.changes.firstIndex(where: { $0.id == id }) {
            switch record.changes[index].kind {
            case .remove: return nil
            case .put(let depth):
                let place = names.prefix(depth) + [record.temporaryName(index)]
                if case .file(let file, let status) = try find(Array(place)) {
                    return EntryFile(id: id, file: file, byteCount: status.byteCount)
                }
            // It has its own name by now.
            }
        }
        switch try find(names) {
        case .file(let file, let status):
            return EntryFile(id: id, file: file, byteCount: status.byteCount)
        case .nothing: return nil
        case .folder, .other:
            return mapping.ownsNames ? EntryFile(id: id, file: nil, byteCount: 0) : nil
        }
    }

    /// The ids once `record` is carried out.
    func ids(record: CommitRecord?) throws(StoreError) -> Set<EntryID> {
        var ids = try ids()
        for change in record?.changes ?? [] {
            switch change.kind {
            case .put: ids.insert(change.id)
            case .remove: ids.remove(change.id)
            }
        }
        return ids
    }
}
