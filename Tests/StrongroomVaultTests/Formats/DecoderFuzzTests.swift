import StrongroomCrypto
import StrongroomStores
import Testing

@testable import StrongroomVault

/// Seeded random bytes, and seeded changes of what is sound, for each decoder: an error, never a crash.
struct DecoderFuzzTests {
    /// Bytes that a decoder may choke on: random ones, or `sound` with a few changes.
    private static func input(_ sound: [UInt8], _ random: inout Seeded) -> [UInt8] {
        guard Int.random(in: 0..<4, using: &random) > 0 else {
            return random.bytes(Int.random(in: 0..<400, using: &random))
        }
        var bytes = sound
        for _ in 0...Int.random(in: 0..<4, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes.removeSubrange(place...)
            case 1: bytes.insert(contentsOf: random.bytes(8), at: place)
            case 2: bytes.insert(contentsOf: [UInt8](repeating: 0, count: 70), at: place)
            case 3: bytes = [UInt8](bytes[place...]) + bytes[..<place]
            default:
                guard place < bytes.count else { continue }
                bytes[place] =
                    [0, 1, 0x7F, 0x80, 0xFF, 0x0A, 0x20].randomElement(using: &random) ?? 0
            }
        }
        return bytes
    }

    @Test("key files", arguments: ["plain.key", "sealed.key"])
    func keyFiles(name: String) throws {
        let sound = try Fixture.bytes(name)
        let id = try Fixture.vector("master-1")
        var random = Seeded(20)
        for _ in 0..<5000 {
            let text = Self.input(sound, &random)
            do {
                let file = try MasterKeyFile(parsing: text.span, path: "k")
                #expect(file.keyID == id)
            } catch {
                switch error {
                case .masterKeyMalformed, .newerFormat: continue
                default: Issue.record("\(error)")
                }
            }
        }
    }

    @Test("keyrings")
    func keyrings() throws {
        let sound = try Fixture.bytes("settled.keyring")
        let key = try Fixture.masterKey("plain")
        var random = Seeded(21)
        for _ in 0..<5000 {
            let file = Self.input(sound, &random)
            do {
                _ = try Keyring(opening: file.span, with: key, path: "k")
                #expect(file == sound)
            } catch {
                switch error {
                case .vaultDamaged, .newerFormat, .wrongMasterKey: continue
                default: Issue.record("\(error)")
                }
            }
        }
    }

    @Test("bodies of keyrings")
    func keyringBodies() throws {
        let key = try Fixture.masterKey("next")
        let keyring = try Fixture.keyring("finishing", key)
        let id = [UInt8](repeating: 7, count: 28)
        let sound = KeyringBody(keyringID: id, keyring: keyring).encoded().copyToArray()
        var random = Seeded(22)
        for _ in 0..<5000 {
            let body = Self.input(sound, &random)
            // Whatever is read is what would be written.
            if let read = try KeyringBody(decoding: body.span) {
                #expect(read.encoded().copyToArray() == body)
            }
        }
    }

    @Test("entries, each way to open them")
    func entries() throws {
        var random = Seeded(23)
        let sample = try SealedSample(value: random.bytes(100), attributes: ["a": "b"])
        for _ in 0..<3000 {
            let sealed = Self.input(sample.sealed, &random)
            for way in sample.waysToOpen {
                do {
                    #expect(try way.open(sealed) == sample.value)
                } catch VaultError.damaged(key: "key") {
                    continue
                } catch VaultError.newerFormat(path: "key") {
                    continue
                }
            }
        }
    }

    @Test("headers of entries")
    func headers() throws {
        let header = EntryHeader(
            key: "folder/café", byteCount: 7, created: -1, modified: 1,
            attributes: ["name": "value", "x": ""])
        let sound = try header.encoded(key: "").copyToArray()
        #expect(EntryHeader(decoding: sound.span) == header)
        var random = Seeded(24)
        for _ in 0..<20_000 {
            let bytes = Self.input(sound, &random)
            if let read = EntryHeader(decoding: bytes.span) {
                #expect(try read.encoded(key: "").copyToArray() == bytes)
            }
        }
    }
}
