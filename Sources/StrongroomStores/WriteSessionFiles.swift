import StrongroomSystem

// Files: made out of sight, and moved to their names.
extension WriteSession {
    /// A temporary file with all of `payload`, synced.
    ///
    /// A throw leaves none, unless it cannot be removed: then the next writer sweeps it.
    func writeTemporary(
        _ payload: Payload, name: Path, in folder: OpenFile
    ) throws(StoreError) -> FileStatus {
        do {
            return try payload.write(as: name, in: folder, isDurable: isDurable)
        } catch {
            removeTemporary(name, in: folder)
            throw error
        }
    }

    /// Removes a temporary file whose commit is not to be.
    func removeTemporary(_ name: Path, in folder: OpenFile) {
        do {
            try folder.unlink(name)
        } catch {
            if error.code != ErrorCode.noEntry { isClean = false }
        }
    }

    /// Moves the temporary file that `status` is of to its name in `target`.
    ///
    /// After `.outcomeUnknown` it is not known under which name it is; after any other error it has its temporary one.
    func move(
        _ temporary: Path, in folder: OpenFile, to name: Path, in target: OpenFile,
        _ status: FileStatus
    ) throws(StoreError) {
        do {
            try folder.rename(temporary, to: name, in: target)
        } catch {
            let unknown = StoreError.outcomeUnknown(path: target.path.appending(name).description)
            let (old, new): (FileStatus?, FileStatus?)
            do {
                old = try folder.status(of: temporary)
                new = try target.status(of: name)
            } catch {
                throw unknown
            }
            // An error may come from a call that did its work (a server's answer that was lost).
            if let new, new.inode == status.inode, new.device == status.device { return }
            guard let old, old.inode == status.inode, old.device == status.device else {
                // Somebody removed it, or the folder it lay in.
                if old == nil, error.code == ErrorCode.noEntry { throw StoreError(error) }
                throw unknown
            }
            throw StoreError(error)
        }
    }

    /// Removes an entry's file, in a vault whatever has its name; one that is gone already is no error.
    ///
    /// After `.outcomeUnknown` it is not known whether it is there; after any other error it is.
    func remove(_ name: Path, in folder: OpenFile) throws(StoreError) {
        do {
            if tree.mapping.ownsNames, try folder.status(of: name)?.kind == .directory {
                try folder.removeDirectory(name)
            } else {
                try folder.unlink(name)
            }
        } catch {
            if error.code == ErrorCode.noEntry { return }
            do {
                if try folder.status(of: name) == nil { return }
            } catch {
                throw .outcomeUnknown(path: folder.path.appending(name).description)
            }
            throw StoreError(error)
        }
    }
}
