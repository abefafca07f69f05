import StrongroomSystem

/// The front of the lock file: what a writer leaves for the next one, and for who lists.
///
/// It is written in one call by who holds the lock, and never synced.
///
/// | offset | size | what |
/// |---|---|---|
/// | 0 | 4 | `SRL1` |
/// | 4 | 1 | 1: the disk folds case (found when the area was made); 2: somebody writes, or was killed while he did; 0 otherwise; 3: both |
/// | 6 | 2 | byte count of the id at 64, little-endian; 0 for none |
/// | 8 | 8 | number of writings so far, little-endian |
/// | 16 | 36 | the boot (`/proc/sys/kernel/random/boot_id`), zeros if the kernel does not say |
/// | 56 | 8 | SipHash of bytes 0 to 55 under `strongroom/store` (``ContentHash``) |
/// | 64 | … | the id of the one entry that is written, then the SipHash of these bytes, 8 bytes |
///
/// The rest of the first 64 bytes is zeros. A writer who finds no mark, one of another boot, or one that says that
/// somebody writes, looks for what a killed one left: temporary files, and names that nobody synced.
struct StoreMark: Equatable, Sendable {
    static let byteCount = 64

    var foldsCase = false
    var isWriting = false
    var writingCount: UInt64 = 0
    var bootID: [UInt8]
    private var noteByteCount: UInt16 = 0

    /// The bytes in the file; `note` is the one entry that is written.
    func encoded(note: EntryID? = nil) throws(StoreError) -> [UInt8] {
        var bytes = Array("SRL1".utf8)
        bytes += [(foldsCase ? 1 : 0) | (isWriting ? 2 : 0), 0]
        bytes.appendLittleEndian(UInt16(note?.bytes.count ?? 0))
        bytes.appendLittleEndian(writingCount)
        bytes += bootID
        bytes += [UInt8](repeating: 0, count: 56 - bytes.count)
        bytes.appendLittleEndian(try ContentHash.sum(bytes.span))
        if let note {
            bytes += note.bytes
            bytes.appendLittleEndian(try ContentHash.sum(note.bytes.span))
        }
        return bytes
    }

    /// A first mark of this boot.
    init(bootID: [UInt8]) { self.bootID = bootID }

    /// The mark in an open lock file, nil if there is none or it is not whole.
    init?(in file: OpenFile) throws(StoreError) {
        // A reader may come between the bytes of a write.
        for _ in 0..<100 {
            let bytes = try system(try file.read(at: 0, count: Self.byteCount))
            guard bytes.count == Self.byteCount else { return nil }
            if let mark = try Self(decoding: bytes) {
                self = mark
                return
            }
        }
        return nil
    }

    private init?(decoding bytes: [UInt8]) throws(StoreError) {
        var reader = ByteReader(bytes)
        guard reader.bytes(4) == Array("SRL1".utf8), let flags = reader.bytes(2),
            let noteByteCount = reader.number(UInt16.self), let count = reader.number(UInt64.self),
            let boot = reader.bytes(36),
            reader.bytes(4) != nil, let sum = reader.number(UInt64.self),
            try ContentHash.sum(bytes.span.extracting(0..<56)) == sum
        else { return nil }
        foldsCase = flags[0] & 1 != 0
        isWriting = flags[0] & 2 != 0
        writingCount = count
        bootID = boot
        self.noteByteCount = noteByteCount
    }

    /// The entry that was being written; nil if that cannot be told, or if there were several.
    func note(in file: OpenFile) throws(StoreError) -> EntryID? {
        guard noteByteCount > 0 else { return nil }
        let count = Int(noteByteCount)
        var reader = ByteReader(
            try system(try file.read(at: Int64(Self.byteCount), count: count + 8)))
        guard let bytes = reader.bytes(count), let sum = reader.number(UInt64.self),
            try ContentHash.sum(bytes.span) == sum
        else { return nil }
        return EntryID(bytes)
    }

    /// This boot, 36 bytes.
    static func bootID(_ fileSystem: any FileSystem) throws(StoreError) -> [UInt8] {
        let text = try system(try Identity.bootID(fileSystem: fileSystem)) ?? ""
        return Array(text.utf8.prefix(36))
            + [UInt8](repeating: 0, count: 36 - min(36, text.utf8.count))
    }
}
