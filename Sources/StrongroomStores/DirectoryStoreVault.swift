package import StrongroomSystem

// A vault's directory of entries: what the vault asks of it besides what every store does.
extension DirectoryStore {
    /// What entries take on the disk.
    package struct Usage: Equatable, Sendable {
        /// Entries.
        package var entryCount = 0
        /// Bytes of their payloads.
        package var byteCount: Int64 = 0
        /// Bytes that their files have on the disk.
        package var allocatedByteCount: Int64 = 0
    }

    /// True if `directory` holds entries in this layout, or traces of some: the file `entries`, or a directory of a
    /// generation in which there is an entry.
    package static func exists(
        vaultAt directory: Path, fileSystem: any FileSystem,
        idByteCounts: ClosedRange<Int> = idByteCounts
    ) throws(StoreError) -> Bool {
        let store = vault(directory, 0, fileSystem, idByteCounts)
        guard let base = try store.openBase() else { return false }
        if try system(try base.status(of: StoreName.generationFile)) != nil { return true }
        return try !store.hasNoEntries(base)
    }

    /// The store of the vault's directory, as it is there: `.absent` if the file `entries` is missing, or
    /// `.storeDamaged` if it is missing but there are entries.
    package static func open(
        vaultAt directory: Path, waitSeconds: Double = 10, fileSystem: any FileSystem,
        idByteCounts: ClosedRange<Int> = idByteCounts
    ) throws(StoreError) -> DirectoryStore {
        let store = vault(directory, waitSeconds, fileSystem, idByteCounts)
        do {
            _ = try store.currentGeneration()
        } catch {
            guard case .absent(let path) = error, let base = try store.openBase(),
                try !store.hasNoEntries(base)
            else { throw error }
            throw .storeDamaged(path: path, what: "missing, but there are entries")
        }
        return store
    }

    /// Makes an empty store in the vault's directory, which is made if it is missing, durable when the call returns.
    ///
    /// An *empty* store that is there, or an unfinished beginning of one, is replaced; one with entries is `.exists`.
    /// The caller holds `job`. A throw leaves what was there, or an unfinished beginning.
    package static func create(
        vaultAt directory: Path, owner: OwnerID, waitSeconds: Double = 10,
        fileSystem: any FileSystem, idByteCounts: ClosedRange<Int> = idByteCounts
    ) throws(StoreError) -> DirectoryStore {
        let store = vault(directory, waitSeconds, fileSystem, idByteCounts)
        let base = try system(try DirectoryMaker.ensure(directory, fileSystem: fileSystem))
        guard DirectoryMaker.mayWrite(try system(try base.status())) else {
            throw .notOwner(path: directory.description)
        }
        let held = try store.acquireLock(base)
        defer { held.release() }
        guard try store.hasNoEntries(base) else { throw .exists(path: directory.description) }
        var last: UInt64 = 0
        do {
            last = try store.readGeneration(base).generation
        } catch {
            guard case .absent = error else { throw error }
        }
        for item in try system(try base.list()) {
            last = max(last, StoreName.generation(of: item.name) ?? 0)
        }
        try store.makeGeneration(GenerationFile(generation: last + 1, owner: owner), in: base)
        try store.removeOtherGenerations(but: last + 1, in: base)
        return store
    }

    /// The number of the current generation.
    package func generation() throws(StoreError) -> UInt64 {
        try currentGeneration().generation
    }

    /// Makes what stands now outlast a crash: who goes on from a state that he finds does this first, since who was
    /// killed may have left it visible and not durable.
    package func syncState() throws(StoreError) {
        guard let base = try openBase() else { throw .absent(path: path.description) }
        let file = try system(try base.openFile(StoreName.generationFile, [.read]))
        try system(try file.sync())
        try system(try base.sync())
    }

    /// Removes what killed writers and rewrites left: temporary files, and our files of every generation but the
    /// current one.
    ///
    /// Others' files stay. The caller holds `job`.
    package func sweepLeftovers() throws(StoreError) {
        // Before the old generation goes, the switch to the new one has to be for good.
        try syncState()
        let base = try openForWriting()
        try removeOtherGenerations(but: try generation(), in: base)
        if try system(try base.status(of: StoreName.nextGenerationFile)) != nil {
            try system(try base.unlink(StoreName.nextGenerationFile))
        }
        try write { (session, _) throws(StoreError) in try session.sweepTemporaries() }
    }

    /// The paths of what ``sweepLeftovers()`` would remove, nothing being written.
    package func leftovers() throws(StoreError) -> [Path] {
        guard let base = try openBase() else { throw .absent(path: path.description) }
        let current = try readGeneration(base).generation
        var found: [Path] = []
        for item in try system(try base.list()) {
            if item.name == StoreName.nextGenerationFile || item.name == StoreName.staged {
                found.append(path.appending(item.name))
            }
            guard let number = StoreName.generation(of: item.name),
                let folder = try generationFolder(number, in: base)
            else { continue }
            let files = try system(try folder.list())
            guard number == current else {
                // Where only others' files are left, nothing can be removed.
                var isOurs = files.isEmpty
                for file in files where !isOurs {
                    isOurs = try self.isOurs(file.name, in: folder)
                }
                if isOurs { found.append(path.appending(item.name)) }
                continue
            }
            for file in files {
                guard StoreName.isTemporary(file.name) || file.name == StoreName.record else {
                    continue
                }
                found.append(path.appending(item.name).appending(file.name))
            }
        }
        return found.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }

    /// What the entries take.
    package func usage() throws(StoreError) -> Usage {
        try answer(nothing: Usage()) { (tree) throws(StoreError) in
            let record = try tree.record()
            var usage = Usage()
            for id in try self.list(tree) {
                guard let entry = try tree.open(id, record: record) else { continue }
                usage.entryCount += 1
                usage.byteCount += entry.byteCount
                guard let file = entry.file else { continue }
                usage.allocatedByteCount += try system(try file.status()).allocatedByteCount
            }
            return usage
        }
    }

    private static func vault(
        _ directory: Path, _ waitSeconds: Double, _ fileSystem: any FileSystem,
        _ idByteCounts: ClosedRange<Int>
    ) -> DirectoryStore {
        DirectoryStore(
            .vault, directory, isDurable: true, isReadOnly: false, waitSeconds: waitSeconds,
            fileSystem, idByteCounts: idByteCounts)
    }
}
