import StrongroomCrypto
import StrongroomStores
import Testing

@testable import StrongroomVault

/// What the formats do with a key leaves no copy of it behind.
struct KeyResidueTests {
    /// Complements of bytes to be searched for, by what they are.
    private typealias Needles = [(name: String, complement: [UInt8])]

    private static func complement(_ bytes: Span<UInt8>) -> [UInt8] {
        var complement: [UInt8] = []
        for index in bytes.indices { complement.append(~bytes[index]) }
        return complement
    }

    private static func complementOfDigits(_ bytes: Span<UInt8>) -> [UInt8] {
        var complement: [UInt8] = []
        for index in bytes.indices {
            complement += [
                ~Hexadecimal.digit(bytes[index] >> 4), ~Hexadecimal.digit(bytes[index] & 15),
            ]
        }
        return complement
    }

    /// Writes, reads and uses a key file, a keyring and an entry, and lets go of all of it.
    @inline(never) private static func use(isSealed: Bool) throws -> Needles {
        let master = try MasterKey.random()
        let passphrase = try SecretKey(randomByteCount: 20)
        let text =
            isSealed
            ? try MasterKeyFile.sealedText(
                of: master, vaultID: nil, passphrase: passphrase,
                cost: .init(passes: 1, memoryByteCount: 8 << 20))
            : try MasterKeyFile.text(of: master, vaultID: nil)
        let file = try MasterKeyFile(parsing: text.bytes, path: "")
        let opened = try file.open(passphrase: passphrase, path: "")
        let ring = Keyring(
            vaultID: [UInt8](0..<16), app: "a", layout: .files, current: try DataKey.random())
        let sealedRing = try ring.sealed(for: [opened])
        let dataKey = try Keyring(opening: sealedRing.span, with: opened, path: "").current
        let value = try SecretKey(randomByteCount: 100)
        let name = try dataKey.name("a")
        let sealed = try SealedEntry.seal(
            key: "a", name: name, value: value.bytes, created: 0, modified: 0, attributes: [:],
            with: dataKey)
        let whole = try SealedEntry.open(sealed.span, id: name.id, with: dataKey)
        let key = dataKey.key
        let entriesKey = dataKey.entriesKey
        let needles = [
            ("master key", complement(master.key.bytes)),
            ("master key's digits", complementOfDigits(master.key.bytes)),
            ("wrap key", complement(master.wrapKey.bytes)),
            ("data key", complement(key.bytes)),
            ("entries key", complement(entriesKey.bytes)),
            ("entry key", complement(name.entryKey)),
            ("value", complement(whole.value.bytes)),
        ]
        // The search finds what is there.
        #expect(try ProcessMemory.count(ofComplement: needles[0].1) > 0)
        return needles
    }

    @Test("once released, no key and no value lies in memory", arguments: [false, true])
    func residue(isSealed: Bool) throws {
        for needle in try Self.use(isSealed: isSealed) {
            #expect(try ProcessMemory.count(ofComplement: needle.complement) == 0, "\(needle.name)")
        }
    }
}
