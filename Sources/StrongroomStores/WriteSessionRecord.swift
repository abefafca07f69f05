import StrongroomSystem

// Several changes at once: files written and synced, then a record that is the commit, then names and folders, and
// only when the record is gone for good is the commit acknowledged.
extension WriteSession {
    /// Makes all of `changes` or none.
    func commitByRecord(_ changes: [PreparedChange]) throws(StoreError) {
        let number = UInt64.random(in: 0 ... .max)
        let recordName = StoreName.temporary(number, changes.count)
        var made: [[Path]] = []
        var temporaries: [(name: Path, folder: [Path])] = []
        let record: CommitRecord
        do {
            var entries: [CommitRecord.Change] = []
            for (index, change) in changes.enumerated() {
                guard let payload = change.payload else {
                    entries.append(CommitRecord.Change(id: change.id, kind: .remove))
                    continue
                }
                let name = StoreName.temporary(number, index)
                let depth = try writeBeside(change, payload, name, made: &made)
                temporaries.append((name, Array(change.names.prefix(depth))))
                entries.append(CommitRecord.Change(id: change.id, kind: .put(depth: depth)))
            }
            for folder in Set(temporaries.map(\.folder)) { try syncFolder(folder) }
            record = CommitRecord(number: number, changes: entries)
            try publish(record, recordName)
        } catch {
            if case .outcomeUnknown = error {
                isClean = false
            } else {
                removeTemporary(recordName, in: tree.root)
                for (name, names) in temporaries { removeTemporary(name, below: names) }
                removeMade(made)
            }
            throw error
        }
        do {
            try carryOut(record)
        } catch {
            isClean = false
            throw .outcomeUnknown(path: recordPath)
        }
    }

    /// Carries out a record that a killed writer left.
    ///
    /// He may have been killed before he synced it, so that is done first.
    func finishRecord() throws(StoreError) {
        let record: CommitRecord?
        do {
            record = try tree.record()
        } catch {
            guard case .storeDamaged = error, !isDurable else { throw error }
            // What is not synced may be cut by a crash, and nothing here has to outlast one.
            try remove(StoreName.record, in: tree.root)
            return
        }
        guard let record else { return }
        try syncRoot()
        try carryOut(record)
    }

    private var recordPath: String { tree.root.path.appending(StoreName.record).description }

    /// Writes a temporary file into the innermost folder that there can be before what is removed is gone: how many
    /// names down that is.
    private func writeBeside(
        _ change: PreparedChange, _ payload: Payload, _ name: Path, made: inout [[Path]]
    ) throws(StoreError) -> Int {
        for attempt in 1...Self.attemptCount {
            do {
                let (folder, depth) = try makeFolder(Array(change.names.dropLast()), made: &made)
                _ = try writeTemporary(payload, name: name, in: folder)
                return depth
            } catch {
                guard error.isPassing, attempt < Self.attemptCount else {
                    throw error.orInvalid(change.id)
                }
            }
        }
        throw .conflict(change.id)
    }

    /// Gives the record its name; from then on the commit stands.
    private func publish(_ record: CommitRecord, _ temporary: Path) throws(StoreError) {
        let root = tree.root
        let bytes = try record.encoded()
        let status = try writeTemporary(.bytes(bytes), name: temporary, in: root)
        try move(temporary, in: root, to: StoreName.record, in: root, status)
        do {
            try syncRoot()
        } catch {
            throw .outcomeUnknown(path: recordPath)
        }
    }

    /// Does what the record says, as far as that has not been done, and removes it.
    private func carryOut(_ record: CommitRecord) throws(StoreError) {
        var touched: Set<[Path]> = []
        var emptied: Set<[Path]> = []
        for change in record.changes where change.kind == .remove {
            let names = try tree.mapping.names(of: change.id)
            guard let name = names.last, case .open(let folder) = try tree.folder(names.dropLast())
            else { continue }
            // Who was killed may have removed it and not synced the folder.
            touched.insert(Array(names.dropLast()))
            emptied.insert(Array(names.dropLast()))
            let kind = try system(try folder.status(of: name))?.kind
            if kind == .regular || (kind != nil && tree.mapping.ownsNames) {
                try remove(name, in: folder)
            }
        }
        try makeFolders(record)
        for (index, change) in record.changes.enumerated() {
            guard case .put(let depth) = change.kind else { continue }
            let names = try tree.mapping.names(of: change.id)
            let moved = PreparedChange(id: change.id, names: names, payload: nil)
            try place(moved, record.temporaryName(index), depth: depth)
            touched.insert(Array(names.dropLast()))
            touched.insert(Array(names.prefix(depth)))
        }
        for folder in touched { try syncFolder(folder) }
        try remove(StoreName.record, in: tree.root)
        try syncRoot()
        for folder in emptied { removeEmptyFolders(folder) }
    }

    /// Makes the folders that could not be there before what is removed was gone.
    ///
    /// They are durable before a file moves into them from a folder that is: else a crash could take both its names.
    private func makeFolders(_ record: CommitRecord) throws(StoreError) {
        for change in record.changes {
            guard case .put(let depth) = change.kind else { continue }
            let folder = Array(try tree.mapping.names(of: change.id).dropLast())
            guard depth < folder.count else { continue }
            var made: [[Path]] = []
            guard try makeFolder(folder, made: &made).depth == folder.count else {
                throw .conflict(change.id)
            }
            try syncFolder(folder)
        }
    }

    /// Moves a temporary file of a record to its name, if it has not got it already.
    private func place(
        _ change: PreparedChange, _ temporary: Path, depth: Int
    ) throws(StoreError) {
        guard let name = change.names.last,
            case .open(let folder) = try tree.folder(change.names.prefix(depth)),
            let status = try system(try folder.status(of: temporary))
        else { return }
        for attempt in 1...Self.attemptCount {
            var made: [[Path]] = []
            do throws(StoreError) {
                let (target, depth) = try makeFolder(Array(change.names.dropLast()), made: &made)
                guard depth == change.names.count - 1 else { throw .conflict(change.id) }
                try makeRoom(for: name, in: target, change.names)
                try move(temporary, in: folder, to: name, in: target, status)
                return
            } catch {
                guard error.isPassing, attempt < Self.attemptCount else { throw error }
            }
        }
    }

    private func removeTemporary(_ name: Path, below names: [Path]) {
        do {
            if case .open(let folder) = try tree.folder(names) { removeTemporary(name, in: folder) }
        } catch {
            isClean = false
        }
    }
}
