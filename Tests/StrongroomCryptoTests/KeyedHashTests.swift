import Testing

@testable import StrongroomCrypto

struct KeyedHashTests {
    /// The hash in one call, and fed in pieces; both must be the same.
    private func hash(_ message: [UInt8], key: [UInt8], byteCount: Int) throws -> [UInt8] {
        let hash = try KeyedHash.hash(message.span, key: key.span, byteCount: byteCount)
        for pieceByteCount in [1, 7, 128, 129] {
            var pieces = try KeyedHash(key: key.span, byteCount: byteCount)
            var rest = message[...]
            while !rest.isEmpty {
                let piece = Array(rest.prefix(pieceByteCount))
                pieces.update(piece.span)
                rest = rest.dropFirst(pieceByteCount)
            }
            #expect(pieces.finish() == hash)
        }
        var placed = [UInt8](repeating: 0x5A, count: byteCount)
        var span = placed.mutableSpan
        try KeyedHash.hash(message.span, key: key.span, into: &span)
        #expect(placed == hash)
        return hash
    }

    @Test(
        "a vector of the reference implementation is met, and by no other key or message",
        arguments: try Vector.load("blake2b-kat", valid: true))
    func reference(vector: Vector) throws {
        let key = try vector.counting("key")
        let message = try vector.counting("message")
        let expected = try vector.bytes("hash")
        #expect(try hash(message, key: key, byteCount: 64) == expected)
        for index in [0, 31, 63] {
            var other = key
            other[index] ^= 0x80
            #expect(try KeyedHash.hash(message.span, key: other.span, byteCount: 64) != expected)
        }
        let longer = message + [0]
        #expect(try KeyedHash.hash(longer.span, key: key.span, byteCount: 64) != expected)
        let shorterKey = Array(key.dropLast())
        #expect(try KeyedHash.hash(message.span, key: shorterKey.span, byteCount: 64) != expected)
        let shorter = try KeyedHash.hash(message.span, key: key.span, byteCount: 63)
        #expect(shorter != Array(expected.dropLast()))
    }

    @Test(
        "a vector of any length of key and hash is met",
        arguments: try Vector.load("blake2b-lengths", valid: true))
    func lengths(vector: Vector) throws {
        let key = try vector.counting("key")
        let once = try vector.counting("message")
        let expected = try vector.bytes("hash")
        var message: [UInt8] = []
        for _ in 0..<(try vector.number("times") as Int) { message += once }
        #expect(try hash(message, key: key, byteCount: expected.count) == expected)
    }

    @Test(
        "a key below 16 bytes is refused where libsodium takes it",
        arguments: try Vector.load("blake2b-lengths", valid: false))
    func shortKeys(vector: Vector) throws {
        let key = try vector.counting("key")
        let message = try vector.counting("message")
        let refusal = CryptoError.wrongLength(what: "hash key", byteCount: key.count)
        for byteCount in [try vector.bytes("hash").count, 32] {
            #expect(throws: refusal) {
                _ = try KeyedHash.hash(message.span, key: key.span, byteCount: byteCount)
            }
        }
    }

    @Test(
        "only 16 to 64 bytes are a hash key",
        arguments: Array(0...15) + [65, 66, 128, 1_024])
    func refusedKeys(byteCount: Int) {
        let key = [UInt8](repeating: 7, count: byteCount)
        let message: [UInt8] = [1, 2, 3]
        var placed = [UInt8](repeating: 0x5A, count: 32)
        let refusal = CryptoError.wrongLength(what: "hash key", byteCount: byteCount)
        #expect(throws: refusal) { _ = try KeyedHash(key: key.span, byteCount: 32) }
        #expect(throws: refusal) {
            _ = try KeyedHash.hash(message.span, key: key.span, byteCount: 32)
        }
        #expect(throws: refusal) {
            var span = placed.mutableSpan
            try KeyedHash.hash(message.span, key: key.span, into: &span)
        }
        #expect(placed == [UInt8](repeating: 0x5A, count: 32))
    }

    @Test(
        "only 16 to 64 bytes are a hash",
        arguments: [Int.min, -1] + Array(0...15) + [65, 66, 1 << 40, Int.max])
    func refusedHashes(byteCount: Int) {
        let key = [UInt8](repeating: 7, count: 32)
        let message: [UInt8] = [1, 2, 3]
        let refusal = CryptoError.wrongLength(what: "hash", byteCount: byteCount)
        #expect(throws: refusal) { _ = try KeyedHash(key: key.span, byteCount: byteCount) }
        #expect(throws: refusal) {
            _ = try KeyedHash.hash(message.span, key: key.span, byteCount: byteCount)
        }
        guard (0...66).contains(byteCount) else { return }
        #expect(throws: refusal) {
            var placed = [UInt8](repeating: 0, count: byteCount)
            var span = placed.mutableSpan
            try KeyedHash.hash(message.span, key: key.span, into: &span)
        }
    }

    @Test func `nothing at all has a hash, fed or not`() throws {
        let key = [UInt8](repeating: 7, count: 32)
        let nothing: [UInt8] = []
        let hash = try KeyedHash.hash(nothing.span, key: key.span, byteCount: 32)
        let unfed = try KeyedHash(key: key.span, byteCount: 32)
        #expect(unfed.finish() == hash)
        var fed = try KeyedHash(key: key.span, byteCount: 32)
        fed.update(nothing.span)
        #expect(fed.finish() == hash)
        #expect(hash != [UInt8](repeating: 0, count: 32))
    }
}
