import StrongroomCrypto

/// Where the value boxes 1 to n of a sealed entry lie.
///
/// They hold P bytes in pieces of 65,536, each box 16 bytes longer than its piece, so P and n
/// follow from the length alone.
struct EntryLayout {
    static let pieceByteCount = 65_536
    private static let boxByteCount = UInt64(pieceByteCount + SecretBox.overhead)

    /// P: the value, zeros, and its byte count.
    let paddedByteCount: UInt64
    /// n, at least 1.
    let boxCount: UInt64
    /// Where box 1 starts.
    let bodyOffset: UInt64

    /// The layout of a value to be sealed; nil over the limit.
    init?(valueByteCount: UInt64, bodyOffset: Int) {
        guard let padded = EntryPadding.paddedByteCount(of: valueByteCount) else { return nil }
        paddedByteCount = padded
        boxCount = (padded - 1) / UInt64(Self.pieceByteCount) + 1
        self.bodyOffset = UInt64(bodyOffset)
    }

    /// The layout of sealed bytes; nil if no value gives that length.
    init?(sealedByteCount: UInt64, bodyOffset: Int) {
        guard sealedByteCount <= Int64.max, sealedByteCount > bodyOffset else { return nil }
        let body = sealedByteCount - UInt64(bodyOffset)
        let boxes = (body - 1) / Self.boxByteCount + 1
        let overhead = boxes * UInt64(SecretBox.overhead)
        // Each P is a multiple of 8 that leaves at least 64 bytes for the last piece.
        guard body >= overhead + (boxes - 1) * UInt64(Self.pieceByteCount) + 64 else { return nil }
        paddedByteCount = body - overhead
        boxCount = boxes
        self.bodyOffset = UInt64(bodyOffset)
    }

    /// Bytes of the whole sealed entry.
    var sealedByteCount: UInt64 {
        bodyOffset + paddedByteCount + boxCount * UInt64(SecretBox.overhead)
    }

    /// Where box `index` starts, 1 to n.
    func boxOffset(_ index: UInt64) -> UInt64 {
        bodyOffset + (index - 1) * Self.boxByteCount
    }

    /// Where the piece in box `index` starts among the P bytes.
    func pieceOffset(_ index: UInt64) -> UInt64 {
        (index - 1) * UInt64(Self.pieceByteCount)
    }

    /// Bytes of the piece in box `index`.
    func pieceByteCount(_ index: UInt64) -> Int {
        Int(min(UInt64(Self.pieceByteCount), paddedByteCount - pieceOffset(index)))
    }

    /// The value's byte count from the piece in the last box, whose last 8 bytes it is; nil if P is not that
    /// of such a value.
    func valueByteCount(lastPiece: Span<UInt8>) -> UInt64? {
        let trailer = lastPiece.extracting(last: Int(EntryPadding.trailerByteCount))
        let count = UInt64(littleEndian: trailer)
        return EntryPadding.paddedByteCount(of: count) == paddedByteCount ? count : nil
    }

    /// How many bytes of the piece in box `index` belong to a value of that many bytes.
    func valueByteCount(inPiece index: UInt64, of valueByteCount: UInt64) -> Int {
        let start = pieceOffset(index)
        guard valueByteCount > start else { return 0 }
        return Int(min(valueByteCount - start, UInt64(pieceByteCount(index))))
    }

    /// True if the piece in box `index` is as it is written for a value of that many bytes: what follows the
    /// value is zeros and, in the last, the byte count.
    func isCanonical(_ piece: Span<UInt8>, index: UInt64, of valueByteCount: UInt64) -> Bool {
        var end = piece.count
        if index == boxCount {
            guard self.valueByteCount(lastPiece: piece) == valueByteCount else { return false }
            end -= Int(EntryPadding.trailerByteCount)
        }
        let start = self.valueByteCount(inPiece: index, of: valueByteCount)
        return start <= end && piece.extracting(start..<end).isZero
    }
}
