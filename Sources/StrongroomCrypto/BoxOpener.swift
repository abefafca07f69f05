/// Opens the boxes of a sealed entry, in any order.
package struct BoxOpener: Sendable {
    private let nonce: BoxNonce

    /// An opener for the N that stands in the sealed entry, 16 bytes.
    package init(noncePrefix: [UInt8]) throws(CryptoError) {
        try self.init(noncePrefix: noncePrefix.span)
    }

    /// The same, of N where it lies.
    package init(noncePrefix: Span<UInt8>) throws(CryptoError) {
        nonce = try BoxNonce(prefix: noncePrefix)
    }

    /// Opens box `index` into `plain`, 16 bytes shorter.
    ///
    /// Throws `.cannotOpen` for another key, number, place or end than it was sealed with, and for
    /// altered bytes; `plain` is then as it was.
    package func open(
        _ box: Span<UInt8>, index: UInt64, isLast: Bool, key: Span<UInt8>,
        into plain: inout MutableSpan<UInt8>
    ) throws(CryptoError) {
        // A number that reaches the top bit would pass for a lower one, marked last.
        guard index <= BoxNonce.highestIndex else { throw .cannotOpen }
        try SecretBox.open(
            box, nonce: nonce.numbered(index, isLast: isLast).span, key: key, into: &plain)
    }
}
