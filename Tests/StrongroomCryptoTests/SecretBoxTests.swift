import Testing

@testable import StrongroomCrypto

struct SecretBoxTests {
    @Test(
        "a valid vector seals and opens as published",
        arguments: try Vector.load("secretbox", valid: true))
    func valid(vector: Vector) throws {
        let key = try vector.bytes("key")
        let nonce = try vector.bytes("nonce")
        let message = try vector.bytes("message")
        let box = try vector.bytes("box")
        var sealed = [UInt8](repeating: 0, count: box.count)
        var sealedSpan = sealed.mutableSpan
        try SecretBox.seal(message.span, nonce: nonce.span, key: key.span, into: &sealedSpan)
        #expect(sealed == box)
        let joined = nonce + box
        let opened = try SecretBox.open(joined.span, key: key.span)
        #expect(opened.copyToArray() == message)
    }

    @Test(
        "an invalid vector does not open and leaves no byte",
        arguments: try Vector.load("secretbox", valid: false))
    func invalid(vector: Vector) throws {
        let key = try vector.bytes("key")
        let nonce = try vector.bytes("nonce")
        let box = try vector.bytes("box")
        var plain = [UInt8](repeating: 0x5A, count: max(0, box.count - SecretBox.overhead))
        let before = plain
        #expect(throws: CryptoError.self) {
            var span = plain.mutableSpan
            try SecretBox.open(box.span, nonce: nonce.span, key: key.span, into: &span)
        }
        #expect(plain == before)
        let joined = nonce + box
        #expect(throws: CryptoError.self) {
            _ = try SecretBox.open(joined.span, key: key.span)
        }
    }

    @Test(
        "what was sealed opens to the same bytes",
        arguments: [0, 1, 15, 16, 17, 31, 32, 33, 63, 64, 65, 1_024, 65_536, 1_000_003])
    func roundTrip(byteCount: Int) throws {
        let key = try SecretKey(randomByteCount: 32)
        let message = try Randomness.bytes(byteCount)
        let sealed = try SecretBox.seal(message.span, key: key.bytes)
        #expect(sealed.count == 24 + 16 + byteCount)
        let opened = try SecretBox.open(sealed.span, key: key.bytes)
        #expect(opened.byteCount == byteCount)
        #expect(opened.copyToArray() == message)
    }

    @Test func `every sealing takes a fresh nonce`() throws {
        let key = try SecretKey(randomByteCount: 32)
        let message: [UInt8] = []
        var nonces: Set<[UInt8]> = []
        for _ in 0..<1_000 {
            nonces.insert(Array(try SecretBox.seal(message.span, key: key.bytes).prefix(24)))
        }
        #expect(nonces.count == 1_000)
    }

    @Test(
        "no byte of a sealed message can be changed, in any bit",
        arguments: [("of 33 bytes", 33), ("that is empty", 0)])
    func flips(message: String, byteCount: Int) throws {
        let key = try SecretKey(randomByteCount: 32)
        let plain = try Randomness.bytes(byteCount)
        let sealed = try SecretBox.seal(plain.span, key: key.bytes)
        for index in sealed.indices {
            for bit in 0..<8 {
                var altered = sealed
                altered[index] ^= 1 << bit
                let error = #expect(throws: CryptoError.self) {
                    _ = try SecretBox.open(altered.span, key: key.bytes)
                }
                #expect(error == .cannotOpen, "byte \(index), bit \(bit)")
            }
        }
    }

    @Test func `a message cut at any length does not open`() throws {
        let key = try SecretKey(randomByteCount: 32)
        let plain = try Randomness.bytes(33)
        let sealed = try SecretBox.seal(plain.span, key: key.bytes)
        for count in sealed.indices {
            let error = #expect(throws: CryptoError.self) {
                _ = try SecretBox.open(sealed.span.extracting(first: count), key: key.bytes)
            }
            let expected: CryptoError =
                count < 40 ? .wrongLength(what: "box", byteCount: count) : .cannotOpen
            #expect(error == expected, "cut at \(count)")
        }
    }

    @Test func `another key opens nothing`() throws {
        let key = try SecretKey(randomByteCount: 32)
        let plain = Array("value".utf8)
        let sealed = try SecretBox.seal(plain.span, key: key.bytes)
        for _ in 0..<100 {
            let other = try SecretKey(randomByteCount: 32)
            #expect(throws: CryptoError.cannotOpen) {
                _ = try SecretBox.open(sealed.span, key: other.bytes)
            }
        }
    }

    @Test func `only a key of 32 bytes is a key`() throws {
        let plain: [UInt8] = [1]
        let sealed = [UInt8](repeating: 0, count: 40)
        for count in 0...64 where count != 32 {
            let key = try SecretKey(randomByteCount: count)
            let refusal = CryptoError.wrongLength(what: "box key", byteCount: count)
            #expect(throws: refusal) { _ = try SecretBox.seal(plain.span, key: key.bytes) }
            #expect(throws: refusal) { _ = try SecretBox.open(sealed.span, key: key.bytes) }
        }
    }

    @Test func `only a nonce of 24 bytes is a nonce`() throws {
        let key = try SecretKey(randomByteCount: 32)
        let plain: [UInt8] = [1]
        for count in 0...48 where count != 24 {
            let nonce = [UInt8](repeating: 0, count: count)
            let refusal = CryptoError.wrongLength(what: "nonce", byteCount: count)
            var box = [UInt8](repeating: 0x5A, count: 17)
            #expect(throws: refusal) {
                var span = box.mutableSpan
                try SecretBox.seal(plain.span, nonce: nonce.span, key: key.bytes, into: &span)
            }
            #expect(box == [UInt8](repeating: 0x5A, count: 17))
            #expect(throws: refusal) {
                var opened: [UInt8] = [0]
                var span = opened.mutableSpan
                try SecretBox.open(box.span, nonce: nonce.span, key: key.bytes, into: &span)
            }
        }
    }

    @Test func `a box that is not 16 bytes longer than its contents is refused unwritten`() throws {
        let key = try SecretKey(randomByteCount: 32)
        let nonce = try Randomness.bytes(24)
        let plain: [UInt8] = [1, 2, 3, 4, 5]
        for count in 0...40 where count != 21 {
            var box = [UInt8](repeating: 0x5A, count: count)
            let refusal = CryptoError.wrongLength(what: "box", byteCount: count)
            #expect(throws: refusal) {
                var span = box.mutableSpan
                try SecretBox.seal(
                    plain.span, nonce: nonce.span, key: key.bytes, into: &span)
            }
            #expect(box == [UInt8](repeating: 0x5A, count: count))
            #expect(throws: refusal) {
                var opened = [UInt8](repeating: 0, count: 5)
                var span = opened.mutableSpan
                try SecretBox.open(box.span, nonce: nonce.span, key: key.bytes, into: &span)
            }
        }
    }
}
