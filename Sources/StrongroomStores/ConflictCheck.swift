import StrongroomSystem

/// Tells before anything is written whether the entries of a commit find their places: a file cannot be a folder
/// also, and what is not ours is never replaced.
struct ConflictCheck {
    private let tree: EntryTree
    private var put: Set<[Path]> = []
    private var removed: Set<[Path]> = []

    /// A check of a whole commit: what it removes is out of the way of what it puts.
    init(_ changes: [PreparedChange], in tree: EntryTree) {
        self.tree = tree
        for change in changes {
            if change.payload == nil {
                removed.insert(change.names)
            } else {
                put.insert(change.names)
            }
        }
    }

    /// Throws `.conflict` if `change` is a put that has no place, `.obstructed` if somebody's link or the like is in it.
    func check(_ change: PreparedChange) throws(StoreError) {
        let names = change.names
        if tree.mapping.ownsNames { return try checkDirectory(names) }
        guard change.payload != nil else { return }
        for length in 1..<names.count where put.contains(Array(names.prefix(length))) {
            throw .conflict(change.id)
        }
        switch try tree.folder(names.dropLast()) {
        case .missing: return
        case .file(let depth):
            guard removed.contains(Array(names.prefix(depth + 1))) else {
                throw .conflict(change.id)
            }
        case .other(let depth): throw obstructed(names.prefix(depth + 1))
        case .open(let folder):
            guard let name = names.last else { throw .invalidID(change.id) }
            switch try system(try folder.status(of: name))?.kind {
            case nil, .regular: return
            case .directory:
                // Folders without a file in them are in nobody's way.
                for file in try tree.list(below: names).files where !removed.contains(file) {
                    throw .conflict(change.id)
                }
            case .symbolicLink, .other: throw obstructed(names[...])
            }
        }
    }

    /// Throws `.obstructed` if a directory has a vault entry's name and there is something in it: all else of that name
    /// gives way.
    private func checkDirectory(_ names: [Path]) throws(StoreError) {
        guard let name = names.last,
            try system(try tree.root.status(of: name))?.kind == .directory,
            case .open(let folder) = try tree.folder(names), try !system(try folder.list()).isEmpty
        else { return }
        throw obstructed(names[...])
    }

    private func obstructed(_ names: ArraySlice<Path>) -> StoreError {
        .obstructed(path: names.reduce(tree.root.path) { $0.appending($1) }.description)
    }
}
