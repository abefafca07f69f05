import Strongroom
import StrongroomCrypto
import StrongroomStores
import StrongroomVault

/// Compares two values of any size without keeping either, in a time that does not tell where they differ.
enum ValueComparison {
    /// True if both are the same bytes.
    static func areEqual(
        _ left: any EntryPieces, _ right: any EntryPieces, _ interruption: Interruption
    ) throws(Failure) -> Bool {
        guard left.byteCount == right.byteCount else { return false }
        var leftPieces = PieceCursor(left)
        var rightPieces = PieceCursor(right)
        var areEqual = true
        while true {
            try interruption.check()
            let count = min(try leftPieces.available(), try rightPieces.available())
            if count == 0 { return areEqual }
            if !leftPieces.agrees(with: rightPieces, count) { areEqual = false }
            leftPieces.drop(count)
            rightPieces.drop(count)
        }
    }
}

/// The pieces of a value as one run of bytes, so that two values can be compared whose pieces end in different places.
private struct PieceCursor {
    private let pieces: any EntryPieces
    private var piece: SecretBytes?
    private var offset = 0

    init(_ pieces: any EntryPieces) { self.pieces = pieces }

    /// How many bytes are at hand; 0 at the end.
    mutating func available() throws(Failure) -> Int {
        while true {
            if let piece, offset < piece.buffer.byteCount {
                return piece.buffer.byteCount - offset
            }
            guard let next = try pieces.next() else { return 0 }
            piece = next
            offset = 0
        }
    }

    /// True if the next `count` bytes at hand are the same in both.
    func agrees(with other: PieceCursor, _ count: Int) -> Bool {
        guard let piece, let otherPiece = other.piece else { return false }
        return piece.withBytes { left in
            otherPiece.withBytes { right in
                equalInConstantTime(
                    left.extracting(offset..<offset + count),
                    right.extracting(other.offset..<other.offset + count))
            }
        }
    }

    mutating func drop(_ count: Int) { offset += count }
}
