import StrongroomCrypto

/// A master key sealed with a passphrase, as it stands in a key file.
///
/// Argon2id (1.3) makes 64 bytes of passphrase and salt: the first 32 seal the key, the last 32 key
/// a BLAKE2b over every field of the file, compared in constant time before the box is opened,
/// because a secretbox does not commit to its key.
package struct SealedMasterKey: Sendable {
    static let saltByteCount = PasswordHash.saltByteCount
    static let boxByteCount = MasterKey.byteCount + SecretBox.overhead
    static let tagByteCount = 32

    let vaultID: [UInt8]?
    let keyID: [UInt8]
    let cost: PasswordHash.Cost
    let salt: [UInt8]
    let nonce: [UInt8]
    let box: [UInt8]
    private(set) var tag: [UInt8] = []

    /// The next lines of a key file, `kdf` to `tag`.
    ///
    /// The cost is judged here, before any memory is taken.
    init(
        reading reader: inout KeyFileReader, vaultID: [UInt8]?, keyID: [UInt8]
    ) throws(VaultError) {
        guard try reader.require("kdf").equals(Array("argon2id".utf8)) else {
            throw reader.malformed("the line “kdf” names something else than argon2id")
        }
        let passes = try reader.number("passes")
        let kibibytes = try reader.number("memory-kib")
        let cost = PasswordHash.Cost(passes: passes, memoryByteCount: kibibytes << 10)
        guard kibibytes < 1 << 40, cost.isAllowed else {
            throw reader.malformed(
                "opening it would cost more or less than this version pays "
                    + "(8 MiB to 1 GiB, 1 to 16 passes, their product at most 4 GiB)")
        }
        let salt = try reader.bytes("salt", Self.saltByteCount)
        let nonce = try reader.bytes("nonce", SecretBox.nonceByteCount)
        let box = try reader.bytes("box", Self.boxByteCount)
        let tag = try reader.bytes("tag", Self.tagByteCount)
        self.vaultID = vaultID
        self.keyID = keyID
        self.cost = cost
        self.salt = salt
        self.nonce = nonce
        self.box = box
        self.tag = tag
    }

    /// Seals `key` under a fresh salt and nonce.
    init(
        sealing key: MasterKey, vaultID: [UInt8]?, passphrase: SecretKey, cost: PasswordHash.Cost
    ) throws(VaultError) {
        guard passphrase.byteCount > 0 else {
            throw .notPossible(what: "an empty passphrase protects nothing; give one")
        }
        do {
            self = try SealedMasterKey(
                making: key, vaultID: vaultID, passphrase: passphrase, cost: cost)
        } catch {
            throw VaultError(error, path: "")
        }
    }

    private init(
        making key: MasterKey, vaultID: [UInt8]?, passphrase: SecretKey, cost: PasswordHash.Cost
    ) throws(CryptoError) {
        let salt = try Randomness.bytes(Self.saltByteCount)
        let derived = try PasswordHash.derive(
            passphrase.bytes, salt: salt.span, cost: cost, byteCount: 64)
        let sealed = try SecretBox.seal(key.key.bytes, key: derived.bytes.extracting(0..<32))
        self.vaultID = vaultID
        keyID = key.id
        self.cost = cost
        self.salt = salt
        nonce = Array(sealed[..<SecretBox.nonceByteCount])
        box = Array(sealed[SecretBox.nonceByteCount...])
        tag = try Self.tag(of: fields.bytes, key: derived)
    }

    /// The master key.
    ///
    /// Throws `.wrongPassphrase`; `.masterKeyMalformed` if the passphrase is right and the key is
    /// not the one that the file names; `.system` if there is not enough memory.
    func open(passphrase: SecretKey, path: String) throws(VaultError) -> MasterKey {
        let key: SecretKey
        do {
            let derived = try PasswordHash.derive(
                passphrase.bytes, salt: salt.span, cost: cost, byteCount: 64)
            let expected = try Self.tag(of: fields.bytes, key: derived)
            guard equalInConstantTime(expected.span, tag.span) else {
                throw VaultError.wrongPassphrase(path: path)
            }
            let plain = try SecretBox.open(
                (nonce + box).span, key: derived.bytes.extracting(0..<32))
            key = try SecretKey(copying: plain.bytes)
        } catch let error as VaultError {
            throw error
        } catch CryptoError.cannotOpen {
            throw .masterKeyMalformed(path: path, reason: "its box does not open")
        } catch {
            throw VaultError(untyped: error, path: path)
        }
        let master = try MasterKey(key: key, path: path)
        guard master.id == keyID else {
            throw .masterKeyMalformed(path: path, reason: "its id is not that of its key")
        }
        return master
    }

    /// The canonical lines that the tag covers: the version line to `box`.
    private var fields: SecretWriter {
        var lines = MasterKeyFile.firstLines(vaultID: vaultID, keyID: keyID)
        lines.append("kdf argon2id\npasses \(cost.passes)\n")
        lines.append("memory-kib \(cost.memoryByteCount >> 10)\n")
        lines.append(line: "salt", salt.span)
        lines.append(line: "nonce", nonce.span)
        lines.append(line: "box", box.span)
        return lines
    }

    /// The canonical lines, the version line to `tag`.
    var lines: SecretWriter {
        var lines = fields
        lines.append(line: "tag", tag.span)
        return lines
    }

    private static func tag(
        of fields: Span<UInt8>, key derived: SecretKey
    ) throws(CryptoError) -> [UInt8] {
        try KeyedHash.hash(
            fields, key: derived.bytes.extracting(32..<64), byteCount: tagByteCount)
    }
}
