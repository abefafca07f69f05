import StrongroomCrypto
import StrongroomStores
import Testing

@testable import StrongroomVault

struct SealedEntryTests {
    private static let boundaries = [
        0, 1, 7, 8, 55, 56, 57, 63, 64, 65, 1023, 1024, 1025, 65_527, 65_528, 65_529, 65_535,
        65_536, 65_537, 131_064, 131_072, 200_000,
    ]

    @Test("a value of every boundary size comes back", arguments: boundaries)
    func roundTrip(count: Int) throws {
        var random = Seeded(UInt64(count))
        let sample = try SealedSample(value: random.bytes(count))
        let value = try sample.openValue(sample.sealed)
        #expect(value == sample.value)
        let header = try sample.openHeader(sample.sealed)
        #expect(header.byteCount == UInt64(count))
        let whole = try SealedEntry.open(
            sample.sealed.span, id: sample.name.id, with: sample.dataKey)
        #expect(whole.header == header)
        #expect(whole.value.copyToArray() == sample.value)
    }

    @Test("a sealed entry has its worked size")
    func workedSizes() throws {
        let sizes = [
            (0, 190), (32, 190), (56, 190), (57, 198), (1024, 1214), (65_528, 65_662),
            (65_529, 67_726),
        ]
        for (count, expected) in sizes {
            let sample = try SealedSample(
                key: "service/github/token-001", value: [UInt8](repeating: 7, count: count))
            #expect(sample.sealed.count == expected, "\(count) bytes")
        }
    }

    @Test("the header grows by 64 bytes where key and attributes pass 36 bytes")
    func headerSizes() throws {
        for (keyByteCount, boxByteCount) in [
            (1, 80), (36, 80), (37, 144), (100, 144), (1024, 1104),
        ] {
            let sample = try SealedSample(
                key: String(repeating: "k", count: keyByteCount), value: [])
            #expect(try EntryPrefix(parsing: sample.sealed.span).headerBoxByteCount == boxByteCount)
            #expect(sample.sealed.count == 30 + boxByteCount + 80)
        }
    }

    @Test("the clear prefix holds magic, data key, N and the size of box 0, and no more")
    func prefix() throws {
        let sample = try SealedSample(value: [1, 2, 3])
        #expect(Array(sample.sealed[..<4]) == Array("SRE1".utf8))
        #expect(Array(sample.sealed[4..<12]) == sample.dataKey.id)
        #expect(Array(sample.sealed[28..<30]) == [80, 0])
        let again = try SealedSample(key: sample.key, value: [1, 2, 3], dataKey: sample.dataKey)
        #expect(again.sealed[..<12] == sample.sealed[..<12])
        #expect(again.sealed[12..<28] != sample.sealed[12..<28])
        #expect(again.sealed[30...] != sample.sealed[30...])
    }

    @Test("the frozen entries open")
    func fixtures() throws {
        let dataKey = try Fixture.dataKey()
        let keys = ["a", "service/github/token-001", "kilobyte", "folder/café", "piece", "pieces"]
        for (number, key) in keys.enumerated() {
            let sealed = try Fixture.bytes("\(number).entry")
            let name = try dataKey.name(key)
            let value = try SealedEntry.openValue(sealed.span, key: key, name: name, with: dataKey)
            #expect(try value.copyToArray() == Fixture.bytes("\(number).value"))
            let header = try SealedEntry.openHeader(sealed.span, id: name.id, with: dataKey)
            #expect(header.key == key)
            #expect(header.byteCount == UInt64(value.byteCount))
            #expect(header.created == 1_700_000_000_000_000_000 + Int64(number))
            #expect(header.modified == 1_800_000_000_000_000_000 - Int64(number))
            let attributes = ["username": "rené", "a": "", "number": "17"]
            #expect(header.attributes == (number == 3 ? attributes : [:]))
        }
    }

    @Test("a header comes back, however odd its times and attributes")
    func headers() throws {
        let attributes = [
            [:], ["a": ""], ["b": "2", "a": "1", "aa": "3"],
            ["e\u{301}": "e\u{301}"], ["k": String(repeating: "v", count: 4091)],
        ]
        for attributes in attributes {
            for times in [(Int64.min, Int64.max), (0, -1), (1, 2)] {
                let sample = try SealedSample(
                    value: [], created: times.0, modified: times.1, attributes: attributes)
                let header = try sample.openHeader(sample.sealed)
                #expect(header.key == sample.key)
                #expect(header.created == times.0 && header.modified == times.1)
                #expect(header.attributes == attributes)
                // Only the bytes up to the end of box 0 are needed.
                let box = try EntryPrefix(parsing: sample.sealed.span).bodyOffset
                #expect(try sample.openHeader([UInt8](sample.sealed[..<box])) == header)
                #expect(throws: VaultError.damaged(key: sample.key)) {
                    try sample.openHeader([UInt8](sample.sealed[..<(box - 1)]))
                }
            }
        }
    }

    @Test("a name is kept in normal form, and the value of an attribute as it is")
    func normalForms() throws {
        let sample = try SealedSample(
            key: "cafe\u{301}", value: [1], attributes: ["e\u{301}": "e\u{301}"])
        let header = try sample.openHeader(sample.sealed)
        #expect(Array(header.key.utf8) == Array("caf\u{E9}".utf8))
        #expect(header.attributes.keys.map { Array($0.utf8) } == [[0xC3, 0xA9]])
        #expect(header.attributes.values.map { Array($0.utf8) } == [[0x65, 0xCC, 0x81]])
        let other = try SealedEntry.openValue(
            sample.sealed.span, key: "x", name: sample.dataKey.name("caf\u{E9}"),
            with: sample.dataKey)
        #expect(other.copyToArray() == [1])
    }

    @Test("attributes over 4 KiB are too large, at 4 KiB they are not")
    func attributeLimit() throws {
        let limit = VaultError.valueTooLarge(key: "key", limit: 4096)
        #expect(throws: limit) {
            try SealedSample(value: [], attributes: ["k": String(repeating: "v", count: 4092)])
        }
        #expect(throws: limit) {
            try SealedSample(
                value: [],
                attributes: Dictionary(uniqueKeysWithValues: (100..<700).map { ("\($0)", "") }))
        }
    }

    @Test(
        "an attribute has a name as a key has",
        arguments: [
            Named("none", ""), Named("NUL", "\0"),
            Named("1,025 bytes", String(repeating: "n", count: 1025)),
        ])
    func attributeName(name: Named<String>) throws {
        let error = VaultError.notPossible(
            what: "the name of an attribute has 1 to 1,024 bytes of text without NUL")
        #expect(throws: error) { try SealedSample(value: [], attributes: [name.value: "v"]) }
    }

    @Test("a name under one data key is not sealed with another")
    func mismatch() throws {
        let (first, second) = (try DataKey.random(), try DataKey.random())
        let error = VaultError.notPossible(what: EntryName.mismatch)
        let empty: [UInt8] = []
        #expect(throws: error) {
            try SealedEntry.seal(
                key: "a", name: first.name("a"), value: empty.span, created: 0, modified: 0,
                attributes: [:], with: second)
        }
        #expect(throws: error) {
            _ = try EntrySealing(
                key: "a", name: first.name("a"), created: 0, modified: 0, attributes: [:],
                with: second, into: SealedMemory())
        }
    }

    @Test("the description of a header shows neither name nor attribute")
    func redaction() throws {
        let sample = try SealedSample(
            key: "needle", value: [1, 2], attributes: ["oauth": "hidden"])
        let header = try sample.openHeader(sample.sealed)
        #expect("\(header)" == "EntryHeader(of 2 bytes, redacted)")
        #expect(String(reflecting: header) == "EntryHeader(of 2 bytes, redacted)")
        var dumped = ""
        dump(header, to: &dumped)
        #expect(dumped == "- EntryHeader(of 2 bytes, redacted)\n")
    }
}
