import StrongroomCrypto
import StrongroomStores
import Testing

@testable import StrongroomVault

/// What is sealed with the right keys and yet not as format 1 writes it is damage.
struct CanonicalEntryTests {
    private static let dataKey = Result { try DataKey.random() }

    /// A header of the key `k` for a value of `count` bytes.
    private static func header(of count: UInt64, attributes: [UInt8] = []) -> [UInt8] {
        var writer = SecretWriter(capacity: 8192)
        writer.append(integer: 1 as UInt16)
        writer.append(integer: UInt16(attributes.count))
        writer.append(integer: 1 as Int64)
        writer.append(integer: 2 as Int64)
        writer.append(integer: count)
        writer.append("k")
        writer.append(attributes.span)
        writer.padWithZeros(to: (29 + attributes.count + 63) / 64 * 64)
        return writer.finish().copyToArray()
    }

    /// The P bytes of a value.
    private static func padded(_ value: [UInt8], to count: Int, trailer: UInt64? = nil) -> [UInt8] {
        let trailer = trailer ?? UInt64(value.count)
        return value + [UInt8](repeating: 0, count: count - value.count - 8)
            + (0..<8).map { UInt8(truncatingIfNeeded: trailer >> (8 * $0)) }
    }

    @Test("what the forger makes opens if it is canonical")
    func forger() throws {
        let dataKey = try Self.dataKey.get()
        let value: [UInt8] = [1, 2, 3]
        let sealed = try Forged.entry(
            "k", header: Self.header(of: 3), pieces: [Self.padded(value, to: 64)], dataKey)
        for way in try Forged.waysToOpen("k", dataKey) {
            #expect(try way.open(sealed) == value)
        }
    }

    private static let bodies: [Named<(count: UInt64, pieces: [[UInt8]])>] = [
        Named("padding that is not zero", (3, [[1, 2, 3, 4] + padded([], to: 60, trailer: 3)])),
        Named(
            "padding that is not zero at its end",
            (3, [padded([1, 2, 3] + [UInt8](repeating: 0, count: 52) + [1], to: 64, trailer: 3)])),
        Named("P larger than for the count", (3, [padded([1, 2, 3], to: 72)])),
        Named("P that no count gives", (60, [padded([UInt8](repeating: 1, count: 60), to: 73)])),
        Named("P of 56 bytes", (3, [padded([1, 2, 3], to: 56)])),
        Named("P of 8 bytes", (0, [padded([], to: 8)])),
        Named("P of 7 bytes", (0, [[UInt8](repeating: 0, count: 7)])),
        Named("an empty box", (0, [[]])),
        Named("no box", (0, [])),
        Named("a count over P", (57, [padded([1], to: 64, trailer: 57)])),
        Named("a count of 2^60", (1 << 60, [padded([1], to: 64, trailer: 1 << 60)])),
        Named("a count of 2^64 - 1", (.max, [padded([1], to: 64, trailer: .max)])),
        Named("a count of 2^63", (1 << 63, [padded([1], to: 64, trailer: 1 << 63)])),
        Named(
            "two pieces of half a size",
            (
                60,
                [
                    [UInt8](repeating: 1, count: 36),
                    padded([UInt8](repeating: 1, count: 24), to: 36, trailer: 60),
                ]
            )),
        Named(
            "a second piece of nothing but the count",
            (65_536, [[UInt8](repeating: 1, count: 65_536), padded([], to: 8, trailer: 65_536)])),
    ]

    @Test("a value that is not padded as format 1 pads it is damage", arguments: bodies)
    func body(forged: Named<(count: UInt64, pieces: [[UInt8]])>) throws {
        let dataKey = try Self.dataKey.get()
        let sealed = try Forged.entry(
            "k", header: Self.header(of: forged.value.count), pieces: forged.value.pieces, dataKey)
        for way in try Forged.waysToOpen("k", dataKey) {
            #expect(throws: VaultError.damaged(key: "k"), "\(way.name)") { try way.open(sealed) }
        }
    }

    @Test("padding that fills whole boxes is looked at too")
    func paddingBoxes() throws {
        // 2^23 + 1 bytes are padded to 2^23 + 2^18: two boxes of nothing but zeros before the last.
        let dataKey = try Self.dataKey.get()
        let count = 1 << 23 + 1
        let padded = 1 << 23 + 1 << 18
        #expect(EntryPadding.paddedByteCount(of: UInt64(count)) == UInt64(padded))
        var pieces = [[UInt8]](
            repeating: [UInt8](repeating: 0, count: 65_536), count: padded / 65_536)
        pieces[pieces.count - 1] = Self.padded([], to: 65_536, trailer: UInt64(count))
        let header = Self.header(of: UInt64(count))
        let sound = try Forged.entry("k", header: header, pieces: pieces, dataKey)
        let ways = try Forged.waysToOpen("k", dataKey)
        for way in ways { #expect(try way.open(sound).count == count) }
        for index in [128, 129, 130, 131] {
            var changed = pieces
            changed[index][1000] = 1
            let sealed = try Forged.entry("k", header: header, pieces: changed, dataKey)
            for way in ways {
                #expect(throws: VaultError.damaged(key: "k"), "\(way.name)") {
                    try way.open(sealed)
                }
            }
        }
    }

    @Test(
        "a header that gives another byte count than the end does is damage where both are opened")
    func byteCounts() throws {
        let dataKey = try Self.dataKey.get()
        let pieces = [Self.padded([1, 2, 3], to: 64)]
        for count in [0, 2, 4, 1 << 40, .max] as [UInt64] {
            let sealed = try Forged.entry(
                "k", header: Self.header(of: count), pieces: pieces, dataKey)
            for way in try Forged.waysToOpen("k", dataKey) {
                guard way.name != "value" else { continue }
                #expect(throws: VaultError.damaged(key: "k"), "\(way.name)") {
                    try way.open(sealed)
                }
            }
        }
    }

    private static let changes: [Named<@Sendable (inout [UInt8]) -> Void>] = [
        Named("no key", { $0[0] = 0 }),
        Named("a key with a zero more", { $0[0] = 2 }),
        Named("a key longer than the header", { $0[0] = 60 }),
        Named(
            "a key of 65,535 bytes",
            {
                $0[0] = 255; $0[1] = 255
            }),
        Named("another key", { $0[28] = UInt8(ascii: "l") }),
        Named("a key that is no text", { $0[28] = 0xFF }),
        Named(
            "a key that is not in normal form",
            {
                $0[0] = 3; $0[29] = 0xCC; $0[30] = 0x81
            }),
        Named("attributes claimed", { $0[2] = 4 }),
        Named("attributes longer than the header", { $0[2] = 64 }),
        Named(
            "attributes of 4,097 bytes",
            {
                $0[2] = 1; $0[3] = 16
            }),
        Named("padding that is not zero", { $0[63] = 1 }),
        Named("padding that is not zero right behind the key", { $0[29] = 1 }),
        Named("64 zeros more", { $0 += [UInt8](repeating: 0, count: 64) }),
        Named("nothing but zeros", { $0 = [UInt8](repeating: 0, count: 64) }),
    ]

    @Test("a header that is not as format 1 writes it is damage", arguments: changes)
    func headerChange(change: Named<@Sendable (inout [UInt8]) -> Void>) throws {
        let dataKey = try Self.dataKey.get()
        var header = Self.header(of: 3)
        change.value(&header)
        let sealed = try Forged.entry(
            "k", header: header, pieces: [Self.padded([1, 2, 3], to: 64)], dataKey)
        let id = try dataKey.name("k").id
        #expect(throws: VaultError.damaged(key: "k")) {
            try SealedEntry.openHeader(sealed.span, id: id, key: "k", with: dataKey)
        }
    }

    private static func attribute(_ name: String, _ value: String) -> [UInt8] {
        [UInt8(name.utf8.count), 0] + name.utf8 + [UInt8(value.utf8.count), 0] + value.utf8
    }

    private static let wrongAttributes: [Named<[UInt8]>] = [
        Named("not sorted", attribute("b", "1") + attribute("a", "2")),
        Named("one name twice", attribute("a", "1") + attribute("a", "2")),
        Named("no name", attribute("", "1")),
        Named("a name with NUL", attribute("\0", "1")),
        Named("a name that is not in normal form", attribute("e\u{301}", "1")),
        Named("a name that is no text", [1, 0, 0xFF, 0, 0]),
        Named("a value that is no text", [1, 0, 0x61, 1, 0, 0xFF]),
        Named("a value cut short", [1, 0, 0x61, 2, 0, 0x62]),
        Named("a length cut short", [1, 0, 0x61, 2]),
        Named("a name cut short", [9, 0, 0x61, 0x62]),
        Named("half a length", [1]),
        Named("a byte behind", attribute("a", "1") + [0]),
    ]

    @Test("attributes that are not as format 1 writes them are damage", arguments: wrongAttributes)
    func attributes(bytes: Named<[UInt8]>) throws {
        let dataKey = try Self.dataKey.get()
        let id = try dataKey.name("k").id
        let pieces = [Self.padded([1, 2, 3], to: 64)]
        let sound = try Forged.entry(
            "k", header: Self.header(of: 3, attributes: Self.attribute("a", "1")), pieces: pieces,
            dataKey)
        let header = try SealedEntry.openHeader(sound.span, id: id, with: dataKey)
        #expect(header.attributes == ["a": "1"])
        let sealed = try Forged.entry(
            "k", header: Self.header(of: 3, attributes: bytes.value), pieces: pieces, dataKey)
        #expect(throws: VaultError.damaged(key: "k")) {
            try SealedEntry.openHeader(sealed.span, id: id, key: "k", with: dataKey)
        }
    }

    @Test(
        "a size of box 0 outside of 80 to 8,192, or not 16 over a multiple of 64, is damage",
        arguments: [0, 1, 16, 64, 79, 81, 96, 128, 8191, 8192, 8193, 8208, 65_535])
    func headerBox(byteCount: Int) throws {
        var sealed = [UInt8](repeating: 0, count: 70_000)
        let prefix = try Fixture.bytes("1.entry").prefix(28)
        sealed.replaceSubrange(..<28, with: prefix)
        (sealed[28], sealed[29]) = (UInt8(byteCount & 255), UInt8(byteCount >> 8))
        #expect(throws: EntryPrefix.Fault.damaged) { try EntryPrefix(parsing: sealed.span) }
    }
}
