/// Replacing a small file whole: whoever reads its name sees all of the old bytes or all of the new ones, also
/// after a crash.
package enum AtomicFile {
    /// Makes `name` in `directory` a file of exactly `bytes`, durable when the call returns.
    ///
    /// A file beside it is written and synced, takes the name over, and the directory is synced. A symbolic link
    /// called `name` is replaced, not followed. With `exclusive` the name must be free, else `ErrorCode.exists`.
    /// `temporaryName` is the caller's own: a leftover of that name is removed first, so two callers at once need a
    /// lock or two names. `mode` is exact from the moment the file exists.
    ///
    /// A throw leaves `name` as it was and no temporary file, but for one from the last step, the directory's sync:
    /// then the new bytes are in place and may not outlast a crash.
    package static func replace(
        _ name: Path, in directory: OpenFile, with bytes: Span<UInt8>, mode: UInt16 = 0o600,
        temporaryName: Path, exclusive: Bool = false
    ) throws(SystemError) {
        try removeLeftover(temporaryName, in: directory)
        let file = try directory.openFile(temporaryName, [.write, .create, .exclusive], mode: mode)
        do {
            try file.write(bytes, at: 0)
            try file.sync()
            if exclusive {
                try place(file, temporaryName, as: name, in: directory)
            } else {
                try directory.rename(temporaryName, to: name)
            }
        } catch {
            // The error in hand says more than one of tidying up.
            try? directory.unlink(temporaryName)
            throw error
        }
        try directory.sync()
    }

    /// Moves the temporary file to a free name: in one step where the file system can, else by a second name.
    private static func place(
        _ file: OpenFile, _ temporaryName: Path, as name: Path, in directory: OpenFile
    ) throws(SystemError) {
        do {
            try directory.rename(temporaryName, to: name, .noReplace)
        } catch {
            guard error.code == ErrorCode.invalid || error.code == ErrorCode.noCall else {
                throw error
            }
            try directory.link(file, as: name)
            try directory.unlink(temporaryName)
        }
    }

    private static func removeLeftover(
        _ name: Path, in directory: OpenFile
    ) throws(SystemError) {
        do {
            try directory.unlink(name)
        } catch {
            guard error.code == ErrorCode.noEntry else { throw error }
        }
    }
}
