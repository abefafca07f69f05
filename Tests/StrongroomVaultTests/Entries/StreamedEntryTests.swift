import StrongroomCrypto
import StrongroomStores
import StrongroomSystem
import Testing

@testable import StrongroomVault

@Suite(.bothLayouts) struct StreamedEntryTests {
    static let byteCounts = [0, 1, 65_528, 65_536, 65_537, 200_000, 3_000_000]

    static func bytes(_ count: Int) -> [UInt8] {
        var random = Seeded(UInt64(count))
        return random.bytes(count)
    }

    /// All pieces together, each at most 64 KiB.
    static func read(_ vault: Vault, _ key: String) throws -> [UInt8]? {
        guard let pieces = try vault.pieces(key) else { return nil }
        var all: [UInt8] = []
        while let piece = try pieces.next() {
            #expect((1...65_536).contains(piece.buffer.byteCount))
            all += piece.buffer.copyToArray()
        }
        #expect(pieces.info.byteCount == UInt64(all.count))
        return all
    }

    @Test(arguments: byteCounts)
    func `what is written in pieces is read whole, and the reverse`(_ count: Int) throws {
        for (_, vault, _) in try EntryTests.vaults() {
            let value = Self.bytes(count)
            try vault.write("k", attributes: ["a": "b"], if: nil) { writer in
                var offset = 0
                while offset < count {
                    let end = min(count, offset + 50_001)
                    try writer.write(Array(value[offset..<end]).span)
                    offset = end
                }
            }
            #expect(try vault.bytes("k") == value)
            #expect(try vault.info("k")?.attributes == ["a": "b"])
            #expect(try Self.read(vault, "k") == value)
            let bytes = SecretBytes(SecretBuffer(copying: value.span))
            try vault.commit([.set(key: "j", value: bytes, attributes: [:])], if: [:])
            #expect(try Self.read(vault, "j") == value)
            #expect(try vault.rotate(RotationOptions()).damaged == [])
            #expect(try Self.read(vault, "k") == value)
            #expect(try Self.read(vault, "j") == value)
            #expect(try vault.info("k")?.attributes == ["a": "b"])
            #expect(try vault.check(progress: nil).findings == [])
        }
    }

    struct Stop: Error {}

    @Test func `a body that throws leaves the entry as it was`() throws {
        for (_, vault, _) in try EntryTests.vaults() {
            try vault.set("k", "1")
            #expect(throws: Stop.self) {
                try vault.write("k", attributes: [:], if: nil) { writer in
                    try writer.write([1, 2, 3].span)
                    throw Stop()
                }
            }
            #expect(try vault.get("k") == "1")
            #expect(try vault.check(progress: nil).findings == [])
        }
    }

    @Test func `a writer is of no use after its body has returned`() throws {
        for (_, vault, _) in try EntryTests.vaults() {
            var kept: (any VaultWriter)?
            try vault.write("k", attributes: [:], if: nil) { writer in
                try writer.write([1].span)
                kept = writer
            }
            let writer = try #require(kept)
            guard case .notPossible = failure({ try writer.write([2].span) }) else {
                Issue.record("it still takes bytes")
                return
            }
            #expect(try Self.read(vault, "k") == [1])
        }
    }

    @Test func `a condition holds for a streamed value too`() throws {
        for (_, vault, _) in try EntryTests.vaults() {
            try vault.write("k", attributes: [:], if: .some(nil)) { try $0.write([1].span) }
            let version = try #require(try vault.info("k")).version
            #expect(
                failure {
                    try vault.write("k", attributes: [:], if: .some(nil)) { try $0.write([2].span) }
                } == .changed(key: "k"))
            try vault.write("k", attributes: [:], if: .some(version)) { try $0.write([3].span) }
            #expect(try Self.read(vault, "k") == [3])
        }
    }

    @Test func `what was being read stays whole when it is replaced, removed or rotated`() throws {
        for (_, vault, _) in try EntryTests.vaults() {
            let value = Self.bytes(300_000)
            let bytes = SecretBytes(SecretBuffer(copying: value.span))
            try vault.commit([.set(key: "k", value: bytes, attributes: [:])], if: [:])
            let pieces = try #require(try vault.pieces("k"))
            let first = try #require(try pieces.next())
            try vault.set("k", "other")
            _ = try vault.rotate(RotationOptions())
            try vault.del("k")
            var all = first.buffer.copyToArray()
            while let piece = try pieces.next() { all += piece.buffer.copyToArray() }
            #expect(all == value)
        }
    }

    @Test
    func `a value that is streamed through a rotation is sealed again, and its body runs once`()
        throws
    {
        for (name, vault, place) in try EntryTests.vaults() {
            let value = Self.bytes(200_000)
            let other = name == "files" ? place.vault() : vault
            var runs = 0
            try vault.set("k", "0")
            try vault.write("k", attributes: ["a": "b"], if: nil) { writer in
                runs += 1
                try writer.write(Array(value[..<100_000]).span)
                _ = try other.rotate(RotationOptions())
                try writer.write(Array(value[100_000...]).span)
                _ = try other.rotate(RotationOptions())
            }
            #expect(runs == 1)
            #expect(try Self.read(other, "k") == value)
            #expect(try other.info("k")?.attributes == ["a": "b"])
            #expect(try other.check(progress: nil).findings == [])
        }
    }
}
