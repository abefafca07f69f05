/// Making the directories that our files live in: 0700 each, owned like the one it is made in, durable.
package enum DirectoryMaker {
    /// Opens the directory at `path`, made with its missing ancestors if need be.
    ///
    /// The path and its ancestors may be symbolic links to directories. Each directory is made 0700 whatever the
    /// umask, belongs to its parent's owner if we are root, and its parent is synced before anything is made in it;
    /// so is the parent of one that is there already, since who made it may have been killed before. A throw leaves
    /// the ancestors that could be made.
    /// Without `syncs` nothing is synced: for what need not outlast a crash.
    package static func ensure(
        _ path: Path, syncs: Bool = true, fileSystem: any FileSystem
    ) throws(SystemError) -> OpenFile {
        if let found = try existing(path, fileSystem) {
            if syncs { try syncParent(of: found) }
            return found
        }
        guard path.parent != path else {
            // The working directory is gone.
            throw SystemError(
                operation: "open", path: path.description, code: ErrorCode.noEntry)
        }
        let parent = try ensure(path.parent, syncs: syncs, fileSystem: fileSystem)
        do {
            let made = try parent.makeDirectory(path.lastComponent)
            if syncs { try parent.sync() }
            return made
        } catch {
            // Somebody else made it first, or the last component is `..` of what was just made.
            guard error.code == ErrorCode.exists, let found = try existing(path, fileSystem) else {
                throw error
            }
            if syncs { try syncParent(of: found) }
            return found
        }
    }

    /// Opens the directory `path`, made 0700 if it is absent, in a place where anybody may make files (`/tmp`).
    ///
    /// One that is there must be a real directory, no link to one, be owned by us and closed to everybody else;
    /// otherwise somebody put it there for us to use, and the call throws `ErrorCode.notPermitted`. The parent must
    /// be there. Nothing is synced.
    package static func ensurePrivate(
        _ path: Path, fileSystem: any FileSystem
    ) throws(SystemError) -> OpenFile {
        let parent = try OpenFile.open(
            path.parent, [.read, .directory, .followLink], fileSystem: fileSystem)
        do {
            _ = try parent.makeDirectory(path.lastComponent, isOurs: true)
        } catch {
            guard error.code == ErrorCode.exists else { throw error }
        }
        let refusal = SystemError(
            operation: "use directory", path: path.description, code: ErrorCode.notPermitted)
        let directory: OpenFile
        do {
            directory = try parent.openFile(path.lastComponent, [.read, .directory])
        } catch {
            guard error.code == ErrorCode.notDirectory || error.code == ErrorCode.link else {
                throw error
            }
            throw refusal
        }
        let status = try directory.status()
        guard status.owner == Identity.effectiveUser, status.mode & 0o077 == 0 else {
            throw refusal
        }
        return directory
    }

    /// True if we may write where `status` says: who is neither a directory's owner nor root only reads.
    package static func mayWrite(_ status: FileStatus) -> Bool {
        Identity.isRoot || status.owner == Identity.effectiveUser
    }

    private static func existing(
        _ path: Path, _ fileSystem: any FileSystem
    ) throws(SystemError) -> OpenFile? {
        do {
            return try OpenFile.open(
                path, [.read, .directory, .followLink], fileSystem: fileSystem)
        } catch {
            if error.code == ErrorCode.noEntry { return nil }
            throw error
        }
    }

    /// Syncs the directory that holds `directory`.
    ///
    /// One that we cannot open holds nothing that we made.
    private static func syncParent(of directory: OpenFile) throws(SystemError) {
        let parent: OpenFile
        do {
            parent = try directory.openFile("..", [.read, .directory])
        } catch {
            if error.code == ErrorCode.accessDenied { return }
            throw error
        }
        do {
            try parent.sync()
        } catch {
            // A disk that takes no writes has nothing to sync, and some refuse to say so politely.
            guard error.code == ErrorCode.readOnly || error.code == ErrorCode.invalid else {
                throw error
            }
        }
    }
}
