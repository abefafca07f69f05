import StrongroomStores
import Synchronization

/// A store in memory that refuses what a directory would: an id that is a file and a folder at
/// once.
///
/// So what passes a test in memory passes on a disk.
final class FolderedMemoryStore: Store {
    private let store = MemoryStore()
    /// For a folder, how many entries lie below it; held while a commit is made.
    private let folders = Mutex<[EntryID: Int]>([:])

    func owner() throws(StoreError) -> OwnerID? { try store.owner() }
    func read(_ id: EntryID) throws(StoreError) -> StoredEntry? { try store.read(id) }
    func open(_ id: EntryID) throws(StoreError) -> (any EntryReader)? { try store.open(id) }
    func ids() throws(StoreError) -> [EntryID] { try store.ids() }
    func stage() throws(StoreError) -> any StagedPayload { try store.stage() }
    func changes() throws(StoreError) -> AsyncStream<[EntryID]> { try store.changes() }

    func commit(
        _ changes: [StoreChange], if conditions: [EntryID: Version?], owner: OwnerID?
    ) throws(StoreError) {
        try folders.withLock { (folders) throws(StoreError) in
            let presence = Self.presence(after: changes)
            var steps: [EntryID: Int] = [:]
            for (id, isThere) in presence {
                let step = (isThere ? 1 : 0) - (try store.read(id) == nil ? 0 : 1)
                if step == 0 { continue }
                for folder in Self.folders(of: id) { steps[folder, default: 0] += step }
            }
            for (id, isThere) in presence where isThere {
                if folders[id, default: 0] + steps[id, default: 0] > 0 { throw .conflict(id) }
                for folder in Self.folders(of: id) {
                    var isEntry = presence[folder]
                    if isEntry == nil { isEntry = try store.read(folder) != nil }
                    if isEntry == true { throw .conflict(id) }
                }
            }
            try store.commit(changes, if: conditions, owner: owner)
            for (folder, step) in steps {
                let count = folders[folder, default: 0] + step
                folders[folder] = count > 0 ? count : nil
            }
        }
    }

    func rewrite(
        owner: OwnerID?,
        _ transform:
            @Sendable (EntryID, any EntryReader, () throws(StoreError) -> any StagedPayload)
            throws -> Rewritten
    ) throws {
        try folders.withLock { folders in
            try store.rewrite(owner: owner, transform)
            folders = [:]
            for id in try store.ids() {
                for folder in Self.folders(of: id) { folders[folder, default: 0] += 1 }
            }
        }
    }

    /// Which of the ids that change are there afterwards.
    private static func presence(after changes: [StoreChange]) -> [EntryID: Bool] {
        var presence: [EntryID: Bool] = [:]
        for change in changes {
            switch change {
            case .put(let id, _): presence[id] = true
            case .remove(let id): presence[id] = false
            }
        }
        return presence
    }

    /// Every folder that `id` lies in.
    private static func folders(of id: EntryID) -> [EntryID] {
        var folders: [EntryID] = []
        for (index, byte) in id.bytes.enumerated() where byte == UInt8(ascii: "/") && index > 0 {
            folders.append(EntryID(Array(id.bytes[..<index])))
        }
        return folders
    }
}
