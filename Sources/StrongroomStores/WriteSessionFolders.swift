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
                made.append(Array(names.prefix(depth + 1)))
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
            let known = SyncedFolders.Folder(
                names: Array(names.prefix(depth + 1)), device: status.device, inode: status.inode)
            if !synced.contains(known) {
                try system(try folder.sync())
                synced.insert(known)
            }
            folder = next
        }
        try system(try folder.sync())
    }

    /// Removes the folders that were made for a write that failed.
    func removeMade(_ made: [[Path]]) {
        for names in made.reversed() { _ = removeFolder(names) }
    }

    /// Removes the folders of an entry that is gone, from the innermost out, as long as they are empty.
    func removeEmptyFolders(of names: [Path]) {
        var folder = names.dropLast()
        while !folder.isEmpty, removeFolder(Array(folder)) { folder = folder.dropLast() }
    }

    /// Removes a folder in which there are only folders, so that a file can take its place.
    func clearFolder(_ names: [Path]) throws(StoreError) {
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
