import StrongroomSystem

// Commits: one change by one rename or unlink, several by a record.
extension WriteSession {
    /// How often a write is tried again whose folder somebody else removed.
    static var attemptCount: Int { 100 }

    /// Makes all of `changes` or none; the ids that changed.
    ///
    /// Anything thrown but `.outcomeUnknown` leaves the entries as they were.
    func commit(_ changes: [PreparedChange]) throws(StoreError) -> [EntryID] {
        let check = ConflictCheck(changes, in: tree)
        var effective: [PreparedChange] = []
        for change in changes {
            try check.check(change)
            if change.payload == nil {
                switch try tree.find(change.names) {
                case .file: break
                case .folder, .other: guard tree.mapping.ownsNames else { continue }
                case .nothing: continue
                }
            }
            effective.append(change)
        }
        guard let first = effective.first else { return [] }
        let onlyRemoves = effective.allSatisfy { $0.payload == nil }
        try marking(effective.count > 1 ? nil : first.id, onlyRemoves: onlyRemoves) {
            () throws(StoreError) in
            if effective.count > 1 {
                try commitByRecord(effective)
            } else if let payload = first.payload {
                try put(first, payload)
            } else {
                try remove(first)
            }
        }
        return effective.map(\.id)
    }

    private func put(_ change: PreparedChange, _ payload: Payload) throws(StoreError) {
        guard let name = change.names.last else { throw .invalidID(change.id) }
        let parents = Array(change.names.dropLast())
        let temporary = StoreName.temporary(.random(in: 0 ... .max), 0)
        for attempt in 1...Self.attemptCount {
            var made: [[Path]] = []
            do throws(StoreError) {
                let (folder, depth) = try makeFolder(parents, made: &made)
                guard depth == parents.count else { throw .conflict(change.id) }
                let status = try writeTemporary(payload, name: temporary, in: folder)
                do throws(StoreError) {
                    try makeRoom(for: name, in: folder, change.names)
                    try move(temporary, in: folder, to: name, in: folder, status)
                } catch {
                    if case .outcomeUnknown = error {
                        isClean = false
                    } else {
                        removeTemporary(temporary, in: folder)
                    }
                    throw error
                }
                break
            } catch {
                removeMade(made)
                guard error.isPassing, attempt < Self.attemptCount else {
                    throw error.orInvalid(change.id)
                }
            }
        }
        try settle([parents], path: change.names)
    }

    private func remove(_ change: PreparedChange) throws(StoreError) {
        let parents = Array(change.names.dropLast())
        guard let name = change.names.last, case .open(let folder) = try tree.folder(parents)
        else { return }
        try remove(name, in: folder)
        try settle([parents], path: change.names)
        removeEmptyFolders(parents)
    }

    /// Syncs folders after their names changed: if that fails, the new names are there and may not last.
    func settle(_ folders: some Sequence<[Path]>, path: [Path]) throws(StoreError) {
        do {
            for folder in folders { try syncFolder(folder) }
        } catch {
            isClean = false
            throw .outcomeUnknown(
                path: path.reduce(tree.root.path) { $0.appending($1) }.description)
        }
    }
}

extension StoreError {
    /// True if somebody else removed a folder between two calls, or made one: then the next try finds it so.
    var isPassing: Bool { code == ErrorCode.noEntry || code == ErrorCode.exists }

    /// A name that the disk does not take is no id for this store.
    func orInvalid(_ id: EntryID) -> StoreError {
        code == ErrorCode.nameTooLong ? .invalidID(id) : self
    }
}
