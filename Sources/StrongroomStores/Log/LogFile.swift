import StrongroomSystem
import Synchronization

/// One log, held open by everybody who still reads from it; closed by the last of them.
final class LogFile: Sendable {
    /// Open for reading.
    let file: OpenFile
    let block: LogBlock
    /// The log id as the key of sums.
    let key: [UInt8]
    let inode: UInt64
    let device: UInt64
    /// Open for writing, once somebody in this process has written.
    private let writing = Mutex<OpenFile?>(nil)

    init(file: OpenFile, block: LogBlock, status: FileStatus) {
        self.file = file
        self.block = block
        key = block.log.bytes
        inode = status.inode
        device = status.device
    }

    /// The log that has the name `log` in `directory`, its block 0 verified.
    ///
    /// `.absent` if there is none.
    static func open(
        in directory: OpenFile, keys: any LogKeys
    ) throws(StoreError) -> LogFile {
        let file: OpenFile
        do {
            file = try directory.openFile(LogName.log, [.read, .nonBlocking])
        } catch {
            guard error.code == ErrorCode.noEntry else { throw StoreError(opening: error) }
            throw .absent(path: directory.path.appending(LogName.log).description)
        }
        let status = try system(try file.status())
        let path = file.path.description
        guard status.kind == .regular else {
            throw .storeDamaged(path: path, what: StoreError.noFile)
        }
        let bytes = try system(try file.read(at: 0, count: LogBlock.byteCount))
        let block = try LogBlock(decoding: bytes, keys: keys, path: path)
        return LogFile(file: file, block: block, status: status)
    }

    /// The same file open for writing; nil if another one has the name by now.
    func openForWriting(in directory: OpenFile) throws(StoreError) -> OpenFile? {
        if let file = writing.withLock({ $0 }) { return file }
        let file = try system(try directory.openFile(LogName.log, [.read, .write]))
        let status = try system(try file.status())
        guard isSame(status) else { return nil }
        try StoreError.checkWritable(status, file.path)
        writing.withLock { $0 = file }
        return file
    }

    /// A whole payload, in one call; nil if it is cut short, or is not the sealing that the log's table tells of.
    func read(_ row: LogRow) throws(StoreError) -> StoredEntry? {
        let bytes = try system(try file.read(at: row.offset, count: Int(row.byteCount)))
        guard bytes.count == Int(row.byteCount) else { return nil }
        let version =
            block.isSealed ? LogEntry.stamp(of: bytes) : try LogSum.payload(bytes, key: key)
        guard version == row.version else { return nil }
        return StoredEntry(bytes: bytes, version: Version(number: version))
    }

    /// True if `status` is this file's.
    func isSame(_ status: FileStatus?) -> Bool {
        guard let status else { return false }
        return status.inode == inode && status.device == device
    }

    /// True if the payload of `entry` is what was written; a removal has none.
    func isWhole(_ entry: LogEntry) throws(StoreError) -> Bool {
        guard entry.kind != .remove else { return true }
        var sum = PayloadSum(key: key)
        guard
            try pieces(
                of: entry.offset, entry.byteCount,
                into: { (bytes) throws(StoreError) in
                    try sum.add(bytes)
                })
        else { return false }
        return try sum.finish() == entry.sum
    }

    /// Hands over a payload in pieces; false if the file ends before it does.
    func pieces(
        of offset: Int64, _ byteCount: Int64, into body: (Span<UInt8>) throws(StoreError) -> Void
    ) throws(StoreError) -> Bool {
        var done: Int64 = 0
        while done < byteCount {
            let count = Int(min(1 << 20, byteCount - done))
            let bytes = try system(try file.read(at: offset + done, count: count))
            guard bytes.count == count else { return false }
            try body(bytes.span)
            done += Int64(count)
        }
        return true
    }
}
