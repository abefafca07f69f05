import Testing

@testable import StrongroomVault

struct EntryPaddingTests {
    @Test("P of every byte count is that of the independent table")
    func table() throws {
        let vectors = try Fixture.vectors("padded")
        #expect(vectors.count > 1500)
        for vector in vectors {
            let count = try #require(UInt64(vector[0]))
            let padded = try #require(UInt64(vector[1]))
            #expect(EntryPadding.paddedByteCount(of: count) == padded, "\(count) bytes")
        }
    }

    @Test("Padmé rounds up by at most 12 %, and twice is once")
    func bounds() {
        var random = Seeded(1)
        for _ in 0..<10_000 {
            let length = max(8, random.next() >> UInt64.random(in: 4...60, using: &random))
            let padded = EntryPadding.padme(length)
            #expect(padded >= length)
            #expect(padded - length <= length / 8 + length / 128)
            #expect(EntryPadding.padme(padded) == padded)
        }
    }

    @Test("a value over 2^60 bytes has no P", arguments: [1 << 60 + 1, 1 << 61, 1 << 63, .max])
    func limit(count: UInt64) {
        #expect(EntryPadding.paddedByteCount(of: 1 << 60) != nil)
        #expect(EntryPadding.paddedByteCount(of: count) == nil)
    }
}
