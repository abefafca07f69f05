import StrongroomSystem

/// Tells where directories really are, however they are named: by device and inode, through every link.
struct Whereabouts {
    /// Where they are looked at.
    let fileSystem: any FileSystem

    /// True if both names are of one directory that is there.
    func areSame(_ left: Path, _ right: Path) throws(Failure) -> Bool {
        guard let left = try status(left), let right = try status(right) else { return false }
        return left.device == right.device && left.inode == right.inode
    }

    /// True if `path` is `directory` or lies below it, and both are there.
    func isInside(_ path: Path, _ directory: Path) throws(Failure) -> Bool {
        guard let wanted = try status(directory), var found = try status(path) else { return false }
        var current = path
        while found.device != wanted.device || found.inode != wanted.inode {
            // The kernel goes up from where a link leads to.
            current = current.appending("..")
            guard let above = try status(current) else { return false }
            // The root is its own parent.
            if above.device == found.device, above.inode == found.inode { return false }
            found = above
        }
        return true
    }

    private func status(_ path: Path) throws(Failure) -> FileStatus? {
        do throws(SystemError) {
            return try fileSystem.status(path, at: nil, followLink: true)
        } catch {
            guard error.code == ErrorCode.noEntry || error.code == ErrorCode.notDirectory else {
                throw Failure(error)
            }
            return nil
        }
    }
}
