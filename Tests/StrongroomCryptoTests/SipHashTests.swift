import Testing

@testable import StrongroomCrypto

struct SipHashTests {
    /// The sum as its bytes, the lowest first, as vectors have it.
    private func sum(_ vector: Vector) throws -> [UInt8] {
        let message = try vector.bytes("message")
        let key = try vector.bytes("key")
        let sum = try SipHash.sum(message.span, key: key.span)
        return (0..<8).map { UInt8(truncatingIfNeeded: sum >> ($0 * 8)) }
    }

    @Test("a valid vector is met", arguments: try Vector.load("siphash", valid: true))
    func valid(vector: Vector) throws {
        #expect(try sum(vector) == vector.bytes("sum"))
    }

    @Test(
        "an invalid vector is refused or met by another sum",
        arguments: try Vector.load("siphash", valid: false))
    func invalid(vector: Vector) throws {
        let key = try vector.bytes("key")
        guard key.count == 16 else {
            let refusal = CryptoError.wrongLength(what: "SipHash key", byteCount: key.count)
            #expect(throws: refusal) { _ = try sum(vector) }
            return
        }
        #expect(try sum(vector) != vector.bytes("sum"))
    }

    @Test func `the sum of the paper's appendix is the number printed there`() throws {
        let key = [UInt8](0..<16)
        let message = [UInt8](0..<15)
        #expect(try SipHash.sum(message.span, key: key.span) == 0xa129_ca61_49be_45e5)
    }

    @Test func `nothing at all has a sum that depends on the key`() throws {
        let nothing: [UInt8] = []
        var sums: Set<UInt64> = []
        for byte in 0..<100 as Range<UInt8> {
            let key = [UInt8](repeating: byte, count: 16)
            sums.insert(try SipHash.sum(nothing.span, key: key.span))
        }
        #expect(sums.count == 100)
    }
}
