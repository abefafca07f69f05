import Testing

@testable import StrongroomCrypto

/// Lengths below, at and above the slots of a region, and the longest.
private let byteCounts = [0, 1, 31, 32, 63, 64, 65, 127, 128, 129, 1_000, 16_383, 16_384]

struct SecretKeyTests {
    @Test("a key holds the bytes it was made of", arguments: byteCounts)
    func copying(byteCount: Int) throws {
        let bytes = try Randomness.bytes(byteCount)
        let copied = try SecretKey(copying: bytes.span)
        #expect(copied.byteCount == byteCount)
        #expect(Array(copied) == bytes)
        let filled = try SecretKey(byteCount: byteCount) { target in
            for index in bytes.indices { target[index] = bytes[index] }
        }
        #expect(Array(filled) == bytes)
        #expect(equalInConstantTime(copied, filled))
    }

    @Test("a key that nobody fills is all zeros", arguments: byteCounts)
    func zeros(byteCount: Int) throws {
        let key = try SecretKey(byteCount: byteCount) { target in
            #expect(target.count == byteCount)
        }
        #expect(Array(key) == [UInt8](repeating: 0, count: byteCount))
    }

    @Test("random keys differ", arguments: byteCounts.filter { $0 >= 31 })
    func random(byteCount: Int) throws {
        var seen: Set<[UInt8]> = []
        for _ in 0..<50 { seen.insert(Array(try SecretKey(randomByteCount: byteCount))) }
        #expect(seen.count == 50)
    }

    @Test(
        "more than 16 KiB, or less than nothing, is no key",
        arguments: [16_385, 1 << 20, Int.max, Int.max - 62, -1, -64, Int.min])
    func refused(byteCount: Int) {
        let refusal = CryptoError.wrongLength(what: "secret", byteCount: byteCount)
        #expect(throws: refusal) { _ = try SecretKey(randomByteCount: byteCount) }
        #expect(throws: refusal) {
            _ = try SecretKey(byteCount: byteCount) { _ in
                Issue.record("there is nothing to fill")
            }
        }
    }

    @Test func `more than 16 KiB cannot be copied`() {
        let bytes = [UInt8](repeating: 1, count: 16_385)
        #expect(throws: CryptoError.wrongLength(what: "secret", byteCount: 16_385)) {
            _ = try SecretKey(copying: bytes.span)
        }
    }

    @Test func `what the filling throws comes out`() {
        struct Failure: Error {}
        #expect(throws: Failure.self) {
            _ = try SecretKey(byteCount: 32) { _ in throw Failure() }
        }
    }

    private func equalInConstantTime(_ left: SecretKey, _ right: SecretKey) -> Bool {
        StrongroomCrypto.equalInConstantTime(left.bytes, right.bytes)
    }
}

extension Array<UInt8> {
    /// A plain copy of a key's bytes, for comparison in tests.
    init(_ key: SecretKey) {
        self = (0..<key.byteCount).map { key.bytes[$0] }
    }
}
