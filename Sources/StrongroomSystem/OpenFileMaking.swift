// Opening and making. What is made has exactly the mode asked, whatever the umask, is never wider on the way
// there, and belongs to the owner of the directory it is made in.
extension OpenFile {
    /// Opens, and with `.create` or `.unnamed` makes, a file or directory.
    ///
    /// `path` is relative to `directory`, or to the working directory if that is nil. A file that this call makes
    /// has the mode `mode` whatever the umask and, if we are root, the owner and group of its directory; one that is
    /// there keeps both. Nothing is created through a dangling link (`ErrorCode.exists`). A throw leaves no file
    /// behind that the call made.
    package static func open(
        _ path: Path, at directory: OpenFile? = nil, _ options: OpenOptions, mode: UInt16 = 0o600,
        fileSystem: any FileSystem
    ) throws(SystemError) -> OpenFile {
        if options.contains(.unnamed) {
            let file = try plainOpen(path, at: directory, options, mode: mode, fileSystem)
            try file.settle(in: path, at: directory, mode: mode)
            return file
        }
        guard options.contains(.create) else {
            return try plainOpen(path, at: directory, options, mode: mode, fileSystem)
        }
        // Only an exclusive open says whether the file was made. A file that comes and goes meanwhile is tried again.
        let attemptCount = options.contains(.exclusive) ? 1 : 100
        for attempt in 1...attemptCount {
            if !options.contains(.exclusive) {
                let existing = options.subtracting(.create)
                do {
                    return try plainOpen(path, at: directory, existing, mode: mode, fileSystem)
                } catch {
                    guard error.code == ErrorCode.noEntry else { throw error }
                }
            }
            do {
                return try make(path, at: directory, options, mode: mode, fileSystem)
            } catch {
                guard error.code == ErrorCode.exists, attempt < attemptCount else { throw error }
            }
        }
        throw SystemError(operation: "open", path: path.description, code: ErrorCode.exists)
    }

    /// Opens, or makes, `name` in this directory: `open(_:at:_:mode:fileSystem:)`.
    package func openFile(
        _ name: Path, _ options: OpenOptions, mode: UInt16 = 0o600
    ) throws(SystemError) -> OpenFile {
        try Self.open(name, at: self, options, mode: mode, fileSystem: fileSystem)
    }

    /// Makes the directory `name` in this one, exactly of mode `mode`, and opens it.
    ///
    /// If we are root it is owned like this one, or with `isOurs` by us. A throw leaves no directory that the call made.
    @discardableResult
    package func makeDirectory(
        _ name: Path, mode: UInt16 = 0o700, isOurs: Bool = false
    ) throws(SystemError) -> OpenFile {
        try calling(on: name) { () throws(SystemError) in
            try fileSystem.makeDirectory(name, at: descriptor, mode: mode)
        }
        do {
            let made = try openMade(name, mode: mode)
            try made.settle(in: ".", at: self, mode: mode, isOurs: isOurs)
            return made
        } catch {
            // The error in hand says more than one of tidying up.
            try? fileSystem.removeDirectory(name, at: descriptor)
            throw error
        }
    }

    /// Opens the directory `name` that was just made; one that the umask closed even to its owner gets its mode first.
    private func openMade(_ name: Path, mode: UInt16) throws(SystemError) -> OpenFile {
        do {
            return try openFile(name, [.read, .directory])
        } catch {
            guard error.code == ErrorCode.accessDenied else { throw error }
            try calling(on: name) { () throws(SystemError) in
                try fileSystem.changeMode(name, at: descriptor, to: mode)
            }
            return try openFile(name, [.read, .directory])
        }
    }

    /// Makes a file that must not be there, and settles it.
    private static func make(
        _ path: Path, at directory: OpenFile?, _ options: OpenOptions, mode: UInt16,
        _ fileSystem: any FileSystem
    ) throws(SystemError) -> OpenFile {
        let making = options.union([.create, .exclusive])
        let file = try plainOpen(path, at: directory, making, mode: mode, fileSystem)
        do {
            try file.settle(in: path.parent, at: directory, mode: mode)
        } catch {
            // The error in hand says more than one of tidying up.
            try? fileSystem.unlink(path, at: directory?.descriptor)
            throw error
        }
        return file
    }

    /// One open, with the whole path in its error.
    private static func plainOpen(
        _ path: Path, at directory: OpenFile?, _ options: OpenOptions, mode: UInt16,
        _ fileSystem: any FileSystem
    ) throws(SystemError) -> OpenFile {
        let whole = directory?.wholePath(of: path) ?? path
        while true {
            do {
                let descriptor = try fileSystem.open(
                    path, at: directory?.descriptor, options, mode: mode)
                return OpenFile(descriptor, path: whole, fileSystem: fileSystem)
            } catch {
                if error.code == ErrorCode.interrupted { continue }
                throw error.on(whole)
            }
        }
    }

    /// Gives what was just made its mode and its owner, that of the directory `parent`.
    private func settle(
        in parent: Path, at directory: OpenFile?, mode: UInt16, isOurs: Bool = false
    ) throws(SystemError) {
        let made = try status()
        if Identity.isRoot, !isOurs {
            let place: FileStatus
            if let directory, parent == "." {
                place = try directory.status()
            } else {
                place = try calling { () throws(SystemError) in
                    try fileSystem.status(parent, at: directory?.descriptor, followLink: true)
                }
            }
            if made.owner != place.owner || made.group != place.group {
                try changeOwner(to: place.owner, group: place.group)
            }
        }
        if made.mode != mode { try changeMode(to: mode) }
    }
}
