/// Block 0 of a log: which log it is.
///
/// 4,096 bytes, written once.
///
/// | offset | size | what |
/// |---|---|---|
/// | 0 | 4 | `SRS1` |
/// | 4 | 1 | 1: payloads are sealed and have stamps; 2: they are plain |
/// | 5 | 3 | zeros |
/// | 8 | 8 | store generation, 1 for the first |
/// | 16 | 16 | log id, random, the SipHash key of every sum in the file |
/// | 32 | 8 | owner id |
/// | 40 | 8 | base: generation of the log before (0: there was none) |
/// | 48 | 8 | base: number of its last commit |
/// | 56 | 16 | base: chain tag of its last commit |
/// | 72 | 16 | chain tag over a byte 0 and bytes 0 to 71 |
/// | 88 | 8 | SipHash of bytes 0 to 87 under the log id |
///
/// These 96 bytes stand at 0 and again at 2,048; the rest is zeros. Integers are little-endian. A reader takes either
/// copy that is whole.
struct LogBlock: Equatable, Sendable {
    /// Bytes before the first commit.
    static let byteCount = 4096
    /// Bytes of one copy.
    static let copyByteCount = 96
    /// Where the copies are.
    static let copyOffsets = [0, 2048]

    /// True if payloads have stamps.
    let isSealed: Bool
    /// 1 for the first.
    let generation: UInt64
    /// Tells this log from every other.
    let log: Bytes16
    /// Whose the entries are.
    let owner: OwnerID
    /// The last commit of the log before.
    let base: LogPoint

    /// The whole block.
    func encoded(_ keys: any LogKeys) throws(StoreError) -> [UInt8] {
        var copy = Array("SRS1".utf8)
        copy += [isSealed ? 1 : 2, 0, 0, 0]
        copy.append(generation, byteCount: 8)
        copy.append(log)
        copy += owner.bytes
        copy.append(base.generation, byteCount: 8)
        copy.append(base.sequence, byteCount: 8)
        copy.append(base.tag)
        let message: [UInt8] = [0] + copy
        copy.append(try keys.chainTag(of: message.span, owner: owner))
        copy.append(try LogSum.sum(copy.span, key: log.bytes), byteCount: 8)
        var block = [UInt8](repeating: 0, count: Self.byteCount)
        for offset in Self.copyOffsets {
            block.replaceSubrange(offset..<(offset + copy.count), with: copy)
        }
        return block
    }

    init(isSealed: Bool, generation: UInt64, log: Bytes16, owner: OwnerID, base: LogPoint) {
        self.isSealed = isSealed
        self.generation = generation
        self.log = log
        self.owner = owner
        self.base = base
    }

    /// The block that the first bytes of a log are; `path` is for the error.
    ///
    /// No whole copy is `.storeDamaged`, another version `.newerFormat`, a tag that is not right `.tampered`.
    init(decoding bytes: [UInt8], keys: any LogKeys, path: String) throws(StoreError) {
        let (block, offset) = try Self.wholeCopy(bytes, path)
        let copy = bytes.span.extracting(offset..<(offset + Self.copyByteCount))
        let message: [UInt8] = [0] + copy.copy(0..<72)
        guard try keys.chainTag(of: message.span, owner: block.owner) == Bytes16(copy, at: 72)
        else { throw .tampered(path: path, what: "the log was made without the key") }
        self = block
    }

    /// The block that bytes say they are, nothing being verified but sums: for who has to find the keys first.
    ///
    /// Throws as ``init(decoding:keys:path:)`` does, but for what takes the keys.
    static func unverified(_ bytes: [UInt8], path: String) throws(StoreError) -> LogBlock {
        try wholeCopy(bytes, path).block
    }

    /// The first copy whose sum is right, and where it lies.
    private static func wholeCopy(
        _ bytes: [UInt8], _ path: String
    ) throws(StoreError) -> (block: LogBlock, offset: Int) {
        var newer = false
        for offset in copyOffsets where bytes.count >= offset + copyByteCount {
            let copy = bytes.span.extracting(offset..<(offset + copyByteCount))
            if let block = try Self(copy: copy) { return (block, offset) }
            newer = newer || isNewer(copy)
        }
        throw newer
            ? .newerFormat(path: path)
            : .storeDamaged(path: path, what: "the beginning of the log is not what was written")
    }

    private init?(copy: Span<UInt8>) throws(StoreError) {
        guard copy.copy(0..<4) == Array("SRS1".utf8), copy[4] == 1 || copy[4] == 2,
            copy.extracting(5..<8).isZero
        else { return nil }
        let log = Bytes16(copy, at: 16)
        guard try LogSum.sum(copy.extracting(0..<88), key: log.bytes) == copy.number(at: 88) else {
            return nil
        }
        self.init(
            isSealed: copy[4] == 1, generation: copy.number(at: 8), log: log,
            owner: OwnerID(copy.copy(32..<40)),
            base: LogPoint(
                generation: copy.number(at: 40), sequence: copy.number(at: 48),
                tag: Bytes16(copy, at: 56)))
        guard generation > 0, generation < LogHead.numberLimit,
            base.generation == generation - 1, base.sequence < LogHead.numberLimit
        else { return nil }
    }

    private static func isNewer(_ copy: Span<UInt8>) -> Bool {
        copy.copy(0..<3) == Array("SRS".utf8)
            && (UInt8(ascii: "2")...UInt8(ascii: "9")).contains(copy[3])
    }

    /// The tag before the first commit's.
    func firstTag(_ keys: any LogKeys) throws(StoreError) -> Bytes16 {
        var message: [UInt8] = [2]
        message.append(generation, byteCount: 8)
        message.append(log)
        return try keys.chainTag(of: message.span, owner: owner)
    }
}
