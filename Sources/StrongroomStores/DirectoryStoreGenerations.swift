import StrongroomSystem

// Generations of a vault's entries: each a directory, one of them the current one.
extension DirectoryStore {
    /// The directory of a generation, nil if it is not there.
    func generationFolder(
        _ number: UInt64, in base: OpenFile
    ) throws(StoreError) -> OpenFile? {
        do {
            return try base.openFile(StoreName.generation(number), [.read, .directory])
        } catch {
            switch error.code {
            // A link, or a file of somebody's.
            case ErrorCode.noEntry, ErrorCode.notDirectory, ErrorCode.link: return nil
            default: throw StoreError(error)
            }
        }
    }

    /// True if no generation's directory holds an entry.
    func hasNoEntries(_ base: OpenFile) throws(StoreError) -> Bool {
        for item in try system(try base.list()) {
            guard let number = StoreName.generation(of: item.name),
                let folder = try generationFolder(number, in: base)
            else { continue }
            let tree = EntryTree(root: folder, mapping: identifiers)
            if try !tree.ids(record: try tree.record()).isEmpty { return false }
        }
        return true
    }

    /// Makes an empty generation and the file that names it.
    func makeGeneration(_ file: GenerationFile, in base: OpenFile) throws(StoreError) {
        let folder = try makeGenerationFolder(file.generation, in: base)
        try system(try folder.sync())
        try switchTo(file, in: base)
    }

    /// The directory of a generation to be, in which there is nothing of ours.
    func makeGenerationFolder(
        _ number: UInt64, in base: OpenFile
    ) throws(StoreError) -> OpenFile {
        let name = StoreName.generation(number)
        do {
            return try base.makeDirectory(name)
        } catch {
            guard error.code == ErrorCode.exists else { throw StoreError(error) }
        }
        // Somebody's files were in one that was swept.
        return try system(try base.openFile(name, [.read, .directory]))
    }

    /// Makes `file` the current generation, whose entries and directory are synced.
    ///
    /// `.outcomeUnknown` says that it may or may not be; after any other error it is not.
    func switchTo(_ file: GenerationFile, in base: OpenFile) throws(StoreError) {
        let bytes = try file.encoded()
        // The directory's name must be for good before the file that names it is.
        try system(try base.sync())
        do {
            try AtomicFile.replace(
                StoreName.generationFile, in: base, with: bytes.span,
                temporaryName: StoreName.nextGenerationFile)
        } catch {
            let unknown = StoreError.outcomeUnknown(
                path: base.path.appending(StoreName.generationFile).description)
            let now: GenerationFile?
            do throws(StoreError) {
                now = try readGeneration(base)
            } catch {
                guard case .absent = error else { throw unknown }
                now = nil
            }
            throw now == file ? unknown : StoreError(error)
        }
    }

    /// Removes our files of all generations but one, and their directories if nothing else is in them.
    func removeOtherGenerations(but current: UInt64, in base: OpenFile) throws(StoreError) {
        for item in try system(try base.list()) {
            guard let number = StoreName.generation(of: item.name), number != current else {
                continue
            }
            try removeGeneration(number, in: base)
        }
    }

    /// True for a file of a generation, which goes with it; what is no file stays, whatever it is called.
    func isOurs(_ name: Path, in folder: OpenFile) throws(StoreError) -> Bool {
        guard
            StoreName.isTemporary(name) || name == StoreName.record
                || identifiers.id(of: [name]) != nil
        else { return false }
        return try system(try folder.status(of: name))?.kind == .regular
    }

    /// Removes our files of one generation, and its directory if nothing else is in it.
    func removeGeneration(_ number: UInt64, in base: OpenFile) throws(StoreError) {
        guard let folder = try generationFolder(number, in: base) else { return }
        for item in try system(try folder.list()) where try isOurs(item.name, in: folder) {
            try system(try folder.unlink(item.name))
        }
        do {
            try base.removeDirectory(StoreName.generation(number))
        } catch {
            guard error.code == ErrorCode.notEmpty || error.code == ErrorCode.exists else {
                throw StoreError(error)
            }
        }
    }
}
