package import StrongroomSystem
import Synchronization

/// A store whose entries are files, one each (STORE.md, "DirectoryStore").
///
/// In a *plain area* an id is a key's text, its file's path is one that a person recognises (``KeyEscaping``), and
/// there is no owner. What is no regular file there, or lies behind a link, is somebody else's: it is not followed,
/// not listed and not read, and a put in its place is `.obstructed`.
///
/// In a *vault* an id is 20 bytes, the file's name is its base32, and the files of a generation lie in a directory of
/// their own, which the file `entries` names (``GenerationFile``). Whatever has such a name there is that entry: what
/// is no regular file is listed, is `.damaged` when it is read, and gives way to a put or a remove. A rewrite leaves
/// it where it is and carries over an empty entry for it. All other names are somebody else's.
///
/// Any number of objects, threads and processes may work on one directory. Writers exclude each other by a lock file;
/// readers take no lock and write nothing. Making one touches no file; a plain area's directory is made by the first
/// write.
package final class DirectoryStore: Store {
    /// How a directory keeps its entries.
    enum Layout { case area, vault }

    /// Bytes in a vault's id.
    package static let idByteCounts = 20...20

    /// What is remembered between calls; all of it is found again if it is lost.
    struct State {
        var lock: FileLock?
        var lockDirectory: FileStatus?
        var foldsCase: Bool?
        var generation: GenerationFile?
        var settled: GenerationFile?
        var isMade = false
        var bootID: [UInt8]?
        var watch = ChangeWatch()
    }

    let layout: Layout
    let path: Path
    let isDurable: Bool
    let isReadOnly: Bool
    let waitSeconds: Double
    let fileSystem: any FileSystem
    /// A vault's names of entries.
    let identifiers: EntryMapping
    let state = Mutex(State())
    let synced = SyncedFolders()
    let feed = ChangeFeed()

    init(
        _ layout: Layout, _ path: Path, isDurable: Bool, isReadOnly: Bool, waitSeconds: Double,
        _ fileSystem: any FileSystem, idByteCounts: ClosedRange<Int> = idByteCounts
    ) {
        self.layout = layout
        self.path = path
        self.isDurable = isDurable
        self.isReadOnly = isReadOnly
        self.waitSeconds = waitSeconds
        self.fileSystem = fileSystem
        identifiers = .identifiers(byteCounts: idByteCounts)
    }

    /// The plain area in the directory at `path`, which need not be there yet and may be reached through links.
    ///
    /// - Parameters:
    ///   - path: The directory, below which no link is followed.
    ///   - durable: False where nothing has to outlast a crash of the machine: then nothing is synced.
    ///   - waitSeconds: How long a writer waits for the lock before `.busy`.
    ///   - fileSystem: The door to files.
    ///   - readOnly: True if every write is to be refused.
    package convenience init(
        areaAt path: Path, durable: Bool = true, waitSeconds: Double = 10,
        fileSystem: any FileSystem, readOnly: Bool = false
    ) {
        self.init(
            .area, path, isDurable: durable, isReadOnly: readOnly, waitSeconds: waitSeconds,
            fileSystem)
    }

    /// The current generation's owner; nil in a plain area.
    package func owner() throws(StoreError) -> OwnerID? {
        switch layout {
        case .area: nil
        case .vault: try currentGeneration().owner
        }
    }

    /// The entry's bytes and version, or nil if there is none.
    package func read(_ id: EntryID) throws(StoreError) -> StoredEntry? {
        try answer(nothing: nil) { (tree) throws(StoreError) in
            try tree.open(id, record: tree.record())?.stored()
        }
    }

    /// The entry's file, held open, or nil if there is none.
    package func open(_ id: EntryID) throws(StoreError) -> (any EntryReader)? {
        try answer(nothing: nil) { (tree) throws(StoreError) in
            try tree.open(id, record: tree.record())
        }
    }

    /// Every id, sorted.
    package func ids() throws(StoreError) -> [EntryID] {
        try answer(nothing: []) { (tree) throws(StoreError) in try self.list(tree) }.sorted()
    }

    /// A place on the disk of the entries.
    package func stage() throws(StoreError) -> any StagedPayload {
        let base = try openForWriting()
        return try StagedFile(in: base)
    }

    /// Makes all of `changes`, or none: ``Store/commit(_:if:owner:)``.
    ///
    /// In a plain area a put that would need a file to be a folder also is `.conflict`, and nothing is written.
    package func commit(
        _ changes: [StoreChange], if conditions: [EntryID: Version?], owner: OwnerID?
    ) throws(StoreError) {
        try commit(changes, if: conditions, owner: owner, expecting: nil)
    }

    /// Commits if, beyond the conditions, the ids are exactly `expected`, should that be given.
    func commit(
        _ changes: [StoreChange], if conditions: [EntryID: Version?], owner: OwnerID?,
        expecting expected: Set<EntryID>?
    ) throws(StoreError) {
        if layout == .area, try openBase() == nil {
            // Nothing is made to find that there is nothing.
            guard owner == nil else { throw .ownerChanged(now: nil) }
            for (id, version) in conditions where version != nil { throw .conditionFailed(id) }
            let puts = changes.contains { if case .put = $0 { true } else { false } }
            guard puts || isReadOnly else { return }
        }
        try write { (session, generation) throws(StoreError) in
            guard generation?.owner == owner else { throw .ownerChanged(now: generation?.owner) }
            let prepared = try PreparedChange.prepare(changes, session.tree.mapping)
            for (id, version) in conditions {
                let now = try session.tree.open(id, record: nil)?.version
                guard now == version else { throw .conditionFailed(id) }
            }
            if let expected {
                let now = try session.tree.ids()
                for id in now.symmetricDifference(expected) { throw .conditionFailed(id) }
            }
            try telling { () throws(StoreError) in try session.commit(prepared) }
        }
    }
}
