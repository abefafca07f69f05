import StrongroomCrypto
import StrongroomSystem

@testable import StrongroomStores
@testable import StrongroomVault

/// The frozen files of format 1 and the keys that never change, so that an input says the same in every run.
enum Frozen {
    /// The passphrase of `sealed.key`, and of every sealed key file that is tried.
    static let passphrase = made { try file("passphrase") }
    /// The key of `plain.key`.
    static let master = made { try masterKey("plain.key") }
    /// The key of `next.key`.
    static let nextMaster = made { try masterKey("next.key") }
    /// Every frozen keyring.
    static let keyrings = made { () throws -> [[UInt8]] in
        try ["settled", "begun", "rotating", "finishing", "retired"]
            .map { try file("\($0).keyring") }
    }
    /// What the entries are sealed under.
    static let dataKey = made { () throws -> DataKey in
        let file = keyrings[0]
        return try Keyring(opening: file.span, with: master, path: "keyring").current
    }
    /// The keyring of a vault whose log is tried.
    static let keyring = Keyring(
        vaultID: [UInt8](0..<16), app: "app", layout: .log, current: dataKey)
    /// Its keys.
    static let logKeys = VaultLogKeys(keyring)
    /// The id of every log.
    static let log = Bytes16(low: 0x4C4C_4C4C_4C4C_4C4C, high: 0x4C4C_4C4C_4C4C_4C4C)

    /// Block 0 of a log.
    static func block(isSealed: Bool) -> LogBlock {
        LogBlock(
            isSealed: isSealed, generation: 1, log: log, owner: dataKey.owner, base: .none)
    }

    /// A frozen file.
    static func file(_ name: String) throws -> [UInt8] {
        let tests = "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        let place = try OpenFile.open(
            Path("\(tests)/StrongroomVaultTests/Fixtures/format1"), [.read, .directory],
            fileSystem: RealFileSystem())
        return try place.openFile(Path(name), [.read]).readAll(limit: 1 << 20)
    }

    private static func masterKey(_ name: String) throws -> MasterKey {
        let text = try file(name)
        return try MasterKeyFile(parsing: text.span, path: name).open(passphrase: nil, path: name)
    }

    private static func made<Value>(_ make: () throws -> Value) -> Value {
        do { return try make() } catch { Finding.stop("frozen files: \(error)") }
    }
}

extension SecretKey {
    /// A plain copy; what is tried here is no secret.
    var array: [UInt8] { Array(copying: bytes) }
}
