import StrongroomSystem
import Synchronization

// Finding what to read. The directory is opened by its path each time: it may have been moved or restored.
extension DirectoryStore {
    /// The directory, nil if there is none.
    func openBase() throws(StoreError) -> OpenFile? {
        do {
            return try OpenFile.open(
                path, [.read, .directory, .followLink], fileSystem: fileSystem)
        } catch {
            if error.code == ErrorCode.noEntry { return nil }
            throw StoreError(error)
        }
    }

    /// What `look` finds among the current entries; `nothing` if the area has not been made yet.
    ///
    /// In a vault the generation is looked at once more afterwards: if it is another by now, `look` looks again there.
    /// So no answer is from a generation that had ended when the question was asked.
    func answer<Answer>(
        nothing: Answer, _ look: (EntryTree) throws(StoreError) -> Answer
    ) throws(StoreError) -> Answer {
        guard let base = try openBase() else {
            guard layout == .area else { throw .absent(path: path.description) }
            return nothing
        }
        guard layout == .vault else {
            return try look(EntryTree(root: base, mapping: try areaMapping(base)))
        }
        var generation: GenerationFile
        if let known = state.withLock({ $0.generation }) {
            generation = known
        } else {
            generation = try readGeneration(base)
        }
        for _ in 0..<100 {
            let found: Result<Answer?, StoreError>
            do throws(StoreError) {
                found = .success(try entries(of: generation, in: base).map(look))
            } catch {
                found = .failure(error)
            }
            let now = try readGeneration(base)
            if now == generation {
                state.withLock { [generation] in $0.generation = generation }
                guard let answer = try found.get() else { throw missing(generation) }
                return answer
            }
            generation = now
        }
        throw .busy(path: path.description)
    }

    /// The entries of one generation; nil if its directory is not there.
    func entries(
        of generation: GenerationFile, in base: OpenFile
    ) throws(StoreError) -> EntryTree? {
        do {
            let name = StoreName.generation(generation.generation)
            let root = try base.openFile(name, [.read, .directory])
            return EntryTree(root: root, mapping: identifiers)
        } catch {
            if error.code == ErrorCode.noEntry { return nil }
            throw StoreError(error)
        }
    }

    /// The error for a generation without a directory.
    func missing(_ generation: GenerationFile) -> StoreError {
        let name = StoreName.generation(generation.generation)
        return .storeDamaged(path: path.appending(name).description, what: "missing")
    }

    /// The file `entries` as it is now.
    func currentGeneration() throws(StoreError) -> GenerationFile {
        guard let base = try openBase() else { throw .absent(path: path.description) }
        return try readGeneration(base)
    }

    /// The file `entries` in the vault's open directory; `.absent` if there is none.
    func readGeneration(_ base: OpenFile) throws(StoreError) -> GenerationFile {
        let tree = EntryTree(root: base, mapping: identifiers)
        let path = base.path.appending(StoreName.generationFile).description
        switch try tree.find(StoreName.generationFile, in: base) {
        case .nothing: throw .absent(path: path)
        case .file(let file, _):
            // One byte more than there should be tells a longer file.
            let bytes = try system(try file.read(at: 0, count: GenerationFile.byteCount + 1))
            return try GenerationFile(decoding: bytes, path: path)
        case .folder, .other: throw .storeDamaged(path: path, what: "not a regular file")
        }
    }

    /// How the keys of a plain area become paths.
    func areaMapping(_ base: OpenFile) throws(StoreError) -> EntryMapping {
        if let known = state.withLock({ $0.foldsCase }) {
            return .keys(KeyEscaping(foldsCase: known))
        }
        guard let lockFile = try lockFile(base) else { return .keys(KeyEscaping()) }
        let foldsCase: Bool
        if let mark = try StoreMark(in: lockFile) {
            foldsCase = mark.foldsCase
            state.withLock { $0.foldsCase = foldsCase }
        } else {
            foldsCase = try WriteSession.foldsCase(base)
        }
        return .keys(KeyEscaping(foldsCase: foldsCase))
    }

    /// The lock file, for reading its mark; nil if nobody has written yet.
    private func lockFile(_ base: OpenFile) throws(StoreError) -> OpenFile? {
        let file: OpenFile
        do {
            file = try base.openFile(lockName, [.read, .nonBlocking])
        } catch {
            if error.code == ErrorCode.noEntry { return nil }
            throw StoreError(opening: error)
        }
        guard try system(try file.status()).kind == .regular else {
            throw .storeDamaged(path: file.path.description, what: StoreError.noFile)
        }
        return file
    }

    /// The ids below `tree`.
    ///
    /// Listing takes several calls, and a name that is replaced meanwhile may be passed over, depending on the disk. So
    /// it counts if nobody wrote meanwhile; after four losses all that was seen is asked for one by one.
    func list(_ tree: EntryTree) throws(StoreError) -> Set<EntryID> {
        var seen: Set<EntryID> = []
        for _ in 0..<4 {
            let before = try readMark()
            let record = try tree.record()
            let ids = try tree.ids(record: record)
            if try tree.record() == record {
                // While a record stands, all that happens is what it says.
                if record != nil { return ids }
                if before?.isWriting != true, try readMark() == before { return ids }
            }
            seen.formUnion(ids)
        }
        var ids: Set<EntryID> = []
        for id in seen where try tree.open(id, record: tree.record()) != nil { ids.insert(id) }
        return ids
    }

    private func readMark() throws(StoreError) -> StoreMark? {
        guard let base = try openBase(), let lockFile = try lockFile(base) else { return nil }
        return try StoreMark(in: lockFile)
    }

    /// The lock's name in the directory.
    var lockName: Path {
        switch layout {
        case .area: StoreName.lock
        case .vault: StoreName.vaultLock
        }
    }
}
