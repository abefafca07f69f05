@testable import StrongroomStores
import StrongroomSystem
import Testing

/// The store's own small files, without a disk.
struct StoreFileFormatTests {
    private let generation = GenerationFile(generation: 7, owner: OwnerID(Array("owner id".utf8)))

    private let record = CommitRecord(
        number: 0x0102_0304_0506_0708,
        changes: [
            CommitRecord.Change(id: EntryID("a/b"), kind: .put(depth: 1)),
            CommitRecord.Change(id: EntryID("c"), kind: .remove),
        ])

    @Test func `the file of the current generation has the documented bytes`() throws {
        let bytes = try generation.encoded()
        #expect(bytes.count == 28)
        #expect(
            Array(bytes[..<20]) == Array("SRF1".utf8) + [7, 0, 0, 0, 0, 0, 0, 0]
                + Array("owner id".utf8))
        #expect(Array(bytes[20...]) == [138, 39, 157, 74, 77, 31, 233, 91])
        #expect(try GenerationFile(decoding: bytes, path: "p") == generation)
    }

    @Test func `the record of a commit has the documented bytes`() throws {
        let bytes = try record.encoded()
        #expect(
            Array(bytes.dropLast(8)) == Array("SRC1".utf8) + [8, 7, 6, 5, 4, 3, 2, 1]
                + [2, 0, 0, 0] + [1, 1, 0, 3, 0] + Array("a/b".utf8) + [2, 0, 0, 1, 0]
                + Array("c".utf8))
        #expect(try CommitRecord(decoding: bytes, path: "p") == record)
    }

    @Test func `every flipped byte, cut and addition of a generation file is damage`() throws {
        let bytes = try generation.encoded()
        for wrong in Self.wrongs(bytes) {
            #expect(throws: StoreError.self) { try GenerationFile(decoding: wrong, path: "p") }
        }
    }

    @Test func `every flipped byte, cut and addition of a record is damage`() throws {
        let bytes = try record.encoded()
        for wrong in Self.wrongs(bytes) {
            #expect(throws: StoreError.self) { try CommitRecord(decoding: wrong, path: "p") }
        }
    }

    @Test func `a newer format is called that and not damage`() throws {
        var file = try generation.encoded()
        file[3] = UInt8(ascii: "2")
        #expect(throws: StoreError.newerFormat(path: "p")) {
            try GenerationFile(decoding: file, path: "p")
        }
        var commit = try record.encoded()
        commit[3] = UInt8(ascii: "2")
        #expect(throws: StoreError.newerFormat(path: "p")) {
            try CommitRecord(decoding: commit, path: "p")
        }
    }

    @Test func `base32 is RFC 4648's, and each text is one id's`() {
        // Section 10 of the RFC, in lower case and without padding.
        let vectors = [
            "f": "my", "fo": "mzxq", "foo": "mzxw6", "foob": "mzxw6yq", "fooba": "mzxw6ytb",
            "foobar": "mzxw6ytboi",
        ]
        for (text, encoded) in vectors {
            #expect(Base32.encode(Array(text.utf8)) == Array(encoded.utf8))
            #expect(Base32.decode(Array(encoded.utf8)) == Array(text.utf8))
        }
        for wrong in ["m", "mz", "mzx", "mzxw6y", "MY", "m1", "my======", "mzxw6yr", "mz xq"] {
            #expect(Base32.decode(Array(wrong.utf8)) == nil, "\(wrong)")
        }
        #expect(Base32.encode(Array(repeating: 0xA5, count: 20)).count == 32)
    }

    @Test func `a long payload has the same version in one piece and in many`() throws {
        for byteCount in [0, 1, 65_535, 65_536, 65_537, 131_072, 200_000] {
            let bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            let whole = try ContentHash.version(of: bytes)
            let reading: (Int64, Int) throws(StoreError) -> [UInt8] = { (offset, count) in
                Array(bytes[Int(offset)..<(Int(offset) + count)])
            }
            #expect(try ContentHash.version(byteCount: Int64(byteCount), read: reading) == whole)
        }
    }

    private static func wrongs(_ bytes: [UInt8]) -> [[UInt8]] {
        var wrongs = [bytes + [0]]
        for index in bytes.indices {
            wrongs.append(Array(bytes[..<index]))
            var flipped = bytes
            flipped[index] ^= 1
            wrongs.append(flipped)
        }
        return wrongs
    }
}
