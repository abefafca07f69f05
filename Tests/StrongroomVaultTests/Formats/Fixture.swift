import StrongroomCrypto
import StrongroomSystem
import StrongroomVault

/// The frozen files of format 1.
enum Fixture {
    /// The bytes of the file `name` in a directory of the package, the fixtures' if none is named.
    static func bytes(
        _ name: String, in directory: String = "Tests/StrongroomVaultTests/Fixtures/format1"
    ) throws -> [UInt8] {
        let package = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let place = try OpenFile.open(
            Path("\(package)/\(directory)"), [.read, .directory], fileSystem: RealFileSystem())
        return try place.openFile(Path(name), [.read]).readAll(limit: 1 << 20)
    }

    /// The master key of the key file `<name>.key`.
    static func masterKey(_ name: String) throws -> MasterKey {
        let text = try bytes("\(name).key")
        let file = try MasterKeyFile(parsing: text.span, path: name)
        return try file.open(passphrase: nil, path: name)
    }

    /// The data key that sealed the entries.
    static func dataKey() throws -> DataKey {
        try keyring("settled", masterKey("plain")).current
    }

    /// The keyring `<name>.keyring`, opened.
    static func keyring(_ name: String, _ key: MasterKey) throws -> Keyring {
        let file = try bytes("\(name).keyring")
        return try Keyring(opening: file.span, with: key, path: name)
    }

    /// The fields of every line of `vectors.txt` that starts with `name`, without the name.
    static func vectors(_ name: String) throws -> [[String]] {
        let text = String(decoding: try bytes("vectors.txt"), as: UTF8.self)
        return text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
            .filter { $0.first == name }.map { Array($0.dropFirst()) }
    }

    /// The one vector of that name, bytes in hexadecimal.
    static func vector(_ name: String) throws -> [UInt8] {
        guard let digits = try vectors(name).first?.first else { throw Missing(name: name) }
        return try bytes(ofHex: digits)
    }

    /// The bytes of hexadecimal digits, by the standard library's own parser.
    static func bytes(ofHex digits: String) throws -> [UInt8] {
        let digits = Array(digits)
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(digits[index..<index + 2]), radix: 16) else {
                throw Missing(name: "a byte")
            }
            bytes.append(byte)
        }
        return bytes
    }

    struct Missing: Error {
        let name: String
    }
}

extension SecretKey {
    /// A key of these bytes, which a test may leave lying about.
    static func of(_ bytes: [UInt8]) throws -> SecretKey {
        try SecretKey(copying: bytes.span)
    }

    /// A plain copy of the bytes.
    var array: [UInt8] {
        var array: [UInt8] = []
        for index in bytes.indices { array.append(bytes[index]) }
        return array
    }
}
