import Testing

@testable import StrongroomCrypto

/// 32 random bytes that the test itself never has in memory as they are, so that whoever finds them
/// has found a copy that the library made.
private struct Secret {
    private let masked: [UInt8]

    init() throws {
        var bytes = try Randomness.bytes(32)
        // Each half begins with a byte that is rare in memory, so that a search is quick.
        bytes[0] = 0xC1 ^ 0xA5
        bytes[16] = 0xC1 ^ 0xA5
        masked = bytes
    }

    func write(into bytes: inout MutableSpan<UInt8>) {
        for index in masked.indices { bytes[index] = masked[index] ^ 0xA5 }
    }

    func makeKey() throws -> SecretKey {
        try SecretKey(byteCount: 32) { write(into: &$0) }
    }

    func makeBuffer() -> SecretBuffer {
        var buffer = SecretBuffer(byteCount: 32)
        var bytes = buffer.mutableBytes
        write(into: &bytes)
        return buffer
    }

    /// Expects so many copies of either half in memory.
    func expect(
        copies expected: [Int], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let copies = try copies()
        #expect(copies == expected, sourceLocation: sourceLocation)
    }

    /// How many copies of either half are in memory (a register that was spilled holds a half).
    func copies() throws -> [Int] {
        var copies: [Int] = []
        for half in [0..<16, 16..<32] {
            let needle = UnsafeMutableRawBufferPointer.allocate(byteCount: 16, alignment: 16)
            for (place, index) in half.enumerated() {
                unsafe needle[place] = masked[index] ^ 0xA5
            }
            copies.append(unsafe try ProcessMemory.copies(of: UnsafeRawBufferPointer(needle)))
            unsafe needle.initializeMemory(as: UInt8.self, repeating: 0)
            unsafe needle.deallocate()
        }
        return copies
    }
}

/// Runs `body` so far down the stack that a search for what it left there does not overwrite it.
@inline(never)
private func deepDown(_ depth: Int = 32, _ body: () throws -> Void) rethrows {
    guard depth > 0 else { return try body() }
    try unsafe withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 16) { room in
        unsafe room[0] = UInt8(depth)
        try deepDown(depth - 1, body)
    }
}

/// One at a time: a search holds copies of what it reads, the secrets of other tests among them.
@Suite(.serialized)
struct ReleasedSecretTests {
    /// Has `count` hashes under `key` at one time: the memory of one alone is soon used for others.
    private static func leaveUnfinished(_ count: Int, under key: SecretKey) throws {
        guard count > 0 else { return }
        let message = Array("name".utf8)
        var hash = try KeyedHash(key: key.bytes, byteCount: 64)
        hash.update(message.span)
        try leaveUnfinished(count - 1, under: key)
    }

    /// What a search itself calls is bound by a first one: see `key(use:)`.
    private static let firstSearch = Result { try Secret().copies() }

    init() throws {
        _ = try Self.firstSearch.get()
    }

    private struct Use: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let body: @Sendable (SecretKey) throws -> Void

        init(_ name: String, _ body: @escaping @Sendable (SecretKey) throws -> Void) {
            testDescription = name
            self.body = body
        }
    }

    private static let uses = [
        Use("is kept") { _ in },
        Use("is copied to another key") { key in
            let copy = try SecretKey(copying: key.bytes)
            #expect(copy.byteCount == 32)
        },
        Use("derives a subkey") { key in
            let subkey = try KeyDerivation.subkey(1, context: "SRmastr1", of: key.bytes)
            #expect(subkey.byteCount == 32)
        },
        Use("seals and opens") { key in
            let plain = [UInt8](repeating: 1, count: 1_000)
            let sealed = try SecretBox.seal(plain.span, key: key.bytes)
            let opened = try SecretBox.open(sealed.span, key: key.bytes)
            #expect(opened.copyToArray() == plain)
        },
        Use("fails to open") { key in
            let sealed = [UInt8](repeating: 1, count: 1_000)
            #expect(throws: CryptoError.cannotOpen) {
                _ = try SecretBox.open(sealed.span, key: key.bytes)
            }
        },
        Use("keys a hash") { key in
            let message = Array("name".utf8)
            _ = try KeyedHash.hash(message.span, key: key.bytes, byteCount: 64)
        },
        Use("keys a hash fed piece by piece") { key in
            let message = Array("name".utf8)
            var hash = try KeyedHash(key: key.bytes, byteCount: 64)
            hash.update(message.span)
            _ = hash.finish()
        },
        Use("keys hashes that are never finished") { key in try leaveUnfinished(64, under: key) },
        Use("is hashed") { key in
            let other = [UInt8](repeating: 7, count: 32)
            _ = try KeyedHash.hash(key.bytes, key: other.span, byteCount: 64)
        },
        Use("is a passphrase") { key in
            let salt = [UInt8](repeating: 7, count: 16)
            let cost = PasswordHash.Cost(passes: 1, memoryByteCount: 8 << 20)
            _ = try PasswordHash.derive(key.bytes, salt: salt.span, cost: cost, byteCount: 64)
        },
        Use("is compared") { key in
            let other = [UInt8](repeating: 7, count: 32)
            let isEqual = equalInConstantTime(key.bytes, other.span)
            #expect(!isEqual)
        },
    ]

    @Test("a key is nowhere in memory once it is released, after it", arguments: uses)
    private func key(use: Use) throws {
        // The dynamic linker binds a function at its first call, and then spills every vector
        // register to the stack, with whatever bytes of a key they hold. A program linked with
        // `-z now`, or statically like the command, does not; so here all is called once before.
        try use.body(try SecretKey(randomByteCount: 32))
        let secret = try Secret()
        try deepDown {
            let key = try secret.makeKey()
            try secret.expect(copies: [1, 1])
            try use.body(key)
        }
        try secret.expect(copies: [0, 0])
    }

    @Test func `a key whose filling fails leaves nothing in memory`() throws {
        struct Failure: Error {}
        let secret = try Secret()
        deepDown {
            _ = #expect(throws: Failure.self) {
                _ = try SecretKey(byteCount: 32) { bytes in
                    secret.write(into: &bytes)
                    throw Failure()
                }
            }
        }
        try secret.expect(copies: [0, 0])
    }

    @Test func `a buffer is nowhere in memory once it is released`() throws {
        let secret = try Secret()
        try deepDown {
            let buffer = secret.makeBuffer()
            try secret.expect(copies: [1, 1])
            let copy = SecretBuffer(copying: buffer.bytes)
            try secret.expect(copies: [2, 2])
            #expect(copy.byteCount == buffer.byteCount)
        }
        try secret.expect(copies: [0, 0])
    }

    @Test func `a value is nowhere in memory once sealed, opened and released`() throws {
        let secret = try Secret()
        let key = try SecretKey(randomByteCount: 32)
        var sealed: [UInt8] = []
        try deepDown {
            let buffer = secret.makeBuffer()
            sealed = try SecretBox.seal(buffer.bytes, key: key.bytes)
        }
        try secret.expect(copies: [0, 0])
        try deepDown {
            let opened = try SecretBox.open(sealed.span, key: key.bytes)
            #expect(opened.byteCount == 32)
            try secret.expect(copies: [1, 1])
        }
        try secret.expect(copies: [0, 0])
    }

    @Test func `what a buffer is shortened by is gone at once`() throws {
        let secret = try Secret()
        try deepDown {
            var buffer = secret.makeBuffer()
            buffer.shorten(to: 16)
            try secret.expect(copies: [1, 0])
            buffer.shorten(to: 0)
            try secret.expect(copies: [0, 0])
        }
    }

    @Test func `a wiped array is nowhere in memory`() throws {
        let secret = try Secret()
        try deepDown {
            var bytes = secret.makeBuffer().copyToArray()
            try secret.expect(copies: [1, 1])
            wipe(&bytes)
            #expect(bytes.isEmpty)
        }
        try secret.expect(copies: [0, 0])
    }
}
