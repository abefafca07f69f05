package import StrongroomCrypto

/// The 32 bytes at the top, with what is derived from them (`crypto_kdf`, context `SRmastr1`).
package struct MasterKey: Sendable {
    /// Bytes of a master key.
    package static let byteCount = 32
    /// Bytes of its id.
    package static let idByteCount = 16

    /// The key itself, 32 bytes.
    package let key: SecretKey
    /// Subkey 1, 16 bytes, which is no secret: recomputed at every load.
    package let id: [UInt8]
    /// Subkey 2, 32 bytes: seals the keyring key.
    package let wrapKey: SecretKey

    /// The master key of these 32 bytes, which are not all zero; else `.masterKeyMalformed`.
    package init(key: SecretKey) throws(VaultError) {
        try self.init(key: key, path: "")
    }

    /// The same, for a key that came from `path`.
    init(key: SecretKey, path: String) throws(VaultError) {
        guard key.byteCount == Self.byteCount else {
            throw .masterKeyMalformed(path: path, reason: "the key is not 32 bytes long")
        }
        let zeros = [UInt8](repeating: 0, count: Self.byteCount)
        guard !equalInConstantTime(key.bytes, zeros.span) else {
            throw .masterKeyMalformed(path: path, reason: "the key is all zeros")
        }
        do {
            self = try MasterKey(deriving: key)
        } catch {
            throw VaultError(error, path: path)
        }
    }

    private init(deriving key: SecretKey) throws(CryptoError) {
        let context = "SRmastr1"
        let idKey = try KeyDerivation.subkey(
            1, byteCount: Self.idByteCount, context: context, of: key.bytes)
        let wrapKey = try KeyDerivation.subkey(2, context: context, of: key.bytes)
        self.key = key
        id = [UInt8](copying: idKey.bytes)
        self.wrapKey = wrapKey
    }

    /// A fresh random one.
    package static func random() throws(VaultError) -> MasterKey {
        let key: SecretKey
        do {
            key = try SecretKey(randomByteCount: byteCount)
        } catch {
            throw VaultError(error, path: "")
        }
        return try MasterKey(key: key)
    }
}
