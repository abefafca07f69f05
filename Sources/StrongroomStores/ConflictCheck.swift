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

    /// Throws `.conflict` if `change` is a put that has no place.
    func check(_ change: PreparedChange) throws(StoreError) {
        guard change.payload != nil else { return }
        let names = change.names
        for length in 1..<names.count where put.contains(Array(names.prefix(length))) {
            throw .conflict(change.id)
        }
        switch try tree.folder(names.dropLast()) {
        case .missing: return
        case .file(let depth):
            guard removed.contains(Array(names.prefix(depth + 1))) else {
                throw .conflict(change.id)
            }
        case .other: throw .conflict(change.id)
        case .open(let folder):
            guard let name = names.last else { throw .invalidID(change.id) }
            switch try system(try folder.status(of: name))?.kind {
            case nil, .regular: return
            case .directory where tree.mapping.hasFolders:
                // Folders without a file in them are in nobody's way.
                for file in try tree.list(below: names).files where !removed.contains(file) {
                    throw .conflict(change.id)
                }
            case .directory, .symbolicLink, .other: throw .conflict(change.id)
            }
        }
    }
}
