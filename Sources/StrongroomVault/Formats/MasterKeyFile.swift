package import StrongroomCrypto

/// A master-key file, taken apart. It is text, written in one canonical way:
///
/// ```text
/// strongroom-master-key 1
/// vault 32 hexadecimal digits, once the key has a vault
/// id 32 digits
/// key 64 digits
/// sum 32 digits
/// # words for the person who finds it
/// ```
///
/// In a sealed one the lines `kdf argon2id`, `passes`, `memory-kib`, `salt` (32 digits), `nonce` (48), `box` (96)
/// and `tag` (64) stand in place of `key`. `sum` is BLAKE2b (16 bytes, key `strongroom:sum:1`) of the lines before
/// it, each ended by one line feed; it tells damage, nothing more. `tag` is ``SealedMasterKey``'s.
///
/// What an editor does to a text is read all the same: a byte order mark, CRLF, no final newline, spaces
/// at the end of a line, empty lines, comments. Everything else that differs is refused.
package struct MasterKeyFile: Sendable {
    /// The largest key file that is read.
    package static let byteCountLimit = 65_536
    /// Bytes of a vault's id.
    package static let vaultIDByteCount = 16
    private static let magic = "strongroom-master-key"

    /// The key, or what a passphrase opens.
    package enum Contents: Sendable {
        /// In clear.
        case plain(MasterKey)
        /// Under a passphrase.
        case sealed(SealedMasterKey)
    }

    /// The vault that the key opens, 16 bytes; nil if it has none yet.
    package let vaultID: [UInt8]?
    /// The key's id, 16 bytes, in clear also in a sealed one; checked against the key where it is open.
    package let keyID: [UInt8]
    /// The key.
    package let contents: Contents

    /// True if a passphrase is needed.
    package var isSealed: Bool {
        if case .sealed = contents { true } else { false }
    }

    /// Takes `text` apart; `path` is for errors.
    ///
    /// Throws `.masterKeyMalformed`, saying what is wrong, or `.newerFormat`.
    package init(parsing text: Span<UInt8>, path: String) throws(VaultError) {
        guard text.count <= Self.byteCountLimit else {
            throw .masterKeyMalformed(path: path, reason: "it is larger than 64 KiB")
        }
        var reader = KeyFileReader(text, path: path)
        guard !reader.isAtEnd else {
            throw .masterKeyMalformed(path: path, reason: "it is empty")
        }
        try Self.checkVersion(&reader, path: path)
        var vaultID: [UInt8]?
        if let digits = reader.take("vault") {
            vaultID = try KeyFileReader.bytes(
                of: digits, "vault", Self.vaultIDByteCount, path: path)
        }
        let keyID = try reader.bytes("id", MasterKey.idByteCount)
        let contents: Contents
        let lines: SecretWriter
        if let digits = reader.take("key") {
            let key = try Self.key(of: digits, path: path)
            lines = Self.plainLines(vaultID: vaultID, keyID: keyID, key: key)
            try Self.check(&reader, lines.bytes, path: path)
            let master = try MasterKey(key: key, path: path)
            guard master.id == keyID else {
                throw .masterKeyMalformed(path: path, reason: "its id is not that of its key")
            }
            contents = .plain(master)
        } else {
            let sealed = try SealedMasterKey(reading: &reader, vaultID: vaultID, keyID: keyID)
            lines = sealed.lines
            try Self.check(&reader, lines.bytes, path: path)
            contents = .sealed(sealed)
        }
        self.vaultID = vaultID
        self.keyID = keyID
        self.contents = contents
    }

    /// The master key.
    ///
    /// A sealed one throws `.passphraseMissing` without a passphrase or with an empty one, else
    /// what ``SealedMasterKey`` throws.
    package func open(passphrase: SecretKey?, path: String) throws(VaultError) -> MasterKey {
        switch contents {
        case .plain(let key):
            return key
        case .sealed(let sealed):
            guard let passphrase, passphrase.byteCount > 0 else {
                throw .passphraseMissing(path: path)
            }
            return try sealed.open(passphrase: passphrase, path: path)
        }
    }

    /// The text of a plain key file, canonical.
    package static func text(
        of key: MasterKey, vaultID: [UInt8]?
    ) throws(VaultError) -> SecretKey {
        try finished(
            plainLines(vaultID: vaultID, keyID: key.id, key: key.key),
            words: """
                # The master key of a Strongroom vault. Who has it and the vault can read every entry:
                # keep it secret, and keep a copy of it where the vault is not.

                """)
    }

    /// The text of a sealed one, under a fresh salt and nonce; `.notPossible` for the empty passphrase.
    package static func sealedText(
        of key: MasterKey, vaultID: [UInt8]?, passphrase: SecretKey
    ) throws(VaultError) -> SecretKey {
        try sealedText(of: key, vaultID: vaultID, passphrase: passphrase, cost: .written)
    }

    /// The same at another cost.
    static func sealedText(
        of key: MasterKey, vaultID: [UInt8]?, passphrase: SecretKey, cost: PasswordHash.Cost
    ) throws(VaultError) -> SecretKey {
        let sealed = try SealedMasterKey(
            sealing: key, vaultID: vaultID, passphrase: passphrase, cost: cost)
        return try finished(
            sealed.lines,
            words: """
                # The master key of a Strongroom vault, sealed with a passphrase. Without both the vault
                # cannot be read: keep a copy of this file where the vault is not.

                """)
    }

    /// The version line and the lines `vault` and `id`, which every key file starts with.
    static func firstLines(vaultID: [UInt8]?, keyID: [UInt8]) -> SecretWriter {
        var lines = SecretWriter(capacity: 1024)
        lines.append("\(magic) 1\n")
        if let vaultID { lines.append(line: "vault", vaultID.span) }
        lines.append(line: "id", keyID.span)
        return lines
    }

    private static func plainLines(
        vaultID: [UInt8]?, keyID: [UInt8], key: SecretKey
    ) -> SecretWriter {
        var lines = firstLines(vaultID: vaultID, keyID: keyID)
        lines.append(line: "key", key.bytes)
        return lines
    }

    private static func finished(
        _ lines: consuming SecretWriter, words: String
    ) throws(VaultError) -> SecretKey {
        let sum = try sum(of: lines.bytes, path: "")
        var lines = lines
        lines.append(line: "sum", sum.span)
        lines.append(words)
        do {
            return try SecretKey(copying: lines.bytes)
        } catch {
            throw VaultError(error, path: "")
        }
    }

    /// Throws unless the version line comes next and names format 1.
    private static func checkVersion(
        _ reader: inout KeyFileReader, path: String
    ) throws(VaultError) {
        guard let version = reader.take(magic) else {
            throw .masterKeyMalformed(
                path: path, reason: "it does not start with the line “\(magic) 1”")
        }
        if version.equals([0x31]) { return }
        var isNumber = version[0] != 0x30 && version.count <= 9
        for index in version.indices where !(0x30...0x39).contains(version[index]) {
            isNumber = false
        }
        guard isNumber else {
            throw .masterKeyMalformed(path: path, reason: "its version is no number")
        }
        throw .newerFormat(path: path)
    }

    private static func key(of digits: Span<UInt8>, path: String) throws(VaultError) -> SecretKey {
        try KeyFileReader.checkCount(of: digits, "key", MasterKey.byteCount, path: path)
        var key = SecretBuffer(byteCount: MasterKey.byteCount)
        var span = key.mutableBytes
        guard Hexadecimal.decode(digits, into: &span) else {
            throw KeyFileReader.noDigits("key", path: path)
        }
        do {
            return try SecretKey(copying: key.bytes)
        } catch {
            throw VaultError(error, path: path)
        }
    }

    /// Throws unless the line `sum` comes next and last, and is that of `lines`.
    private static func check(
        _ reader: inout KeyFileReader, _ lines: Span<UInt8>, path: String
    ) throws(VaultError) {
        let sum = try reader.bytes("sum", 16)
        guard sum == (try Self.sum(of: lines, path: path)) else {
            throw reader.malformed("its checksum does not fit: it was altered, or copied wrongly")
        }
        guard reader.isAtEnd else {
            throw reader.malformed("there is something after the line “sum”")
        }
    }

    private static func sum(of lines: Span<UInt8>, path: String) throws(VaultError) -> [UInt8] {
        do {
            return try KeyedHash.hash(
                lines, key: Array("strongroom:sum:1".utf8).span, byteCount: 16)
        } catch {
            throw VaultError(error, path: path)
        }
    }
}

extension SecretWriter {
    /// A line of a key file: a name, a space, bytes in hexadecimal, a line feed.
    mutating func append(line name: String, _ bytes: Span<UInt8>) {
        append(name)
        append(0x20)
        append(hex: bytes)
        append(0x0A)
    }
}
