import StrongroomStores
import Testing

@testable import StrongroomVault

@Suite struct AnchorSlotTests {
    static let vaultID = [UInt8](0..<16)

    static func point(_ generation: UInt64, _ sequence: UInt64) -> LogPoint {
        let tag = [UInt8](repeating: UInt8(truncatingIfNeeded: sequence), count: 16)
        return LogPoint(generation: generation, sequence: sequence, tag: Bytes16(tag.span))
    }

    /// A file of these slots.
    static func file(_ contents: [AnchorSlot.Contents]) throws -> [UInt8] {
        var file = [UInt8](repeating: 0, count: AnchorSlot.fileByteCount)
        for slot in contents.map(AnchorSlot.init(contents:)) {
            let start = Int(slot.offset)
            file.replaceSubrange(start..<start + 64, with: try slot.encoded(vaultID: vaultID))
        }
        return file
    }

    @Test func `a slot is what the table says`() throws {
        let bytes = try AnchorSlot(contents: .commit(Self.point(3, 0x0102))).encoded(
            vaultID: Self.vaultID)
        #expect(bytes.count == 64)
        #expect(Array(bytes[0..<8]) == Array("SRA1".utf8) + [2, 0, 0, 0])
        #expect(Array(bytes[8..<24]) == [3, 0, 0, 0, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0])
        #expect(
            Array(bytes[24..<56]) == [UInt8](repeating: 2, count: 16)
                + .init(repeating: 0, count: 16))
        let keyring = try AnchorSlot(contents: .keyring(generation: 7)).encoded(
            vaultID: Self.vaultID)
        #expect(Array(keyring[4..<16]) == [1, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0])
        #expect(keyring[16..<56].allSatisfy { $0 == 0 })
    }

    @Test func `of two slots the newer counts, and keyrings and commits are apart`() throws {
        let file = try Self.file([
            .keyring(generation: 4), .keyring(generation: 3), .commit(Self.point(2, 9)),
            .commit(Self.point(1, 30)),
        ])
        let mark = try AnchorSlot.mark(of: file, vaultID: Self.vaultID)
        #expect(mark == AnchorMark(keyringGeneration: 4, point: Self.point(2, 9)))
        #expect(try AnchorSlot.mark(of: [], vaultID: Self.vaultID).isEmpty)
    }

    @Test func `a slot with any bit wrong counts as none, and the other one is left`() throws {
        let file = try Self.file([.commit(Self.point(2, 9)), .commit(Self.point(2, 8))])
        for byte in 0..<64 {
            for bit in 0..<8 {
                var altered = file
                altered[1536 + byte] ^= 1 << UInt8(bit)
                let mark = try AnchorSlot.mark(of: altered, vaultID: Self.vaultID)
                #expect(mark.point == Self.point(2, 8))
            }
        }
        let other = [UInt8](repeating: 1, count: 16)
        #expect(try AnchorSlot.mark(of: file, vaultID: other).isEmpty)
        for count in 0..<1024 {
            #expect(
                try AnchorSlot.mark(of: Array(file[..<count]), vaultID: Self.vaultID).isEmpty)
        }
    }

    @Test func `of two anchors the higher counts, part by part`() {
        let one = AnchorMark(keyringGeneration: 5, point: Self.point(1, 100))
        let other = AnchorMark(keyringGeneration: 4, point: Self.point(2, 1))
        let both = AnchorMark(keyringGeneration: 5, point: Self.point(2, 1))
        #expect(one.merged(with: other) == both)
        #expect(other.merged(with: one) == both)
        #expect(one.merged(with: AnchorMark()) == one)
    }
}
