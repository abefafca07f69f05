import StrongroomSystem

/// The entries below one open directory.
///
/// Nothing here writes, and no symbolic link below the directory is followed.
struct EntryTree: Sendable {
    /// What is found under a name.
    enum Found: Sendable {
        /// Nothing, or something that only an entry of another name can lie at or below.
        case nothing
        /// A regular file, open.
        case file(OpenFile, FileStatus)
        /// A folder.
        case folder
        /// A symbolic link, a FIFO, a device.
        case other
    }

    /// What is found where a folder should be.
    enum Folder: Sendable {
        /// It is there.
        case open(OpenFile)
        /// There is nothing under the name at `depth`, counted from 0.
        case missing(depth: Int)
        /// Under the name at `depth` is a regular file.
        case file(depth: Int)
        /// Under the name at `depth` is something else.
        case other(depth: Int)
    }

    let root: OpenFile
    let mapping: EntryMapping

    /// The folder that `names` lead to.
    func folder(_ names: some Sequence<Path>) throws(StoreError) -> Folder {
        try folder(names, in: root)
    }

    private func folder(
        _ names: some Sequence<Path>, in start: OpenFile
    ) throws(StoreError) -> Folder {
        var folder = start
        var depth = 0
        for name in names {
            do {
                folder = try folder.openFile(name, [.read, .directory])
            } catch {
                switch error.code {
                case ErrorCode.noEntry, ErrorCode.nameTooLong: return .missing(depth: depth)
                case ErrorCode.notDirectory, ErrorCode.link: break
                default: throw StoreError(error)
                }
                switch try system(try folder.status(of: name))?.kind {
                case nil: return .missing(depth: depth)
                case .regular: return .file(depth: depth)
                case .directory, .symbolicLink, .other: return .other(depth: depth)
                }
            }
            depth += 1
        }
        return .open(folder)
    }

    /// What is under `names`, judged on the open descriptor.
    func find(_ names: [Path]) throws(StoreError) -> Found {
        guard let last = names.last else { return .folder }
        switch try folder(names.dropLast()) {
        case .open(let folder): return try find(last, in: folder)
        case .missing, .file: return .nothing
        case .other: return .other
        }
    }

    /// What is called `name` in an open folder.
    func find(_ name: Path, in folder: OpenFile) throws(StoreError) -> Found {
        let file: OpenFile
        do {
            // Not to wait for the other end of a FIFO.
            file = try folder.openFile(name, [.read, .nonBlocking])
        } catch {
            switch error.code {
            case ErrorCode.noEntry, ErrorCode.nameTooLong: return .nothing
            case ErrorCode.link, ErrorCode.noDevice: return .other
            default: throw StoreError(error)
            }
        }
        let status = try system(try file.status())
        switch status.kind {
        case .regular: return .file(file, status)
        case .directory: return .folder
        case .symbolicLink, .other: return .other
        }
    }

    /// Every file below the folder that `names` lead to, links and devices too, with its names from the root; and
    /// the folders, each before what is in it.
    func list(
        below names: [Path] = []
    ) throws(StoreError) -> (files: [[Path]], folders: [[Path]]) {
        var files: [[Path]] = []
        var folders: [[Path]] = []
        try visit(below: names) { (path, kind) in
            if kind == .directory { folders.append(path) } else { files.append(path) }
        }
        return (files, folders)
    }

    /// The id of every entry: a regular file whose path is the one that its id has; in a vault whatever has its name.
    func ids() throws(StoreError) -> Set<EntryID> {
        var ids: Set<EntryID> = []
        try visit(below: []) { (path, kind) in
            guard kind == .regular || (kind != nil && mapping.ownsNames) else { return }
            if let id = mapping.id(of: path) { ids.insert(id) }
        }
        return ids
    }

    /// Calls `found` with all that is below a folder, names from the root and kind, a folder before what is in it.
    private func visit(
        below names: [Path], _ found: ([Path], FileStatus.Kind?) -> Void
    ) throws(StoreError) {
        var pending = [names]
        var last: (names: [Path], folder: OpenFile) = ([], root)
        while let current = pending.popLast() {
            // By its names from the root, or from the folder before: to hold them all open is not possible in a deep
            // tree.
            let isChild = current.count == last.names.count + 1 && current.starts(with: last.names)
            let start = isChild ? last : ([], root)
            guard case .open(let folder) = try folder(current[start.0.count...], in: start.1) else {
                continue
            }
            last = (current, folder)
            for item in try system(try folder.list()) {
                let path = current + [item.name]
                let kind = try kind(of: item, in: folder)
                found(path, kind)
                // No key has more names than that, so nothing below is an entry's.
                let isShallow = path.count <= KeyText.byteCountLimit
                if kind == .directory, mapping.hasFolders, isShallow { pending.append(path) }
            }
        }
    }

    /// What a listed name is, nil if it is gone by now.
    private func kind(
        of item: DirectoryItem, in folder: OpenFile
    ) throws(StoreError) -> FileStatus.Kind? {
        if let kind = item.kind { return kind }
        return try system(try folder.status(of: item.name))?.kind
    }
}
