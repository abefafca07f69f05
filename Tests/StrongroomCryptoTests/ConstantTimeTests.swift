import Testing

@testable import StrongroomCrypto

struct ConstantTimeTests {
    private func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        equalInConstantTime(left.span, right.span)
    }

    @Test(
        "bytes are equal when length and contents are",
        arguments: [
            ("nothing and nothing", [], [], true), ("one byte", [7], [7], true),
            ("some bytes", [1, 2, 3], [1, 2, 3], true),
            ("nothing and something", [], [0], false), ("something and nothing", [0], [], false),
            ("a prefix", [1, 2], [1, 2, 3], false), ("a longer one", [1, 2, 3], [1, 2], false),
            ("zeros behind", [1, 2], [1, 2, 0], false), ("first differs", [9, 2], [1, 2], false),
            ("last differs", [1, 2], [1, 9], false), ("turned around", [1, 2], [2, 1], false),
        ] as [(String, [UInt8], [UInt8], Bool)])
    func table(name: String, left: [UInt8], right: [UInt8], expected: Bool) {
        #expect(areEqual(left, right) == expected)
        #expect(areEqual(right, left) == expected)
    }

    @Test func `any one bit of 64 bytes makes them differ`() throws {
        let bytes = try Randomness.bytes(64)
        #expect(areEqual(bytes, bytes + []))
        for bit in 0..<512 {
            var other = bytes
            other[bit / 8] ^= 1 << (bit % 8)
            #expect(!areEqual(bytes, other), "bit \(bit)")
        }
    }
}
