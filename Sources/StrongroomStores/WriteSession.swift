import StrongroomSystem

/// What is done to the entries of one directory while its lock is held: the writing side of STORE.md, "DirectoryStore".
///
/// Every session first carries out a commit record that it finds, and sweeps what a killed writer left.
final class WriteSession {
    let tree: EntryTree
    /// False where nothing has to outlast a crash, and so nothing is synced.
    let isDurable: Bool
    let synced: SyncedFolders
    private let lockFile: OpenFile
    private(set) var mark: StoreMark
    /// False once something may have been left behind that the next writer has to sweep.
    var isClean = true

    /// A session on what is below `root`, whose lock is `lockFile`'s.
    ///
    /// Without a `mapping` it is a plain area, whose mark says how keys become paths.
    init(
        root: OpenFile, lockFile: OpenFile, mapping: EntryMapping?, isDurable: Bool,
        synced: SyncedFolders, bootID: [UInt8]
    ) throws(StoreError) {
        self.isDurable = isDurable
        self.synced = synced
        self.lockFile = lockFile
        let found = try StoreMark(in: lockFile)
        if let found {
            mark = found
        } else {
            mark = StoreMark(bootID: bootID)
            if mapping == nil { mark.foldsCase = try Self.foldsCase(root) }
        }
        let keys = EntryMapping.keys(KeyEscaping(foldsCase: mark.foldsCase))
        tree = EntryTree(root: root, mapping: mapping ?? keys)
        let isThisBoot = found?.bootID == bootID
        mark.bootID = bootID
        let isTrusted = isThisBoot && !mark.isWriting
        if !isTrusted { synced.forgetAll() }
        try finishRecord()
        if isTrusted { return }
        try syncRoot()
        // After another boot what is there is what the disk has.
        if isThisBoot { try syncInterrupted() }
        try sweepTemporaries()
    }

    /// Makes durable what a killed writer may have left visible and not durable.
    private func syncInterrupted() throws(StoreError) {
        guard isDurable, tree.mapping.hasFolders else { return }
        if let id = try mark.note(in: lockFile), tree.isEntry(id) {
            return try syncFolder(Array(try tree.mapping.names(of: id).dropLast()))
        }
        for folder in try tree.list().folders { try syncFolder(folder) }
    }

    /// Runs `write`, which changes entries, with the mark saying so.
    ///
    /// `id` is the one entry that is written, if there are not several. What only removes goes on without a mark: it
    /// is how a full disk gets space.
    func marking(
        _ id: EntryID?, onlyRemoves: Bool, _ write: () throws(StoreError) -> Void
    ) throws(StoreError) {
        mark.isWriting = true
        mark.writingCount &+= 1
        do {
            try writeMark(note: id)
        } catch {
            guard onlyRemoves else { throw error }
        }
        defer {
            if isClean {
                mark.isWriting = false
                do {
                    try writeMark()
                } catch {
                    // Then the next writer looks for leftovers and finds none.
                }
            }
        }
        try write()
    }

    /// True if the lock file answers to its name in capitals as well.
    static func foldsCase(_ root: OpenFile) throws(StoreError) -> Bool {
        let name = StoreName.lock
        let capitals = name.bytes.map { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte - 32 : byte
        }
        guard let other = try system(try root.status(of: Path(bytes: capitals))),
            let own = try system(try root.status(of: name))
        else { return false }
        return other.device == own.device && other.inode == own.inode
    }

    private func writeMark(note: EntryID? = nil) throws(StoreError) {
        let bytes = try mark.encoded(note: note)
        try system(try lockFile.write(bytes.span, at: 0))
    }

    /// Makes the root's names outlast a crash.
    func syncRoot() throws(StoreError) {
        if isDurable { try system(try tree.root.sync()) }
    }

    /// Removes the temporary files of commits that never were: whoever has one holds the lock.
    func sweepTemporaries() throws(StoreError) {
        for names in try tree.list().files {
            guard let name = names.last, StoreName.isTemporary(name),
                case .open(let folder) = try tree.folder(names.dropLast())
            else { continue }
            try system(try folder.unlink(name))
        }
    }
}
