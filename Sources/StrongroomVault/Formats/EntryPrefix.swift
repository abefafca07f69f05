import StrongroomCrypto

/// The clear prefix of a sealed entry, 30 bytes.
///
/// Integers are little-endian:
///
/// | offset | size | what |
/// |---|---|---|
/// | 0 | 4 | `SRE1` |
/// | 4 | 8 | id of the data key |
/// | 12 | 16 | N, random for every sealing |
/// | 28 | 2 | sealed byte count of box 0, 80 to 8,192: 16 more than a multiple of 64 |
struct EntryPrefix {
    static let byteCount = 30
    static let magic: [UInt8] = [0x53, 0x52, 0x45, 0x31]
    static let noncePrefixByteCount = 16
    static let headerBoxByteCounts = 80...8192

    /// What is wrong with bytes that are no prefix.
    enum Fault: Error {
        case damaged
        case newerFormat
    }

    // In no heap memory: every get parses one.
    private let bytes: InlineArray<24, UInt8>
    let headerBoxByteCount: Int

    /// A prefix of the data key's id, 8 bytes, and N, 16.
    init(dataKeyID: [UInt8], noncePrefix: [UInt8], headerBoxByteCount: Int) {
        bytes = InlineArray { $0 < 8 ? dataKeyID[$0] : noncePrefix[$0 - 8] }
        self.headerBoxByteCount = headerBoxByteCount
    }

    /// The id of the data key, 8 bytes.
    var dataKeyID: [UInt8] { [UInt8](copying: bytes.span.extracting(0..<8)) }

    /// N, 16 bytes.
    var noncePrefix: Span<UInt8> {
        @_lifetime(borrow self) get { bytes.span.extracting(8..<24) }
    }

    /// True if it names that data key.
    func names(_ dataKey: DataKey) -> Bool { bytes.span.extracting(0..<8).equals(dataKey.id) }

    /// From the first bytes of a sealed entry; what comes after the prefix is not looked at.
    init(parsing sealed: Span<UInt8>) throws(Fault) {
        guard sealed.count >= 4, sealed[0] == 0x53, sealed[1] == 0x52, sealed[2] == 0x45 else {
            throw .damaged
        }
        guard sealed[3] == 0x31 else {
            throw FormatVersion.isNewer(sealed[3]) ? .newerFormat : .damaged
        }
        guard sealed.count >= Self.byteCount else { throw .damaged }
        let headerBox = Int(UInt16(littleEndian: sealed.extracting(28..<30)))
        guard Self.headerBoxByteCounts.contains(headerBox),
            headerBox % EntryHeader.unit == SecretBox.overhead
        else { throw .damaged }
        bytes = InlineArray { sealed[4 + $0] }
        headerBoxByteCount = headerBox
    }

    /// True if `front` is the front of a sealed entry and goes as far as its header.
    static func hasHeader(in front: Span<UInt8>) -> Bool {
        do {
            return try EntryPrefix(parsing: front).bodyOffset <= front.count
        } catch {
            return false
        }
    }

    /// Where box 0 ends and box 1 starts.
    var bodyOffset: Int { Self.byteCount + headerBoxByteCount }

    /// Writes the prefix into the first 30 of `bytes`.
    func write(into bytes: inout MutableSpan<UInt8>) {
        let count = UInt16(headerBoxByteCount)
        for index in 0..<4 { bytes[index] = Self.magic[index] }
        for index in self.bytes.indices { bytes[4 + index] = self.bytes[index] }
        bytes[28] = UInt8(truncatingIfNeeded: count)
        bytes[29] = UInt8(truncatingIfNeeded: count >> 8)
    }
}
