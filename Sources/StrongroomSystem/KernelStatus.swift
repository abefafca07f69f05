import CLinux
import Glibc

extension FileStatus {
    /// What the kernel says of a file (statx(2)).
    init(_ found: strongroom_status) {
        self.init(
            kind: Kind(fileMode: found.mode), mode: UInt16(found.mode & 0o7777),
            owner: found.owner, group: found.group, byteCount: Int64(clamping: found.byte_count),
            allocatedByteCount: Int64(clamping: found.block_count) * 512,
            linkCount: found.link_count, device: found.device, inode: found.inode)
    }
}

extension timespec {
    /// Nanoseconds since 1970; a time outside of the years 1678 to 2262 is the first or the last of them.
    var nanoseconds: Int64 {
        let seconds = Int64(tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        let all = seconds.partialValue.addingReportingOverflow(Int64(tv_nsec))
        guard seconds.overflow || all.overflow else { return all.partialValue }
        return tv_sec < 0 ? .min : .max
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
