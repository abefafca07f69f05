import CLinux
import Glibc

// The calls that work on names.
extension RealFileSystem {
    /// statx(2) of a name.
    package func status(
        _ path: Path, at directory: Descriptor?, followLink: Bool
    ) throws(SystemError) -> FileStatus {
        try Self.require(path, "status")
        var found = strongroom_status()
        let result = unsafe path.withCString { name in
            unsafe strongroom_status(
                Self.number(directory), name, followLink ? 1 : 0, &found)
        }
        guard result == 0 else { throw .last("status", path) }
        return FileStatus(found)
    }

    /// fchmodat(3) with `AT_SYMLINK_NOFOLLOW`.
    package func changeMode(
        _ path: Path, at directory: Descriptor?, to mode: UInt16
    ) throws(SystemError) {
        try Self.require(path, "change mode")
        let result = unsafe path.withCString { name in
            unsafe fchmodat(Self.number(directory), name, mode_t(mode), AT_SYMLINK_NOFOLLOW)
        }
        guard result == 0 else { throw .last("change mode", path) }
    }

    /// renameat(2), or renameat2(2) for a mode that it lacks (`EINVAL` on a file system without that mode).
    package func rename(
        _ path: Path, at directory: Descriptor?, to newPath: Path, at newDirectory: Descriptor?,
        _ mode: RenameMode
    ) throws(SystemError) {
        try Self.require(path, "rename")
        try Self.require(newPath, "rename")
        let (from, to) = (Self.number(directory), Self.number(newDirectory))
        let result = unsafe path.withCString { old in
            unsafe newPath.withCString { new in
                switch mode {
                case .replace: unsafe renameat(from, old, to, new)
                case .noReplace:
                    unsafe strongroom_renameat2(from, old, to, new, STRONGROOM_RENAME_NOREPLACE)
                case .exchange:
                    unsafe strongroom_renameat2(from, old, to, new, STRONGROOM_RENAME_EXCHANGE)
                }
            }
        }
        guard result == 0 else { throw .last("rename", path) }
    }

    /// linkat(2) through `/proc/self/fd`, the way that needs no privilege.
    package func link(
        _ file: Descriptor, to path: Path, at directory: Descriptor?
    ) throws(SystemError) {
        try Self.require(path, "link")
        let result = unsafe Path("/proc/self/fd/\(file.number)").withCString { source in
            unsafe path.withCString { name in
                unsafe linkat(AT_FDCWD, source, Self.number(directory), name, AT_SYMLINK_FOLLOW)
            }
        }
        guard result == 0 else { throw .last("link", path) }
    }

    /// unlinkat(2).
    package func unlink(_ path: Path, at directory: Descriptor?) throws(SystemError) {
        try remove(path, at: directory, flags: 0)
    }

    /// mkdirat(2).
    package func makeDirectory(
        _ path: Path, at directory: Descriptor?, mode: UInt16
    ) throws(SystemError) {
        try Self.require(path, "make directory")
        let result = unsafe path.withCString { name in
            unsafe mkdirat(Self.number(directory), name, mode_t(mode))
        }
        guard result == 0 else { throw .last("make directory", path) }
    }

    /// unlinkat(2) with `AT_REMOVEDIR`.
    package func removeDirectory(_ path: Path, at directory: Descriptor?) throws(SystemError) {
        try remove(path, at: directory, flags: AT_REMOVEDIR)
    }

    /// readdir(3) on a description of its own, so that two threads may list one directory.
    package func list(_ directory: Descriptor) throws(SystemError) -> [DirectoryItem] {
        let number = unsafe strongroom_openat(
            directory.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        guard number >= 0 else { throw .last("list", "") }
        guard let stream = unsafe fdopendir(number) else {
            let error = SystemError.last("list", "")
            _ = Glibc.close(number)
            throw error
        }
        defer { unsafe _ = closedir(stream) }
        var items: [DirectoryItem] = []
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else { break }
            let item = unsafe DirectoryItem(entry)
            if item.name != "." && item.name != ".." { items.append(item) }
        }
        guard errno == 0 else { throw .last("list", "") }
        return items
    }

    /// readlinkat(2).
    package func readLink(_ path: Path, at directory: Descriptor?) throws(SystemError) -> Path {
        try Self.require(path, "read link")
        // PATH_MAX: the kernel keeps no longer link.
        var target = [UInt8](repeating: 0, count: 4096)
        let count = unsafe path.withCString { name in
            unsafe target.withUnsafeMutableBytes { buffer in
                unsafe buffer.withMemoryRebound(to: CChar.self) { buffer in
                    guard let start = buffer.baseAddress else { return -1 }
                    return unsafe readlinkat(Self.number(directory), name, start, buffer.count)
                }
            }
        }
        guard count >= 0 else { throw .last("read link", path) }
        return Path(bytes: Array(target[..<count]))
    }

    private func remove(
        _ path: Path, at directory: Descriptor?, flags: Int32
    ) throws(SystemError) {
        try Self.require(path, "remove")
        let result = unsafe path.withCString { name in
            unsafe unlinkat(Self.number(directory), name, flags)
        }
        guard result == 0 else { throw .last("remove", path) }
    }
}
