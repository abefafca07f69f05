import CSodium

/// libsodium's secretbox: XSalsa20 and Poly1305 (NaCl; `crypto_secretbox_easy`).
///
/// A box is 16 bytes longer than what it holds. Nonces are made in this module; no function takes
/// one from a caller to seal with.
package enum SecretBox {
    /// By how many bytes a box is longer than its contents.
    package static let overhead = 16
    /// Bytes of a nonce.
    package static let nonceByteCount = 24
    /// Bytes of a key.
    package static let keyByteCount = 32

    /// A box with a fresh random nonce: the nonce's 24 bytes, then the box.
    package static func seal(
        _ plain: Span<UInt8>, key: Span<UInt8>
    ) throws(CryptoError) -> [UInt8] {
        var sealed = [UInt8](repeating: 0, count: nonceByteCount + plain.count + overhead)
        var nonce = InlineArray<24, UInt8>(repeating: 0)
        var fresh = nonce.mutableSpan
        try Randomness.fill(&fresh)
        for index in nonce.indices { sealed[index] = nonce[index] }
        var span = sealed.mutableSpan
        var box = span._mutatingExtracting(nonceByteCount...)
        try seal(plain, nonce: nonce.span, key: key, into: &box)
        return sealed
    }

    /// Opens what `seal(_:key:)` made.
    ///
    /// Throws `.cannotOpen` for another key or altered bytes, `.wrongLength` below 40 bytes.
    package static func open(
        _ sealed: Span<UInt8>, key: Span<UInt8>
    ) throws(CryptoError) -> SecretBuffer {
        guard sealed.count >= nonceByteCount + overhead else {
            throw .wrongLength(what: "box", byteCount: sealed.count)
        }
        var plain = SecretBuffer(byteCount: sealed.count - nonceByteCount - overhead)
        var span = plain.mutableBytes
        try open(
            sealed.extracting(nonceByteCount...), nonce: sealed.extracting(0..<nonceByteCount),
            key: key, into: &span)
        return plain
    }

    /// Seals under a nonce that this module made; internal, so that no caller can choose one.
    static func seal(
        _ plain: Span<UInt8>, nonce: Span<UInt8>, key: Span<UInt8>,
        into box: inout MutableSpan<UInt8>
    ) throws(CryptoError) {
        try Sodium.requireReady()
        try check(nonce: nonce.count, key: key.count, box: box.count, plain: plain.count)
        let status = unsafe box.withUnsafeMutableBufferPointer { box in
            unsafe plain.withUnsafeBufferPointer { plain in
                unsafe nonce.withUnsafeBufferPointer { nonce in
                    unsafe key.withUnsafeBufferPointer { key in
                        var none: UInt8 = 0
                        guard let out = box.baseAddress, let nonce = nonce.baseAddress,
                            let key = key.baseAddress
                        else { return Int32(-1) }
                        guard let base = plain.baseAddress else {
                            return unsafe crypto_secretbox_easy(out, &none, 0, nonce, key)
                        }
                        return unsafe crypto_secretbox_easy(
                            out, base, UInt64(plain.count), nonce, key)
                    }
                }
            }
        }
        guard status == 0 else { throw .unavailable(operation: "crypto_secretbox_easy") }
    }

    /// Opens a box into `plain`, which stays as it was if the box does not open: libsodium verifies
    /// before it deciphers.
    static func open(
        _ box: Span<UInt8>, nonce: Span<UInt8>, key: Span<UInt8>,
        into plain: inout MutableSpan<UInt8>
    ) throws(CryptoError) {
        try Sodium.requireReady()
        try check(nonce: nonce.count, key: key.count, box: box.count, plain: plain.count)
        let status = unsafe plain.withUnsafeMutableBufferPointer { plain in
            unsafe box.withUnsafeBufferPointer { box in
                unsafe nonce.withUnsafeBufferPointer { nonce in
                    unsafe key.withUnsafeBufferPointer { key in
                        var none: UInt8 = 0
                        guard let box = box.baseAddress, let nonce = nonce.baseAddress,
                            let key = key.baseAddress
                        else { return Int32(-1) }
                        let count = UInt64(plain.count + overhead)
                        guard let out = plain.baseAddress else {
                            return unsafe crypto_secretbox_open_easy(&none, box, count, nonce, key)
                        }
                        return unsafe crypto_secretbox_open_easy(out, box, count, nonce, key)
                    }
                }
            }
        }
        guard status == 0 else { throw .cannotOpen }
    }

    private static func check(nonce: Int, key: Int, box: Int, plain: Int) throws(CryptoError) {
        guard nonce == nonceByteCount else { throw .wrongLength(what: "nonce", byteCount: nonce) }
        guard key == keyByteCount else { throw .wrongLength(what: "box key", byteCount: key) }
        guard box == plain + overhead else { throw .wrongLength(what: "box", byteCount: box) }
    }
}
