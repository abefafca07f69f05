import StrongroomStores
import StrongroomSystem

/// A store in a directory that lies where anybody may make files (`/tmp`): it is used only as long
/// as the directory is ours and closed to everybody else, for reading too, since somebody else may
/// have put it there.
final class PrivateStore: Store {
    private let store: any Store
    private let path: Path
    private let fileSystem: any FileSystem

    /// Guards `store`, which keeps its entries at `path`.
    init(_ store: any Store, at path: Path, fileSystem: any FileSystem) {
        self.store = store
        self.path = path
        self.fileSystem = fileSystem
    }

    func owner() throws(StoreError) -> OwnerID? { nil }

    func read(_ id: EntryID) throws(StoreError) -> StoredEntry? {
        try isThere() ? try store.read(id) : nil
    }

    func open(_ id: EntryID) throws(StoreError) -> (any EntryReader)? {
        try isThere() ? try store.open(id) : nil
    }

    func ids() throws(StoreError) -> [EntryID] { try isThere() ? try store.ids() : [] }

    func stage() throws(StoreError) -> any StagedPayload {
        try make()
        return try store.stage()
    }

    func commit(
        _ changes: [StoreChange], if conditions: [EntryID: Version?], owner: OwnerID?
    ) throws(StoreError) {
        let puts = changes.contains { if case .put = $0 { true } else { false } }
        if puts { try make() } else { _ = try isThere() }
        try store.commit(changes, if: conditions, owner: owner)
    }

    func rewrite(
        owner: OwnerID?,
        _ transform:
            @Sendable (EntryID, any EntryReader, () throws(StoreError) -> any StagedPayload)
            throws -> Rewritten
    ) throws {
        try make()
        try store.rewrite(owner: owner, transform)
    }

    func changes() throws(StoreError) -> AsyncStream<[EntryID]> {
        try make()
        return try store.changes()
    }

    /// Makes the directory if it is absent, and refuses one that is not ours alone.
    private func make() throws(StoreError) {
        do throws(SystemError) {
            _ = try DirectoryMaker.ensurePrivate(path, fileSystem: fileSystem)
        } catch { throw Self.refusal(error) }
    }

    /// Whether the directory is there; refuses one that is not ours alone.
    private func isThere() throws(StoreError) -> Bool {
        let status: FileStatus
        do throws(SystemError) {
            status = try fileSystem.status(ofPath: path, followLink: false)
        } catch {
            if error.code == ErrorCode.noEntry { return false }
            throw Self.refusal(error)
        }
        guard status.kind == .directory, status.owner == Identity.effectiveUser,
            status.mode & 0o077 == 0
        else { throw .notOwner(path: path.description) }
        return true
    }

    private static func refusal(_ error: SystemError) -> StoreError {
        .system(operation: error.operation, path: error.path, code: error.code)
    }
}
