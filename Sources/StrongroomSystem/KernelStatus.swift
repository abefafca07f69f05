import Glibc

extension FileStatus {
    /// What the kernel says of a file (stat(3type)).
    init(_ found: stat) {
        let seconds = Int64(found.st_mtim.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        let modified = seconds.partialValue.addingReportingOverflow(Int64(found.st_mtim.tv_nsec))
        // A time stamp outside of the years 1678 to 2262 must not stop the program.
        let isOutside = seconds.overflow || modified.overflow
        self.init(
            kind: Kind(fileMode: found.st_mode), mode: UInt16(found.st_mode & 0o7777),
            owner: found.st_uid, group: found.st_gid, byteCount: Int64(found.st_size),
            allocatedByteCount: Int64(found.st_blocks) * 512, linkCount: UInt64(found.st_nlink),
            device: UInt64(found.st_dev), inode: UInt64(found.st_ino),
            modified: isOutside ? (found.st_mtim.tv_sec < 0 ? .min : .max) : modified.partialValue)
    }
}

extension FileStatus.Kind {
    /// The kind in the upper bits of `st_mode`.
    init(fileMode: mode_t) {
        switch fileMode & S_IFMT {
        case S_IFREG: self = .regular
        case S_IFDIR: self = .directory
        case S_IFLNK: self = .symbolicLink
        default: self = .other
        }
    }
}

extension DirectoryItem {
    /// An entry as readdir(3) returns it: the name may be longer than the declared array, so it is read in place.
    @unsafe init(_ entry: UnsafeMutablePointer<dirent>) {
        let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
        let name = unsafe UnsafeRawPointer(entry) + offset
        let byteCount = unsafe strlen(name.assumingMemoryBound(to: CChar.self))
        let kind: FileStatus.Kind?
        switch Int(unsafe entry.pointee.d_type) {
        case Int(DT_REG): kind = .regular
        case Int(DT_DIR): kind = .directory
        case Int(DT_LNK): kind = .symbolicLink
        case Int(DT_UNKNOWN): kind = nil
        default: kind = .other
        }
        self.init(
            name: Path(bytes: unsafe Array(UnsafeRawBufferPointer(start: name, count: byteCount))),
            kind: kind)
    }
}
