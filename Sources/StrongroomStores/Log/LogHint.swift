/// The first 64 bytes of the file `lock`: how far the log goes, written in one call after each commit, never synced.
///
/// | offset | size | what |
/// |---|---|---|
/// | 0 | 16 | the boot (`/proc/sys/kernel/random/boot_id`, its 32 digits as bytes) |
/// | 16 | 16 | log id |
/// | 32 | 8 | inode of the log |
/// | 40 | 8 | end: where the next commit goes |
/// | 48 | 8 | number of the last commit |
/// | 56 | 8 | SipHash of bytes 0 to 55 under the log id |
struct LogHint: Equatable, Sendable {
    static let byteCount = 64

    let boot: Bytes16
    let log: Bytes16
    let inode: UInt64
    let end: Int64
    let sequence: UInt64

    /// The bytes in the file.
    func encoded() throws(StoreError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.byteCount)
        bytes.append(boot)
        bytes.append(log)
        bytes.append(inode, byteCount: 8)
        bytes.append(UInt64(end), byteCount: 8)
        bytes.append(sequence, byteCount: 8)
        bytes.append(try LogSum.sum(bytes.span, key: log.bytes), byteCount: 8)
        return bytes
    }

    init(boot: Bytes16, log: Bytes16, inode: UInt64, end: Int64, sequence: UInt64) {
        self.boot = boot
        self.log = log
        self.inode = inode
        self.end = end
        self.sequence = sequence
    }

    /// The hint that exactly these bytes are, or nil.
    init?(decoding bytes: Span<UInt8>) throws(StoreError) {
        guard bytes.count == Self.byteCount else { return nil }
        log = Bytes16(bytes, at: 16)
        guard
            try LogSum.sum(bytes.extracting(0..<56), key: log.bytes) == bytes.number(at: 56)
        else { return nil }
        boot = Bytes16(bytes)
        inode = bytes.number(at: 32)
        let end = bytes.number(at: 40)
        sequence = bytes.number(at: 48)
        guard end >= UInt64(LogBlock.byteCount), end <= UInt64(LogCommit.endLimit),
            end % UInt64(LogHead.alignment) == 0, sequence < LogHead.numberLimit
        else { return nil }
        self.end = Int64(end)
    }

    /// The 16 bytes of a boot's id as the kernel writes it, or nil if it is none.
    static func boot(_ text: String) -> Bytes16? {
        var bytes: [UInt8] = []
        var high: UInt8?
        for character in text.utf8 where character != UInt8(ascii: "-") {
            guard let digit = Character(UnicodeScalar(character)).hexDigitValue else { return nil }
            if let first = high {
                bytes.append(first << 4 | UInt8(digit))
                high = nil
            } else {
                high = UInt8(digit)
            }
        }
        guard bytes.count == Bytes16.byteCount, high == nil else { return nil }
        return Bytes16(bytes.span)
    }
}
