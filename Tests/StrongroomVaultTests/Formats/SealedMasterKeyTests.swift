import StrongroomCrypto
import StrongroomSystem
import Testing

@testable import StrongroomVault

struct SealedMasterKeyTests {
    private typealias Lines = KeyFileLines
    private static let cheap = PasswordHash.Cost(passes: 1, memoryByteCount: 8 << 20)

    private static func open(_ text: String, _ passphrase: [UInt8]?) throws -> MasterKey {
        let file = try Lines.parse(text)
        let passphrase = try passphrase.map { try SecretKey.of($0) }
        return try file.open(passphrase: passphrase, path: "master.key")
    }

    private static func sealed(
        _ edit: (inout [String]) throws -> Void
    ) throws -> String {
        var lines = [Lines.version, Lines.vault, Lines.id] + (try Lines.sealed())
        try edit(&lines)
        return try Lines.file(lines)
    }

    @Test("a sealed key opens with its passphrase alone")
    func roundTrip() throws {
        let master = try MasterKey.random()
        let vaultID = [UInt8](repeating: 3, count: 16)
        let passphrase = Array("ünïcode \0 and \n bytes".utf8)
        let text = try MasterKeyFile.sealedText(
            of: master, vaultID: vaultID, passphrase: .of(passphrase), cost: Self.cheap)
        let file = try Lines.parse(text.array)
        #expect(file.isSealed)
        #expect(file.vaultID == vaultID)
        #expect(file.keyID == master.id)
        let opened = try Self.open(String(decoding: text.array, as: UTF8.self), passphrase)
        #expect(opened.key.array == master.key.array)
        for wrong in [Array(passphrase.dropLast()), passphrase + [10], [0], master.key.array] {
            #expect(throws: VaultError.wrongPassphrase(path: "master.key")) {
                try Self.open(String(decoding: text.array, as: UTF8.self), wrong)
            }
        }
    }

    @Test("salt, nonce and box are fresh each time")
    func fresh() throws {
        let master = try MasterKey.random()
        let texts = try (0..<2).map { _ in
            let text = try MasterKeyFile.sealedText(
                of: master, vaultID: nil, passphrase: .of([1]), cost: Self.cheap)
            return String(decoding: text.array, as: UTF8.self).split(separator: "\n")
        }
        for name in ["salt", "nonce", "box", "tag", "sum"] {
            let lines = texts.map { $0.first { $0.hasPrefix(name + " ") } }
            #expect(lines[0] != nil && lines[0] != lines[1], "\(name)")
        }
    }

    @Test("what is written costs 3 passes over 256 MiB and is canonical")
    func writtenCost() throws {
        let master = try MasterKey.random()
        let text = String(
            decoding: try MasterKeyFile.sealedText(
                of: master, vaultID: nil, passphrase: .of([1])
            ).array, as: UTF8.self)
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines[0] == Lines.version)
        #expect(lines[1] == "id \(Hexadecimal.text(of: master.id))")
        #expect(lines[2...4] == ["kdf argon2id", "passes 3", "memory-kib 262144"])
        #expect(
            lines.map { $0.split(separator: " ")[0] }[5...] == [
                "salt", "nonce", "box", "tag", "sum", "#", "#",
            ])
        #expect(lines[5...9].map(\.utf8.count) == [37, 54, 100, 68, 36])
        #expect(!text.contains(Hexadecimal.text(of: Array(master.key.array.prefix(4)))))
    }

    @Test("the frozen sealed key opens")
    func fixture() throws {
        let text = String(decoding: try Fixture.bytes("sealed.key"), as: UTF8.self)
        let passphrase = try Fixture.bytes("passphrase")
        #expect(try Self.open(text, passphrase).key.array == Fixture.vector("master"))
    }

    @Test("no passphrase, or the empty one, is a missing passphrase")
    func missing() throws {
        let text = String(decoding: try Fixture.bytes("sealed.key"), as: UTF8.self)
        for none in [nil, []] as [[UInt8]?] {
            #expect(throws: VaultError.passphraseMissing(path: "master.key")) {
                try Self.open(text, none)
            }
        }
    }

    @Test("nothing is sealed with the empty passphrase")
    func empty() throws {
        #expect(
            throws: VaultError.notPossible(what: "an empty passphrase protects nothing; give one")
        ) {
            try MasterKeyFile.sealedText(of: .random(), vaultID: nil, passphrase: .of([]))
        }
    }

    /// The number of a line after version, vault and id, and what an attacker who repairs the checksum puts there.
    private static let changed: [Named<(line: Int, text: String)>] = [
        Named("another vault", (1, "vault 00000000000000000000000000000000")),
        Named("another id", (2, "id 00000000000000000000000000000000")),
        Named("another number of passes", (4, "passes 2")),
        Named("another memory", (5, "memory-kib 8193")),
        Named("another salt", (6, "salt 00000000000000000000000000000000")),
        Named("another nonce", (7, "nonce " + String(repeating: "0", count: 48))),
        Named("another box", (8, "box " + String(repeating: "0", count: 96))),
        Named("another tag", (9, "tag " + String(repeating: "0", count: 64))),
    ]

    @Test("a field that was changed, checksum and all, opens no key", arguments: changed)
    func tamperedField(change: Named<(line: Int, text: String)>) throws {
        let text = try Self.sealed { $0[change.value.line] = change.value.text }
        let passphrase = try Fixture.bytes("passphrase")
        #expect(throws: VaultError.wrongPassphrase(path: "master.key")) {
            try Self.open(text, passphrase)
        }
    }

    @Test("a vault taken out, checksum and all, opens no key")
    func vaultRemoved() throws {
        let text = try Self.sealed { $0.remove(at: 1) }
        let passphrase = try Fixture.bytes("passphrase")
        #expect(throws: VaultError.wrongPassphrase(path: "master.key")) {
            try Self.open(text, passphrase)
        }
    }

    private static let tooCostly =
        "opening it would cost more or less than this version pays "
        + "(8 MiB to 1 GiB, 1 to 16 passes, their product at most 4 GiB)"

    @Test(
        "a cost outside the limits is refused before any memory is taken",
        arguments: [
            ("1", "8191"), ("1", "1048577"), ("17", "8192"), ("5", "1048576"), ("16", "262145"),
            ("999999999999999999", "8192"), ("1", "999999999999999999"), ("1", "18014398509481984"),
        ])
    func cost(passes: String, memory: String) throws {
        let text = try Self.sealed {
            $0[4] = "passes \(passes)"
            $0[5] = "memory-kib \(memory)"
        }
        #expect(throws: Lines.malformed(Self.tooCostly)) { try Lines.parse(text) }
    }

    @Test(
        "a cost at the limits is one",
        arguments: [("1", "8192"), ("16", "8192"), ("4", "1048576"), ("16", "262144")])
    func costAtLimit(passes: String, memory: String) throws {
        let text = try Self.sealed {
            $0[4] = "passes \(passes)"
            $0[5] = "memory-kib \(memory)"
        }
        #expect(try Lines.parse(text).isSealed)
    }

    @Test(
        "a number is written in one way",
        arguments: ["0", "01", "+1", "-1", "1.0", "1e1", "0x1", " 1", "", "1000000000000000000"])
    func number(digits: String) throws {
        let text = try Self.sealed { $0[4] = "passes \(digits)" }
        let reason =
            digits.isEmpty
            ? "the line “passes” is missing, or not in its place"
            : "the line “passes” is no number"
        #expect(throws: Lines.malformed(reason)) { try Lines.parse(text) }
    }

    @Test(
        "another kind of key derivation is refused", arguments: ["argon2i", "scrypt", "argon2id "])
    func kind(kdf: String) throws {
        let text = try Self.sealed { $0[3] = "kdf x\(kdf)" }
        #expect(throws: Lines.malformed("the line “kdf” names something else than argon2id")) {
            try Lines.parse(text)
        }
    }

    @Test("plain and sealed do not mix", arguments: [3, 4, 9, 10])
    func mixed(place: Int) throws {
        let text = try Self.sealed { $0.insert(Lines.key, at: place) }
        #expect(throws: VaultError.self) { try Lines.parse(text) }
    }

    @Test("a box of anything but 48 bytes is refused", arguments: [0, 47, 49, 64])
    func box(count: Int) throws {
        let text = try Self.sealed { $0[8] = "box " + String(repeating: "0", count: count * 2) }
        #expect(throws: VaultError.self) { try Lines.parse(text) }
    }

    @Test("a failure of Argon2id is an I/O error")
    func noMemory() {
        let error = VaultError(.unavailable(operation: "crypto_pwhash"), path: "master.key")
        let expected = VaultError.system(
            operation: "crypto_pwhash", path: "master.key", code: ErrorCode.noMemory)
        #expect(error == expected)
    }

    @Test("a right tag over a box of another key says that the file is malformed")
    func forgedBox() throws {
        let passphrase: [UInt8] = [1, 2, 3]
        let (named, sealed) = (try MasterKey.random(), try MasterKey.random())
        let lines = try Forged.sealedKeyLines(
            naming: named, holding: sealed.key.array, passphrase: passphrase)
        #expect(throws: Lines.malformed("its id is not that of its key")) {
            try Self.open(Lines.file(lines), passphrase)
        }
        let zeros = try Forged.sealedKeyLines(
            naming: named, holding: [UInt8](repeating: 0, count: 32), passphrase: passphrase)
        #expect(throws: Lines.malformed("the key is all zeros")) {
            try Self.open(Lines.file(zeros), passphrase)
        }
    }

    @Test("a sealed key shows nothing of itself")
    func redaction() throws {
        let file = try Lines.parse(Fixture.bytes("sealed.key"))
        var dumped = ""
        dump(file, to: &dumped)
        let key = Hexadecimal.text(of: Array(try Fixture.vector("master").prefix(4)))
        #expect(!dumped.contains(key) && !"\(file)".contains(key))
    }
}
