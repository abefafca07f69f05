import StrongroomCrypto
@testable import StrongroomVault

/// Key files made line by line, with a checksum that fits whatever the lines say.
enum KeyFileLines {
    static let version = "strongroom-master-key 1"
    static let vault = "vault 1401307cca2784a946a034d4974ce2bd"
    static let id = "id 006c695c21398b467febd6ccf48b5762"
    static let key = "key 13375034e0ea9ba088b4f5dea755c12dc7c31762f007c77ad0000f933c88c56f"

    /// The lines of the frozen sealed key file, from `kdf` to `tag`.
    static func sealed() throws -> [String] {
        let text = String(decoding: try Fixture.bytes("sealed.key"), as: UTF8.self)
        return Array(text.split(separator: "\n").map(String.init)[3..<10])
    }

    /// The file of `lines` and their checksum.
    static func file(_ lines: [String]) throws -> String {
        let text = lines.map { $0 + "\n" }.joined()
        let (bytes, key) = (Array(text.utf8), Array("strongroom:sum:1".utf8))
        let sum = try KeyedHash.hash(bytes.span, key: key.span, byteCount: 16)
        return text + "sum \(Hexadecimal.text(of: sum))\n"
    }

    /// What parsing `text` says.
    static func parse(_ text: [UInt8]) throws -> MasterKeyFile {
        try MasterKeyFile(parsing: text.span, path: "master.key")
    }

    static func parse(_ text: String) throws -> MasterKeyFile {
        try parse(Array(text.utf8))
    }

    static func malformed(_ reason: String) -> VaultError {
        .masterKeyMalformed(path: "master.key", reason: reason)
    }
}
