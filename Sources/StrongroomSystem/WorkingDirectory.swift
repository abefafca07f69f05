import Glibc

/// The directory that relative paths start from.
package enum WorkingDirectory {
    /// Its path; nil if it was removed.
    package static var current: Path? {
        guard let text = unsafe getcwd(nil, 0) else { return nil }
        defer { unsafe free(text) }
        let path = unsafe Path(
            bytes: Array(UnsafeRawBufferPointer(start: text, count: strlen(text))))
        // "(unreachable)…" is what the kernel calls one outside of our root.
        return path.isAbsolute ? path : nil
    }

    /// `path` from the root of the file system; nil if it is relative and the working directory is gone.
    package static func absolute(_ path: Path) -> Path? {
        path.isAbsolute ? path : current?.appending(path)
    }
}
