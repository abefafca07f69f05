import StrongroomSystem
import Synchronization

// Telling readers what changes: the store's own commits at once, everybody else's when the kernel says so. Directories
// are watched only while somebody reads, and nothing is made for it.
extension DirectoryStore {
    /// Ids that change from now on, by whatever process: ``Store/changes()``.
    ///
    /// A reader holds the store. If the kernel cannot tell any more, the stream ends.
    package func changes() throws(StoreError) -> AsyncStream<[EntryID]> {
        state.withLock { $0.watch.readerCount += 1 }
        do {
            if state.withLock({ $0.watch.watcher == nil }) { try watch() }
        } catch {
            endReader()
            throw error
        }
        return feed.stream { self.endReader() }
    }

    /// Runs a commit of our own and tells what it changed.
    ///
    /// What the kernel says meanwhile is looked at afterwards: most of it is what was told then.
    func telling(_ commit: () throws(StoreError) -> [EntryID]) throws(StoreError) {
        state.withLock { $0.watch.beginCommit() }
        defer {
            let names = state.withLock { $0.watch.endCommit() }
            if !names.isEmpty { take(.changed(names)) }
        }
        let ids = try commit()
        guard !ids.isEmpty, state.withLock({ $0.watch.readerCount > 0 }) else { return }
        do throws(StoreError) {
            // Noted before it is told: if another commit follows at once, who is told reads what that one made.
            let generation = state.withLock { $0.watch.generation }
            for id in try withFolders(ids) {
                let file = try status(of: id, generation)
                state.withLock { $0.watch.note(id, file) }
            }
        } catch {
            // Then some are told twice.
        }
        feed.send(ids.sorted())
    }

    /// The ids, and those that would have the folders of their files for files: of these the kernel speaks too.
    private func withFolders(_ ids: [EntryID]) throws(StoreError) -> Set<EntryID> {
        var all = Set(ids)
        guard layout == .area, let base = try openBase() else { return all }
        let mapping = try areaMapping(base)
        for id in ids {
            var names = try mapping.names(of: id)
            while names.count > 1 {
                names.removeLast()
                if let folder = mapping.id(of: names) { all.insert(folder) }
            }
        }
        return all
    }

    private func endReader() {
        let ended = state.withLock { state -> DirectoryWatcher? in
            state.watch.readerCount -= 1
            guard state.watch.readerCount == 0 else { return nil }
            let watcher = state.watch.watcher
            state.watch.stop()
            return watcher
        }
        ended?.cancel()
    }

    /// Watches the directory, or the innermost one above while it is not there.
    private func watch() throws(StoreError) {
        for _ in 0..<100 {
            let base = try openBase()
            let directory = if let base { base } else { try openAbove() }
            let watcher = try system(
                try DirectoryWatcher(directory, isDeep: base != nil) { [weak self] event in
                    self?.take(event)
                })
            let status = try system(try directory.status())
            var generation: GenerationFile?
            if let base, layout == .vault { generation = try readGeneration(base) }
            let isWanted = state.withLock { [generation] state in
                guard state.watch.readerCount > 0 else { return false }
                state.watch.watcher = watcher
                state.watch.directory = status
                state.watch.isStore = base != nil
                state.watch.generation = generation
                return true
            }
            guard isWanted else { return watcher.cancel() }
            // It may have come, or gone, between the look and the watch.
            if try isWatchingTheRightOne() { return }
        }
        throw .busy(path: path.description)
    }

    /// The innermost directory above the store's that is there.
    private func openAbove() throws(StoreError) -> OpenFile {
        var above = path.parent
        while true {
            do {
                return try OpenFile.open(
                    above, [.read, .directory, .followLink], fileSystem: fileSystem)
            } catch {
                guard error.code == ErrorCode.noEntry, above != above.parent else {
                    throw StoreError(error)
                }
            }
            above = above.parent
        }
    }

    /// False if there is a better directory to watch now.
    private func isWatchingTheRightOne() throws(StoreError) -> Bool {
        let base = try openBase()
        let directory = if let base { base } else { try openAbove() }
        let now = try system(try directory.status())
        let watch = state.withLock { ($0.watch.isStore, $0.watch.directory) }
        return watch.0 == (base != nil) && watch.1?.inode == now.inode
            && watch.1?.device == now.device
    }

    /// Looks which generation of a vault is to be watched now.
    private func lookAtGeneration() throws(StoreError) {
        guard layout == .vault, let base = try openBase() else { return }
        let now = try readGeneration(base)
        state.withLock { $0.watch.generation = now }
    }

    private func take(_ event: DirectoryWatcher.Event) {
        do throws(StoreError) {
            if case .failed = event { return feed.finish() }
            let wasStore = state.withLock { $0.watch.isStore }
            if wasStore, case .changed(let names) = event { return try tell(of: names) }
            if try isWatchingTheRightOne() { try lookAtGeneration() } else { try watch() }
            if wasStore || state.withLock({ $0.watch.isStore }) { feed.send([]) }
        } catch {
            // Nobody could be told any more, and the end says that.
            feed.finish()
        }
    }

    /// Tells which entries have files of these names, but for what was told already.
    private func tell(of names: [Path]) throws(StoreError) {
        // Until no commit of our own comes between the look at the files and what is known of them.
        while let commitCount = state.withLock({ $0.watch.commitCount(orWait: names) }) {
            let generation = state.withLock { $0.watch.generation }
            if generation != nil, names.contains(StoreName.generationFile) {
                try lookAtGeneration()
                feed.send([])
                return
            }
            var found: [EntryID: FileStatus?] = [:]
            for name in names {
                guard let id = try id(of: name, generation) else { continue }
                found[id] = .some(try status(of: id, generation))
            }
            let ids = state.withLock { [found] state -> [EntryID]? in
                guard state.watch.commitCount == commitCount else { return nil }
                return found.filter { !state.watch.isTold($0.key, $0.value) }.map(\.key)
            }
            guard let ids else { continue }
            if !ids.isEmpty { feed.send(ids.sorted()) }
            return
        }
    }

    /// The entry whose file has that path below the directory.
    private func id(
        of name: Path, _ generation: GenerationFile?
    ) throws(StoreError) -> EntryID? {
        var names = name.bytes.split(separator: UInt8(ascii: "/")).map { Path(bytes: Array($0)) }
        if let generation {
            guard names.first == StoreName.generation(generation.generation) else { return nil }
            names.removeFirst()
            return identifiers.id(of: names)
        }
        guard let base = try openBase() else { return nil }
        return try areaMapping(base).id(of: names)
    }

    /// The file that an entry has now.
    private func status(
        of id: EntryID, _ generation: GenerationFile?
    ) throws(StoreError) -> FileStatus? {
        guard let base = try openBase() else { return nil }
        let tree: EntryTree?
        if let generation {
            tree = try entries(of: generation, in: base)
        } else {
            tree = EntryTree(root: base, mapping: try areaMapping(base))
        }
        guard let tree, case .file(_, let status) = try tree.find(tree.mapping.names(of: id)) else {
            return nil
        }
        return status
    }
}
