import StrongroomCrypto
import StrongroomStores
import Testing

@testable import StrongroomVault

/// Nothing that is done to sealed bytes gives another value, and no way to open them is laxer than the others.
struct EntryTamperingTests {
    /// Opens `sealed` in every way; records an issue unless each throws `.damaged`.
    private static func expectDamage(
        _ sealed: [UInt8], as sample: SealedSample, _ what: String
    ) {
        for way in sample.waysToOpen {
            do {
                _ = try way.open(sealed)
                Issue.record("\(what): opened (\(way.name))")
            } catch VaultError.damaged(key: sample.key) {
                continue
            } catch {
                Issue.record("\(what): \(error) (\(way.name))")
            }
        }
    }

    @Test("a flipped bit is damage, or a newer format, wherever it is", arguments: [0, 32, 100])
    func flips(count: Int) throws {
        var random = Seeded(2)
        let sample = try SealedSample(value: random.bytes(count), attributes: ["a": "b"])
        for index in sample.sealed.indices {
            for bit in 0..<8 {
                var flipped = sample.sealed
                flipped[index] ^= 1 << bit
                for way in sample.waysToOpen {
                    do {
                        let value = try way.open(flipped)
                        // Who wants the value alone does not open box 0.
                        #expect(value == sample.value && way.name == "value")
                        #expect((30..<110).contains(index), "byte \(index)")
                    } catch VaultError.damaged(key: "key") {
                        continue
                    } catch VaultError.newerFormat(path: "key") {
                        #expect(index == 3)
                    }
                }
                guard !(110...).contains(index) else { continue }
                #expect(throws: VaultError.self) { try sample.openHeader(flipped) }
            }
        }
    }

    @Test("a flipped byte of an entry of several pieces is damage, in every box")
    func flipsInPieces() throws {
        var random = Seeded(3)
        let sample = try SealedSample(value: random.bytes(140_000))
        for index in stride(from: 110, to: sample.sealed.count, by: 997) {
            var flipped = sample.sealed
            flipped[index] ^= 0x40
            Self.expectDamage(flipped, as: sample, "byte \(index)")
        }
    }

    @Test("an entry cut at any length is damage", arguments: [0, 1, 57, 1024])
    func cuts(count: Int) throws {
        var random = Seeded(4)
        let sample = try SealedSample(value: random.bytes(count))
        for count in sample.sealed.indices {
            Self.expectDamage([UInt8](sample.sealed.prefix(count)), as: sample, "cut at \(count)")
        }
    }

    @Test("an entry of several pieces, cut at a box or anywhere else, is damage")
    func cutsInPieces() throws {
        var random = Seeded(5)
        let sample = try SealedSample(value: random.bytes(200_000))
        var counts = Array(stride(from: 0, to: sample.sealed.count, by: 9973))
        for box in 0...3 {
            let start = 110 + box * 65_552
            counts += [start - 1, start, start + 1]
        }
        for count in counts {
            Self.expectDamage([UInt8](sample.sealed.prefix(count)), as: sample, "cut at \(count)")
        }
    }

    @Test("an entry with bytes behind it is damage")
    func appended() throws {
        var random = Seeded(6)
        let sample = try SealedSample(value: random.bytes(100))
        for count in [1, 8, 15, 16, 17, 64, 80, 128, 65_552] {
            for more in [[UInt8](repeating: 0, count: count), random.bytes(count)] {
                Self.expectDamage(sample.sealed + more, as: sample, "\(count) bytes more")
            }
        }
        Self.expectDamage(sample.sealed + sample.sealed, as: sample, "twice")
        Self.expectDamage([0] + sample.sealed, as: sample, "a byte before")
    }

    @Test("boxes exchanged within an entry, left out or repeated are damage")
    func boxOrder() throws {
        var random = Seeded(7)
        // P is 4 × 65,536: four boxes of the same size.
        let sample = try SealedSample(value: random.bytes(4 * 65_536 - 8))
        let head = [UInt8](sample.sealed[..<110])
        let boxes = (0..<4).map { [UInt8](sample.sealed[(110 + $0 * 65_552)...].prefix(65_552)) }
        #expect(head + boxes.joined() == sample.sealed)
        let orders = [
            [1, 0, 2, 3], [0, 2, 1, 3], [0, 1, 3, 2], [3, 1, 2, 0], [0, 1, 2], [1, 2, 3], [0, 3],
            [3], [0], [0, 1, 1, 3], [0, 1, 2, 3, 3], [0, 0, 1, 2, 3], [],
        ]
        for order in orders {
            Self.expectDamage(head + order.flatMap { boxes[$0] }, as: sample, "boxes \(order)")
        }
    }

    @Test("boxes of two sealings of one entry do not mix")
    func mixedSealings() throws {
        var random = Seeded(8)
        let value = random.bytes(100_000)
        let first = try SealedSample(value: value)
        let second = try SealedSample(value: value, dataKey: first.dataKey)
        #expect(try first.openValue(second.sealed) == value)
        for part in [12..<28, 110..<65_662, 65_662..<first.sealed.count] {
            var mixed = first.sealed
            mixed.replaceSubrange(part, with: second.sealed[part])
            Self.expectDamage(mixed, as: first, "bytes \(part)")
        }
        // The header of one over the value of the other: who opens both sees it.
        var header = first.sealed
        header.replaceSubrange(30..<110, with: second.sealed[30..<110])
        #expect(throws: VaultError.damaged(key: "key")) { try first.openHeader(header) }
        #expect(throws: VaultError.damaged(key: "key")) { try first.openWhole(header) }
        #expect(throws: VaultError.damaged(key: "key")) { try first.openStreamed(header) }
    }

    @Test("an entry moved to another name, or put under another data key, is damage")
    func moved() throws {
        let dataKey = try DataKey.random()
        let first = try SealedSample(key: "db/user", value: [1], dataKey: dataKey)
        let second = try SealedSample(key: "db/password", value: [2], dataKey: dataKey)
        Self.expectDamage(first.sealed, as: second, "another name")
        Self.expectDamage(second.sealed, as: first, "another name")
        #expect(throws: VaultError.damaged(key: "db/user")) { try first.openHeader(second.sealed) }

        let elsewhere = try SealedSample(key: "db/user", value: [3])
        Self.expectDamage(elsewhere.sealed, as: first, "another vault")
        #expect(throws: VaultError.damaged(key: "db/user")) {
            try first.openHeader(elsewhere.sealed)
        }
        var renamed = elsewhere.sealed
        renamed.replaceSubrange(4..<12, with: dataKey.id)
        Self.expectDamage(renamed, as: first, "another vault, with this data key's id")
    }

    @Test("later versions are newer formats, other magics damage")
    func versions() throws {
        let sample = try SealedSample(value: [1])
        for digit in UInt8(ascii: "2")...UInt8(ascii: "9") {
            var newer = sample.sealed
            newer[3] = digit
            for sealed in [newer, [UInt8](newer[..<4]), [UInt8](newer[..<20])] {
                for way in sample.waysToOpen {
                    #expect(throws: VaultError.newerFormat(path: "key")) { try way.open(sealed) }
                }
                #expect(throws: VaultError.newerFormat(path: "key")) {
                    try sample.openHeader(sealed)
                }
            }
        }
        for magic in ["SRE0", "SRE:", "SREa", "SRK1", "sre1", "XRE2", "\0\0\0\0"] {
            Self.expectDamage(Array(magic.utf8) + sample.sealed[4...], as: sample, magic)
        }
    }

    @Test("without a name, damage carries the id in hexadecimal")
    func unnamed() throws {
        let sample = try SealedSample(value: [1])
        let hex = Hexadecimal.text(of: sample.name.id.bytes)
        let damage = VaultError.vaultDamaged(
            path: "id:" + hex, what: "this entry is not as it was written")
        let (cut, dataKey, id) = (
            [UInt8](sample.sealed.dropLast()), sample.dataKey, sample.name.id
        )
        #expect(throws: damage) {
            _ = try SealedEntry.open(cut.span, id: id, with: dataKey)
        }
        let empty: [UInt8] = []
        #expect(throws: damage) {
            try SealedEntry.openHeader(empty.span, id: id, with: dataKey)
        }
        let newer = Array("SRE2".utf8)
        #expect(throws: VaultError.newerFormat(path: "id:" + hex)) {
            try SealedEntry.openHeader(newer.span, id: id, with: dataKey)
        }
    }

    @Test("an entry carried to another data key's id shows its header there, and opens no value")
    func carried() throws {
        let sample = try SealedSample(value: [1])
        let next = try DataKey.random()
        let place = try next.name(sample.key)
        let header = try SealedEntry.openHeader(
            sample.sealed.span, id: place.id, with: sample.dataKey, placedBy: next)
        #expect(header.key == sample.key)
        #expect(throws: VaultError.damaged(key: "key")) {
            try SealedEntry.openHeader(
                sample.sealed.span, id: place.id, key: "key", with: sample.dataKey)
        }
        #expect(throws: VaultError.damaged(key: "key")) {
            _ = try SealedEntry.openValue(
                sample.sealed.span, key: "key", name: place, with: next)
        }
    }
}
