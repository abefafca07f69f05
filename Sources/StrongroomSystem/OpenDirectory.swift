// What is done with the names in an open directory.
extension OpenFile {
    /// Every name in this directory but `.` and `..`, in no order.
    package func list() throws(SystemError) -> [DirectoryItem] {
        try calling { () throws(SystemError) in try fileSystem.list(descriptor) }
    }

    /// What `name` in this directory is, a link as such; nil if there is none.
    package func status(
        of name: Path, followLink: Bool = false
    ) throws(SystemError) -> FileStatus? {
        do {
            return try calling(on: name) { () throws(SystemError) in
                try fileSystem.status(name, at: descriptor, followLink: followLink)
            }
        } catch {
            if error.code == ErrorCode.noEntry { return nil }
            throw error
        }
    }

    /// Renames `name` in this directory to `newName` in `directory` (this one if nil).
    package func rename(
        _ name: Path, to newName: Path, in directory: OpenFile? = nil, _ mode: RenameMode = .replace
    ) throws(SystemError) {
        try calling(on: name) { () throws(SystemError) in
            try fileSystem.rename(
                name, at: descriptor, to: newName, at: (directory ?? self).descriptor, mode)
        }
    }

    /// Removes the file `name` from this directory.
    package func unlink(_ name: Path) throws(SystemError) {
        try calling(on: name) { () throws(SystemError) in
            try fileSystem.unlink(name, at: descriptor)
        }
    }

    /// Removes the empty directory `name` from this one.
    package func removeDirectory(_ name: Path) throws(SystemError) {
        try calling(on: name) { () throws(SystemError) in
            try fileSystem.removeDirectory(name, at: descriptor)
        }
    }

    /// Gives an open (also an unnamed) file the name `name` in this directory, which must be free.
    package func link(_ file: OpenFile, as name: Path) throws(SystemError) {
        try calling(on: name) { () throws(SystemError) in
            try fileSystem.link(file.descriptor, to: name, at: descriptor)
        }
    }

    /// Where the symbolic link `name` in this directory points.
    package func readLink(_ name: Path) throws(SystemError) -> Path {
        try calling(on: name) { () throws(SystemError) in
            try fileSystem.readLink(name, at: descriptor)
        }
    }
}
