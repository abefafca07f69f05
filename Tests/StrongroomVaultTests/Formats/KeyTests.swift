import StrongroomCrypto
import StrongroomStores
import StrongroomVault
import Testing

struct KeyTests {
    @Test("a master key's id and wrap key are subkeys 1 and 2 of SRmastr1")
    func masterVectors() throws {
        let key = try MasterKey(key: .of(Fixture.vector("master")))
        #expect(try key.id == Fixture.vector("master-1"))
        #expect(try key.wrapKey.array == Fixture.vector("master-2"))
        #expect(try key.key.array == Fixture.vector("master"))
    }

    @Test("a data key's keys are subkeys 1 to 4 of SRdata_1, its id half of subkey 16")
    func dataVectors() throws {
        let key = try DataKey(key: .of(Fixture.vector("data")))
        #expect(try key.entriesKey.array == Fixture.vector("data-1"))
        #expect(try key.headersKey.array == Fixture.vector("data-2"))
        #expect(try key.chainKey.array == Fixture.vector("data-3"))
        #expect(try key.indexKey.array == Fixture.vector("data-4"))
        #expect(try key.id == Array(Fixture.vector("data-16").prefix(8)))
        #expect(key.owner.bytes == key.id)
    }

    @Test("a name's id and entry key are the first 20 and the last 32 bytes of its hash")
    func nameVectors() throws {
        let dataKey = try DataKey(key: .of(Fixture.vector("data")))
        let vectors = try Fixture.vectors("name")
        #expect(vectors.count == 12)
        for vector in vectors {
            let text = String(decoding: try Fixture.bytes(ofHex: vector[0]), as: UTF8.self)
            let name = try dataKey.name(text)
            #expect(try name.id.bytes == Fixture.bytes(ofHex: vector[1]))
            let entryKey = try Fixture.bytes(ofHex: vector[2])
            #expect(try Self.sealAndOpen(name, dataKey, entryKey: entryKey) == [1])
        }
    }

    /// Seals a byte under `name` and opens it with a key from elsewhere.
    private static func sealAndOpen(
        _ name: EntryName, _ dataKey: DataKey, entryKey: [UInt8]
    ) throws -> [UInt8] {
        let value: [UInt8] = [1]
        let sealed = try SealedEntry.seal(
            key: name.text, name: name, value: value.span, created: 0, modified: 0,
            attributes: [:], with: dataKey)
        var plain = [UInt8](repeating: 0, count: 64)
        var span = plain.mutableSpan
        let box = Array(sealed.suffix(80))
        try BoxOpener(noncePrefix: Array(sealed[12..<28])).open(
            box.span, index: 1, isLast: true, key: entryKey.span, into: &span)
        return Array(plain.prefix(1))
    }

    @Test("two names are the same where their normal forms are")
    func normalForms() throws {
        let dataKey = try DataKey.random()
        #expect(try dataKey.name("caf\u{E9}").id == dataKey.name("cafe\u{301}").id)
        #expect(try dataKey.name("\u{212A}").id == dataKey.name("K").id)
        #expect(try dataKey.name("k").id != dataKey.name("K").id)
        #expect(try dataKey.name("a/b").id != dataKey.name("a//b").id)
    }

    @Test(
        "what is no key has no name",
        arguments: [
            Named("empty", ""), Named("NUL", "a\0b"),
            Named("1,025 bytes", String(repeating: "k", count: 1025)),
            Named("1,025 bytes in two-byte letters", String(repeating: "é", count: 512) + "k"),
        ])
    func invalidKey(key: Named<String>) throws {
        let dataKey = try DataKey.random()
        #expect(throws: VaultError.invalidKey(key: key.value)) { try dataKey.name(key.value) }
    }

    @Test("a master key is 32 bytes that are not all zero", arguments: [0, 16, 31, 32, 33, 64])
    func masterKeyShape(count: Int) throws {
        let reason = count == 32 ? "the key is all zeros" : "the key is not 32 bytes long"
        #expect(throws: VaultError.masterKeyMalformed(path: "", reason: reason)) {
            try MasterKey(key: .of([UInt8](repeating: 0, count: count)))
        }
    }

    @Test("random keys differ, and so does all that is derived from them")
    func randomKeys() throws {
        let (first, second) = (try MasterKey.random(), try MasterKey.random())
        #expect(first.id != second.id)
        #expect(first.key.array != second.key.array)
        #expect(first.wrapKey.array != second.wrapKey.array)
        let keys = [try DataKey.random(), try DataKey.random()]
        let derived = keys.flatMap {
            [$0.key, $0.entriesKey, $0.headersKey, $0.chainKey, $0.indexKey].map(\.array)
        }
        #expect(Set(derived).count == 10)
        #expect(keys[0].id != keys[1].id)
        #expect(try keys[0].name("a").id != keys[1].name("a").id)
    }

    @Test("a data key is 32 bytes", arguments: [0, 31, 33])
    func dataKeyShape(count: Int) throws {
        #expect(throws: VaultError.self) {
            try DataKey(key: .of([UInt8](repeating: 1, count: count)))
        }
    }
}
