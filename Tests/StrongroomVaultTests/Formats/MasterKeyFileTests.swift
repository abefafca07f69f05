import StrongroomCrypto
@testable import StrongroomVault
import Testing

struct MasterKeyFileTests {
    private typealias Lines = KeyFileLines
    private static let whole = [Lines.version, Lines.vault, Lines.id, Lines.key]

    @Test("a key file is written in one way, pinned here")
    func canonicalText() throws {
        let master = try MasterKey(key: .of(Fixture.vector("master")))
        let vaultID = try Fixture.bytes(ofHex: "1401307cca2784a946a034d4974ce2bd")
        let text = try MasterKeyFile.text(of: master, vaultID: vaultID)
        #expect(
            String(decoding: text.array, as: UTF8.self) == """
                strongroom-master-key 1
                vault 1401307cca2784a946a034d4974ce2bd
                id 006c695c21398b467febd6ccf48b5762
                key 13375034e0ea9ba088b4f5dea755c12dc7c31762f007c77ad0000f933c88c56f
                sum fb0a9a5dd50ee5d44417b8204de6bb08
                # The master key of a Strongroom vault. Who has it and the vault can read every entry:
                # keep it secret, and keep a copy of it where the vault is not.

                """)
    }

    @Test("the key, its id and its vault come back, with and without a vault")
    func roundTrip() throws {
        for vaultID in [nil, [UInt8](repeating: 0xA5, count: 16)] {
            let master = try MasterKey.random()
            let text = try MasterKeyFile.text(of: master, vaultID: vaultID).array
            let file = try Lines.parse(text)
            #expect(file.vaultID == vaultID)
            #expect(file.keyID == master.id)
            #expect(!file.isSealed)
            let opened = try file.open(passphrase: nil, path: "master.key")
            #expect(opened.key.array == master.key.array)
        }
    }

    @Test("the frozen key files open")
    func fixtures() throws {
        let plain = try Lines.parse(Fixture.bytes("plain.key"))
        #expect(try plain.vaultID == Fixture.bytes(ofHex: "1401307cca2784a946a034d4974ce2bd"))
        #expect(try Fixture.masterKey("plain").key.array == Fixture.vector("master"))
        #expect(try Lines.parse(Fixture.bytes("without-vault.key")).vaultID == nil)
        #expect(try Fixture.masterKey("without-vault").key.array == Fixture.vector("master"))
    }

    /// What an editor, a mail program or a person may make of a key file without harm.
    private static let harmless: [Named<@Sendable (String) -> String>] = [
        Named("no final line feed", { String($0.dropLast()) }),
        Named("two final line feeds", { $0 + "\n" }),
        Named("CRLF", { $0.replacing("\n", with: "\r\n") }),
        Named(
            "CRLF, the last one missing", { String($0.dropLast()).replacing("\n", with: "\r\n") }),
        Named("byte order mark", { "\u{FEFF}" + $0 }),
        Named("byte order mark and CRLF", { "\u{FEFF}" + $0.replacing("\n", with: "\r\n") }),
        Named("spaces and tabs at the end of each line", { $0.replacing("\n", with: " \t \n") }),
        Named(
            "blank lines before, between and after", { "\n\n" + $0.replacing("\n", with: "\n\n") }),
        Named("blank lines of spaces", { $0.replacing("\n", with: "\n  \t\r\n") }),
        Named("comments everywhere", { "# a\n" + $0.replacing("\n", with: "\n# b é\n#\n") }),
        Named("a comment of bytes that are no text", { $0 + "#\u{0}\u{1B}" }),
    ]

    @Test("what an editor does to a key file does no harm", arguments: harmless)
    func tolerance(edit: Named<@Sendable (String) -> String>) throws {
        let sealed = [Lines.version, Lines.vault, Lines.id] + (try Lines.sealed())
        for lines in [Self.whole, sealed] {
            let file = try Lines.parse(edit.value(Lines.file(lines)))
            #expect(Hexadecimal.text(of: file.keyID) == "006c695c21398b467febd6ccf48b5762")
        }
    }

    private static let refused: [Named<([String], String)>] = [
        Named("no line", ([], "it does not start with the line “strongroom-master-key 1”")),
        Named(
            "no version line",
            (
                [Lines.vault, Lines.id, Lines.key],
                "it does not start with the line “strongroom-master-key 1”"
            )),
        Named(
            "a version that is no number",
            (["strongroom-master-key one", Lines.id, Lines.key], "its version is no number")),
        Named(
            "version 0",
            (["strongroom-master-key 0", Lines.id, Lines.key], "its version is no number")),
        Named(
            "version 01",
            (["strongroom-master-key 01", Lines.id, Lines.key], "its version is no number")),
        Named(
            "two spaces before the version",
            (["strongroom-master-key  1", Lines.id, Lines.key], "its version is no number")),
        Named(
            "a space before the version line",
            (
                [" " + Lines.version, Lines.id, Lines.key],
                "it does not start with the line “strongroom-master-key 1”"
            )),
        Named(
            "no id", ([Lines.version, Lines.key], "the line “id” is missing, or not in its place")),
        Named(
            "no key",
            (
                [Lines.version, Lines.vault, Lines.id],
                "the line “kdf” is missing, or not in its place"
            )),
        Named(
            "vault after id",
            (
                [Lines.version, Lines.id, Lines.vault, Lines.key],
                "the line “kdf” is missing, or not in its place"
            )),
        Named(
            "two keys",
            (
                [Lines.version, Lines.vault, Lines.id, Lines.key, Lines.key],
                "the line “sum” is missing, or not in its place"
            )),
        Named(
            "two vaults",
            (
                [Lines.version, Lines.vault, Lines.vault, Lines.id, Lines.key],
                "the line “id” is missing, or not in its place"
            )),
        Named(
            "an unknown line",
            (
                [Lines.version, "comment none", Lines.id, Lines.key],
                "the line “id” is missing, or not in its place"
            )),
        Named(
            "an empty key",
            (
                [Lines.version, Lines.id, "key"],
                "the line “kdf” is missing, or not in its place"
            )),
        Named(
            "a key of 31 bytes",
            (
                [Lines.version, Lines.id, String(Lines.key.dropLast(2))],
                "the line “key” has 62 digits instead of 64"
            )),
        Named(
            "a key of 33 bytes",
            (
                [Lines.version, Lines.id, Lines.key + "00"],
                "the line “key” has 66 digits instead of 64"
            )),
        Named(
            "a key with half a byte",
            (
                [Lines.version, Lines.id, Lines.key + "0"],
                "the line “key” has 65 digits instead of 64"
            )),
        Named(
            "a key in capitals",
            (
                [Lines.version, Lines.id, "key " + Lines.key.dropFirst(4).uppercased()],
                "the line “key” holds something else than the digits 0 to 9 and a to f"
            )),
        Named(
            "a key of zeros",
            (
                [Lines.version, Lines.id, "key " + String(repeating: "0", count: 64)],
                "the key is all zeros"
            )),
        Named(
            "the id of another key",
            (
                [Lines.version, "id " + String(repeating: "0", count: 32), Lines.key],
                "its id is not that of its key"
            )),
        Named(
            "a short id",
            (
                [Lines.version, String(Lines.id.dropLast()), Lines.key],
                "the line “id” has 31 digits instead of 32"
            )),
        Named(
            "a long vault id",
            (
                [Lines.version, Lines.vault + "00", Lines.id, Lines.key],
                "the line “vault” has 34 digits instead of 32"
            )),
    ]

    @Test(
        "a key file that is none says what is wrong, and nothing of what it holds",
        arguments: refused)
    func malformed(lines: Named<([String], String)>) throws {
        let text = lines.value.0.isEmpty ? "x" : try Lines.file(lines.value.0)
        #expect(throws: Lines.malformed(lines.value.1)) { try Lines.parse(text) }
    }

    @Test(
        "bytes that are no key file are refused",
        arguments: [
            Named("empty", ([], "it is empty")), Named("a line feed", ([10], "it is empty")),
            Named("a byte order mark", ([0xEF, 0xBB, 0xBF], "it is empty")),
            Named("a comment", ([0x23, 0x20], "it is empty")),
            Named(
                "31 bytes",
                (
                    [UInt8](repeating: 7, count: 31),
                    "it does not start with the line “strongroom-master-key 1”"
                )),
            Named(
                "32 zero bytes",
                (
                    [UInt8](repeating: 0, count: 32),
                    "it does not start with the line “strongroom-master-key 1”"
                )),
            Named(
                "64 KiB and a byte",
                ([UInt8](repeating: 0x23, count: 65_537), "it is larger than 64 KiB")),
        ])
    func noKeyFile(bytes: Named<([UInt8], String)>) throws {
        #expect(throws: Lines.malformed(bytes.value.1)) { try Lines.parse(bytes.value.0) }
    }

    @Test("64 KiB of comments are read")
    func largest() throws {
        let text = try Lines.file(Self.whole)
        let file = text + String(repeating: "#", count: 65_536 - text.utf8.count)
        #expect(try Lines.parse(file).keyID == Fixture.vector("master-1"))
    }

    @Test("a checksum that does not fit, or something after it, is refused")
    func checksum() throws {
        let text = try Lines.file(Self.whole)
        let other = try Lines.file([Lines.version, Lines.id, Lines.key])
        let sum = text.suffix(37)
        #expect(
            throws: Lines.malformed("its checksum does not fit: it was altered, or copied wrongly")
        ) {
            try Lines.parse(String(other.dropLast(37) + sum))
        }
        #expect(throws: Lines.malformed("there is something after the line “sum”")) {
            try Lines.parse(text + Lines.key + "\n")
        }
        #expect(throws: Lines.malformed("there is something after the line “sum”")) {
            try Lines.parse(text + text)
        }
    }

    @Test(
        "a later version is a newer format, not damage", arguments: ["2", "9", "10", "999999999"])
    func newer(version: String) throws {
        for rest in ["\n", "\nwhatever\n", ""] {
            #expect(throws: VaultError.newerFormat(path: "master.key")) {
                try Lines.parse("strongroom-master-key \(version)\(rest)")
            }
        }
    }

    @Test("no flipped bit of a key file gives another key or another vault")
    func flips() throws {
        for name in ["plain.key", "sealed.key"] {
            let text = try Fixture.bytes(name)
            let (vaultID, keyID) = (try Lines.parse(text).vaultID, try Lines.parse(text).keyID)
            for index in text.indices {
                for bit in 0..<8 {
                    var flipped = text
                    flipped[index] ^= 1 << bit
                    do {
                        let file = try Lines.parse(flipped)
                        // A line feed that became white space at the end of a line.
                        #expect(file.keyID == keyID && file.vaultID == vaultID)
                        #expect([0x0A].contains(text[index]), "byte \(index), bit \(bit)")
                    } catch VaultError.masterKeyMalformed(path: "master.key", _) {
                        continue
                    } catch VaultError.newerFormat(path: "master.key") {
                        #expect(index == 22, "only the digit of the version")
                    }
                }
            }
        }
    }

    @Test("a key file that was cut short is refused, but for its last line feed")
    func cuts() throws {
        for name in ["plain.key", "sealed.key"] {
            let text = try Fixture.bytes(name)
            for count in 0..<text.count - 1 {
                #expect(throws: VaultError.self) { try Lines.parse([UInt8](text.prefix(count))) }
            }
            #expect(try Lines.parse([UInt8](text.dropLast())).keyID == Fixture.vector("master-1"))
        }
    }

    @Test("errors and descriptions hold no byte of a key")
    func redaction() throws {
        let text = try Lines.file(Self.whole)
        let file = try Lines.parse(text)
        let digits = String(Lines.key.dropFirst(4))
        var dumped = ""
        dump(file, to: &dumped)
        for text in ["\(file)", String(reflecting: file), dumped, "\(file.contents)"] {
            #expect(!text.contains(digits.prefix(8)))
            #expect(text.contains("SecretKey(32 bytes, redacted)"))
        }
        for cut in 0..<text.utf8.count - 1 {
            do {
                _ = try Lines.parse(String(text.prefix(cut)))
            } catch {
                #expect(!"\(error)".contains(digits.prefix(4)))
            }
        }
    }
}
