import StrongroomSystem

/// The file whose front is the hint, open for reading, and which file that is.
struct LogHintFile: Sendable {
    let file: OpenFile
    private let inode: UInt64
    private let device: UInt64

    init(_ file: OpenFile) throws(StoreError) {
        self.file = file
        let status = try system(try file.status())
        guard status.kind == .regular else {
            throw .storeDamaged(path: file.path.description, what: StoreError.noFile)
        }
        inode = status.inode
        device = status.device
    }

    /// True if `status` is that of the file.
    func isSame(_ status: FileStatus?) -> Bool {
        status?.inode == inode && status?.device == device
    }
}
