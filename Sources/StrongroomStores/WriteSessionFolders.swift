import StrongroomSystem

// Folders: made as entries need them, synced, and removed when they are empty.
extension WriteSession {
    /// The folder that `names` lead to, made as far as it is missing.
    ///
    /// What is made is appended to `made`. A file in the way ends it: then the folder is the one that the file lies
    /// in, `depth` names down.
    func makeFolder(
        _ names: [Path], made: inout [[Path]]
    ) throws(StoreError) -> (folder: OpenFile, depth: Int) {
        var folder = tree.root
        for (depth, name) in names.enumerated() {
            switch try step(name, in: folder) {
            case .some(let next): folder = next
            case nil:
                guard try system(try folder.status(of: name)) == nil else { return (folder, depth) }
                do {
                    folder = try folder.makeDirectory(name)
                } catch {
                    throw StoreError(error)
                }
                let path = Array(names.prefix(depth + 1))
                synced.forget(path)
                made.append(path)
            }
        }
        return (folder, names.count)
    }

    private func step(_ name: Path, in folder: OpenFile) throws(StoreError) -> OpenFile? {
        do {
            return try folder.openFile(name, [.read, .directory])
        } catch {
            switch error.code {
            case ErrorCode.noEntry, ErrorCode.notDirectory, ErrorCode.link: return nil
            default: throw StoreError(error)
            }
        }
    }

    /// Syncs the folder that `names` lead to, and above it whatever a crash could take its name with.
    func syncFolder(_ names: [Path]) throws(StoreError) {
        guard isDurable else { return }
        var folder = tree.root
        for (depth, name) in names.enumerated() {
            // A folder that is gone was removed because it is empty.
            guard let next = try step(name, in: folder) else { return }
            let status = try system(try next.status())
            let path = Array(names.prefix(depth + 1))
            if !synced.contains(path, status) {
                try system(try folder.sync())
                synced.insert(path, status)
            }
            folder = next
        }
        try system(try folder.sync())
    }

    /// Removes the folders that were made for a write that failed.
    func removeMade(_ made: [[Path]]) {
        for names in made.reversed() { _ = removeFolder(names) }
    }

    /// Removes the folder of an entry that is gone, and those above it, as long as they are empty.
    func removeEmptyFolders(_ names: [Path]) {
        var folder = names[...]
        while !folder.isEmpty, removeFolder(Array(folder)) { folder = folder.dropLast() }
    }

    /// A folder in which there are only folders gives way to the file `name` in `folder`, which is `names` from the
    /// root.
    func makeRoom(for name: Path, in folder: OpenFile, _ names: [Path]) throws(StoreError) {
        guard try system(try folder.status(of: name))?.kind == .directory else { return }
        // In a vault it is empty: that was made sure of.
        guard tree.mapping.hasFolders else { return try system(try folder.removeDirectory(name)) }
        for folder in try tree.list(below: names).folders.reversed() { _ = removeFolder(folder) }
        _ = removeFolder(names)
    }

    /// Removes a folder if it is empty.
    ///
    /// One that stays does no harm: it is nobody's entry, and in nobody's way while it is empty.
    private func removeFolder(_ names: [Path]) -> Bool {
        guard let name = names.last else { return false }
        do {
            guard case .open(let parent) = try tree.folder(names.dropLast()) else { return false }
            try parent.removeDirectory(name)
            return true
        } catch {
            return false
        }
    }
}
