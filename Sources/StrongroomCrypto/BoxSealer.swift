/// Seals the boxes of one entry, once.
///
/// N is drawn here and dies with it, so that no caller can seal
/// twice under one nonce: a retry makes a new sealer.
package struct BoxSealer: ~Copyable {
    /// N, the 16 random bytes that stand in the sealed entry.
    package let noncePrefix: [UInt8]
    private let nonce: BoxNonce
    private var nextIndex: UInt64 = 1
    private var headerIsSealed = false
    private var lastIsSealed = false

    /// A sealer with a fresh N.
    package init() throws(CryptoError) {
        try self.init(prefix: try Randomness.bytes(BoxNonce.prefixByteCount))
    }

    /// A sealer with a fresh N that was drawn with others.
    package init(_ nonces: inout BoxNonces) throws(CryptoError) {
        try self.init(prefix: try nonces.take())
    }

    private init(prefix: [UInt8]) throws(CryptoError) {
        let nonce = try BoxNonce(prefix: prefix.span)
        noncePrefix = prefix
        self.nonce = nonce
    }

    /// Seals box 0 into `box`, 16 bytes longer than `plain`.
    ///
    /// It may come last, when the value's length is known, but only once.
    /// After any throw the sealer seals nothing more: `.sealingFinished`.
    package mutating func sealHeader(
        _ plain: Span<UInt8>, key: Span<UInt8>, into box: inout MutableSpan<UInt8>
    ) throws(CryptoError) {
        guard !headerIsSealed else { throw finished() }
        headerIsSealed = true
        try seal(plain, index: 0, isLast: false, key: key, into: &box)
    }

    /// Seals the next box, from 1 on, into `box`, 16 bytes longer than `plain`; after the last one
    /// there is no next.
    ///
    /// After any throw the sealer seals nothing more: `.sealingFinished`.
    package mutating func sealNext(
        _ plain: Span<UInt8>, isLast: Bool, key: Span<UInt8>, into box: inout MutableSpan<UInt8>
    ) throws(CryptoError) {
        guard !lastIsSealed, nextIndex <= BoxNonce.highestIndex else { throw finished() }
        let index = nextIndex
        nextIndex += 1
        lastIsSealed = isLast
        try seal(plain, index: index, isLast: isLast, key: key, into: &box)
    }

    private mutating func seal(
        _ plain: Span<UInt8>, index: UInt64, isLast: Bool, key: Span<UInt8>,
        into box: inout MutableSpan<UInt8>
    ) throws(CryptoError) {
        do throws(CryptoError) {
            try SecretBox.seal(
                plain, nonce: nonce.numbered(index, isLast: isLast).span, key: key, into: &box)
        } catch {
            // An entry with a box missing must not be finished as if it were whole.
            _ = finished()
            throw error
        }
    }

    private mutating func finished() -> CryptoError {
        headerIsSealed = true
        lastIsSealed = true
        return .sealingFinished
    }
}
