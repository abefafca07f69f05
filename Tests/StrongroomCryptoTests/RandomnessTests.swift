import Testing

@testable import StrongroomCrypto

struct RandomnessTests {
    @Test("random bytes are as many as asked for", arguments: [0, 1, 16, 24, 65_537])
    func count(byteCount: Int) throws {
        #expect(try Randomness.bytes(byteCount).count == byteCount)
    }

    @Test("a negative count is refused", arguments: [-1, Int.min])
    func negative(byteCount: Int) {
        #expect(throws: CryptoError.wrongLength(what: "randomness", byteCount: byteCount)) {
            _ = try Randomness.bytes(byteCount)
        }
    }

    @Test func `no two draws of 16 bytes are the same, and every place varies`() throws {
        var draws: Set<[UInt8]> = []
        for _ in 0..<2_000 { draws.insert(try Randomness.bytes(16)) }
        #expect(draws.count == 2_000)
        for place in 0..<16 {
            #expect(Set(draws.map { $0[place] }).count > 200)
        }
    }
}
