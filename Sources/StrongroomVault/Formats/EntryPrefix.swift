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

    let dataKeyID: [UInt8]
    let noncePrefix: [UInt8]
    let headerBoxByteCount: Int

    init(dataKeyID: [UInt8], noncePrefix: [UInt8], headerBoxByteCount: Int) {
        self.dataKeyID = dataKeyID
        self.noncePrefix = noncePrefix
        self.headerBoxByteCount = headerBoxByteCount
    }

    /// From the first bytes of a sealed entry; what comes after the prefix is not looked at.
    init(parsing sealed: Span<UInt8>) throws(Fault) {
        guard sealed.count >= 4, sealed.extracting(0..<3).equals([0x53, 0x52, 0x45]) else {
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
        self.init(
            dataKeyID: [UInt8](copying: sealed.extracting(4..<12)),
            noncePrefix: [UInt8](copying: sealed.extracting(12..<28)),
            headerBoxByteCount: headerBox)
    }

    /// Where box 0 ends and box 1 starts.
    var bodyOffset: Int { Self.byteCount + headerBoxByteCount }

    /// Writes the prefix into the first 30 of `bytes`.
    func write(into bytes: inout MutableSpan<UInt8>) {
        let count = UInt16(headerBoxByteCount)
        let all =
            Self.magic + dataKeyID + noncePrefix
            + [UInt8(truncatingIfNeeded: count), UInt8(truncatingIfNeeded: count >> 8)]
        for index in all.indices { bytes[index] = all[index] }
    }
}
