import Testing

@testable import StrongroomCrypto

struct PasswordHashTests {
    private func derive(_ vector: Vector) throws -> [UInt8] {
        let passphrase = try vector.bytes("passphrase")
        let salt = try vector.bytes("salt")
        let key = try PasswordHash.derive(
            passphrase.span, salt: salt.span,
            cost: PasswordHash.Cost(
                passes: vector.number("passes"), memoryByteCount: vector.number("memory")),
            byteCount: vector.number("length"))
        #expect(key.byteCount == (try vector.number("length")))
        return (0..<key.byteCount).map { key.bytes[$0] }
    }

    @Test("a valid vector is met", arguments: try Vector.load("argon2id", valid: true))
    func valid(vector: Vector) throws {
        #expect(try derive(vector) == vector.bytes("hash"))
    }

    @Test(
        "an invalid vector is refused or met by another hash",
        arguments: try Vector.load("argon2id", valid: false))
    func invalid(vector: Vector) throws {
        let answer: [UInt8]
        do {
            answer = try derive(vector)
        } catch is CryptoError {
            return
        }
        let published = try vector.bytes("hash")
        #expect(answer.prefix(published.count) != published.prefix(answer.count))
    }

    @Test(
        "a cost is paid within its limits and not outside",
        arguments: [
            ("what is written", 3, 256 << 20, true), ("the least", 1, 8 << 20, true),
            ("the most memory", 1, 1 << 30, true), ("the most memory, 4 times", 4, 1 << 30, true),
            ("the most passes", 16, 256 << 20, true), ("4 GiB in all", 8, 512 << 20, true),
            ("no pass", 0, 256 << 20, false), ("a pass too many", 17, 8 << 20, false),
            ("all passes", .max, 8 << 20, false), ("no memory", 3, 0, false),
            ("a byte short", 3, 8 << 20 - 1, false), ("a byte over", 1, 1 << 30 + 1, false),
            ("all memory", 1, .max, false), ("all of both", .max, .max, false),
            ("5 GiB in all", 5, 1 << 30, false), ("a page over 4 GiB", 8, 512 << 20 + 4_096, false),
            ("a product of 2^64", 1 << 32, 1 << 32, false),
        ] as [(String, UInt64, UInt64, Bool)])
    func limits(name: String, passes: UInt64, memory: UInt64, isAllowed: Bool) {
        let cost = PasswordHash.Cost(passes: passes, memoryByteCount: memory)
        #expect(cost.isAllowed == isAllowed)
    }

    @Test func `what is written is three passes over 256 MiB`() {
        #expect(
            PasswordHash.Cost.written == PasswordHash.Cost(passes: 3, memoryByteCount: 268_435_456))
        #expect(PasswordHash.Cost.written.isAllowed)
    }

    @Test func `a cost that is not allowed is refused before a pass is made`() {
        // Each of these would take minutes, days or for ever.
        let bombs: [(UInt64, UInt64)] = [
            (.max, 8 << 20), (1 << 32, 1 << 30), (1 << 20, 1 << 30), (1 << 20, .max),
        ]
        let passphrase = Array("passphrase".utf8)
        let salt = [UInt8](repeating: 1, count: 16)
        let time = ContinuousClock().measure {
            for (passes, memory) in bombs {
                let cost = PasswordHash.Cost(passes: passes, memoryByteCount: memory)
                #expect(throws: CryptoError.costOutOfRange) {
                    _ = try PasswordHash.derive(
                        passphrase.span, salt: salt.span, cost: cost, byteCount: 64)
                }
            }
        }
        #expect(time < .seconds(5))
    }

    @Test(
        "lengths that are none are refused",
        arguments: [
            ("an empty passphrase", 0, 16, 64, "passphrase", 0),
            ("a passphrase of over 1 MiB", 1 << 20 + 1, 16, 64, "passphrase", 1 << 20 + 1),
            ("no salt", 5, 0, 64, "salt", 0), ("a salt of 8", 5, 8, 64, "salt", 8),
            ("a salt of 15", 5, 15, 64, "salt", 15), ("a salt of 17", 5, 17, 64, "salt", 17),
            ("a salt of 32", 5, 32, 64, "salt", 32),
            ("no result", 5, 16, 0, "password hash", 0),
            ("a result of 15", 5, 16, 15, "password hash", 15),
            ("a result of 1,025", 5, 16, 1_025, "password hash", 1_025),
            ("a negative result", 5, 16, -1, "password hash", -1),
            ("an endless result", 5, 16, .max, "password hash", .max),
        ] as [(String, Int, Int, Int, String, Int)])
    func lengths(
        name: String, passphrase: Int, salt: Int, result: Int, what: String, refused: Int
    ) {
        let passphrase = [UInt8](repeating: 0x61, count: passphrase)
        let salt = [UInt8](repeating: 1, count: salt)
        let cost = PasswordHash.Cost(passes: 1, memoryByteCount: 8 << 20)
        #expect(throws: CryptoError.wrongLength(what: what, byteCount: refused)) {
            _ = try PasswordHash.derive(
                passphrase.span, salt: salt.span, cost: cost, byteCount: result)
        }
    }
}
