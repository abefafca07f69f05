/// The nonces of one sealing: box *i* of a sealed entry has the nonce N ‖ *i*.
///
/// N is 16 random bytes, *i* a little-endian `u64` whose top bit is set in the last box.
///
/// It lives in no heap memory, since every box that is opened needs one.
struct BoxNonce: Sendable {
    /// Bytes of N.
    static let prefixByteCount = 16
    /// The highest number that a box can have; the bit above it marks the last box.
    static let highestIndex = UInt64.max >> 1

    private var bytes: InlineArray<24, UInt8>

    /// The nonces that begin with `prefix`, N.
    init(prefix: Span<UInt8>) throws(CryptoError) {
        guard prefix.count == Self.prefixByteCount else {
            throw .wrongLength(what: "nonce prefix", byteCount: prefix.count)
        }
        bytes = InlineArray { $0 < Self.prefixByteCount ? prefix[$0] : 0 }
    }

    /// This nonce for box `index`, at most `highestIndex`.
    func numbered(_ index: UInt64, isLast: Bool) -> BoxNonce {
        var nonce = self
        let number = isLast ? index | ~Self.highestIndex : index
        for place in 0..<8 {
            nonce.bytes[Self.prefixByteCount + place] = UInt8(
                truncatingIfNeeded: number >> (place * 8))
        }
        return nonce
    }

    /// The 24 bytes.
    var span: Span<UInt8> {
        @_lifetime(borrow self) get { bytes.span }
    }
}
