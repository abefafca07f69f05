import StrongroomCrypto

/// The version of a payload in a store without versions of its own: a hash of its bytes.
///
/// Up to 65,536 bytes it is their SipHash-2-4 under the 16 bytes `strongroom/store`. A longer payload is cut into
/// pieces of 65,536 bytes; its version is the SipHash of the pieces' sums, 8 bytes each, little-endian, in order. So
/// it can be told of a payload larger than memory. The key is no secret: the hash finds changes, not forgeries.
package enum ContentHash {
    /// Bytes in a piece.
    package static let pieceByteCount = 65_536

    /// The hash of the whole of `bytes` in one go, also the sum of the store's own small files.
    package static func sum(_ bytes: Span<UInt8>) throws(StoreError) -> UInt64 {
        let key = Array("strongroom/store".utf8)
        do {
            return try SipHash.sum(bytes, key: key.span)
        } catch {
            // Only a libsodium that does not start gets here.
            throw .system(operation: "hash", path: "libsodium", code: -1)
        }
    }

    /// The version of a payload in memory.
    package static func version(of bytes: [UInt8]) throws(StoreError) -> Version {
        let span = bytes.span
        if span.count <= pieceByteCount { return Version(number: try sum(span)) }
        var sums: [UInt8] = []
        var start = 0
        while start < span.count {
            let end = min(start + pieceByteCount, span.count)
            sums.appendLittleEndian(try sum(span.extracting(start..<end)))
            start = end
        }
        return Version(number: try sum(sums.span))
    }

    /// The version of a payload of `byteCount` bytes, read piece by piece.
    package static func version(
        byteCount: Int64, read: (_ offset: Int64, _ count: Int) throws(StoreError) -> [UInt8]
    ) throws(StoreError) -> Version {
        if byteCount <= Int64(pieceByteCount) {
            let bytes = try read(0, Int(byteCount))
            return Version(number: try sum(bytes.span))
        }
        var sums: [UInt8] = []
        var start: Int64 = 0
        while start < byteCount {
            let count = Int(min(Int64(pieceByteCount), byteCount - start))
            let piece = try read(start, count)
            sums.appendLittleEndian(try sum(piece.span))
            start += Int64(count)
        }
        return Version(number: try sum(sums.span))
    }
}
