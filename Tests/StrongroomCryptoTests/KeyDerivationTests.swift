import Testing

@testable import StrongroomCrypto

struct KeyDerivationTests {
    /// The subkey that a vector asks for.
    private func subkey(_ vector: Vector) throws -> [UInt8] {
        let key = try vector.bytes("key")
        let subkey = try KeyDerivation.subkey(
            vector.number("number"), byteCount: vector.number("length"),
            context: vector.text("context"), of: key.span)
        #expect(subkey.byteCount == (try vector.number("length")))
        return (0..<subkey.byteCount).map { subkey.bytes[$0] }
    }

    @Test("a valid vector is met", arguments: try Vector.load("kdf", valid: true))
    func valid(vector: Vector) throws {
        #expect(try subkey(vector) == vector.bytes("subkey"))
    }

    @Test(
        "an invalid vector is refused or met by another subkey",
        arguments: try Vector.load("kdf", valid: false))
    func invalid(vector: Vector) throws {
        let answer: [UInt8]
        do {
            answer = try subkey(vector)
        } catch is CryptoError {
            return
        }
        #expect(try answer.prefix(32) != vector.bytes("subkey").prefix(32))
    }

    @Test(
        "only 16 to 64 bytes are a subkey",
        arguments: [Int.min, -1] + Array(0...15) + [65, 66, 16_384, 16_385, Int.max])
    func refusedLengths(byteCount: Int) {
        let key = [UInt8](repeating: 7, count: 32)
        #expect(throws: CryptoError.wrongLength(what: "subkey", byteCount: byteCount)) {
            _ = try KeyDerivation.subkey(
                1, byteCount: byteCount, context: "SRdata_1", of: key.span)
        }
    }

    @Test("only 32 bytes have subkeys", arguments: Array(0...31) + [33, 64])
    func refusedKeys(byteCount: Int) {
        let key = [UInt8](repeating: 7, count: byteCount)
        let refusal = CryptoError.wrongLength(what: "key to derive from", byteCount: byteCount)
        #expect(throws: refusal) {
            _ = try KeyDerivation.subkey(1, context: "SRdata_1", of: key.span)
        }
    }

    @Test("only 8 bytes are a context", arguments: ["", "SRdata_", "SRdata_10", "SRdatä_1", "🔑🔑🔑"])
    func refusedContexts(context: String) {
        let key = [UInt8](repeating: 7, count: 32)
        let refusal = CryptoError.wrongLength(
            what: "key derivation context", byteCount: context.utf8.count)
        #expect(throws: refusal) {
            _ = try KeyDerivation.subkey(1, context: context, of: key.span)
        }
    }

    @Test func `number, context and length each give a subkey of their own`() throws {
        let key = try SecretKey(randomByteCount: 32)
        var seen: Set<[UInt8]> = []
        for context in ["SRmastr1", "SRdata_1", "SRdata_2"] {
            for number in [0, 1, 2, 3, 4, 16, UInt64.max] {
                for byteCount in [16, 32, 64] {
                    let subkey = try KeyDerivation.subkey(
                        number, byteCount: byteCount, context: context, of: key.bytes)
                    seen.insert((0..<16).map { subkey.bytes[$0] })
                }
            }
        }
        #expect(seen.count == 3 * 7 * 3)
    }
}
