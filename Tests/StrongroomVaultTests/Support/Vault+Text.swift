import StrongroomCrypto
import StrongroomStores
import StrongroomVault

// Values as text, for tests.
extension Vault {
    func get(_ key: String) throws(VaultError) -> String? {
        try bytes(key).map { String(decoding: $0, as: UTF8.self) }
    }

    func bytes(_ key: String) throws(VaultError) -> [UInt8]? {
        guard let entry = try read(key) else { return nil }
        return entry.value.copyToArray()
    }

    func readVersion(_ key: String) throws(VaultError) -> Version? {
        guard let entry = try read(key) else { return nil }
        return entry.version
    }

    func set(_ key: String, _ value: String) throws(VaultError) {
        try commit([.set(key, value)], if: [:])
    }

    func del(_ key: String) throws(VaultError) {
        try commit([.del(key: key)], if: [:])
    }

    var keyList: [String] {
        get throws(VaultError) { try list().entries.map { $0.key } }
    }
}

extension VaultChange {
    static func set(_ key: String, _ value: String) -> VaultChange {
        let bytes = SecretBuffer(copying: Array(value.utf8).span)
        return .set(key: key, value: SecretBytes(bytes), attributes: [:])
    }
}

extension SecretKey {
    static func text(_ text: String) throws -> SecretKey {
        try SecretKey(copying: Array(text.utf8).span)
    }
}
