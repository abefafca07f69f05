import StrongroomCrypto
import StrongroomStores

@testable import StrongroomVault

/// What somebody who has the keys could make, and no version of ours ever does.
enum Forged {
    /// The lines of a sealed key file that names one key and holds another.
    static func sealedKeyLines(
        naming key: MasterKey, holding other: [UInt8], passphrase: [UInt8]
    ) throws -> [String] {
        let salt = try Randomness.bytes(16)
        let derived = try PasswordHash.derive(
            passphrase.span, salt: salt.span, cost: .init(passes: 1, memoryByteCount: 8 << 20),
            byteCount: 64
        ).array
        let (boxKey, tagKey) = (Array(derived[..<32]), Array(derived[32...]))
        let box = try SecretBox.seal(other.span, key: boxKey.span)
        var lines = [KeyFileLines.version, "id \(Hexadecimal.text(of: key.id))"]
        lines += ["kdf argon2id", "passes 1", "memory-kib 8192"]
        lines += ["salt \(Hexadecimal.text(of: salt))"]
        lines += ["nonce \(Hexadecimal.text(of: Array(box[..<24])))"]
        lines += ["box \(Hexadecimal.text(of: Array(box[24...])))"]
        let covered = Array(lines.map { $0 + "\n" }.joined().utf8)
        let tag = try KeyedHash.hash(covered.span, key: tagKey.span, byteCount: 32)
        return lines + ["tag \(Hexadecimal.text(of: tag))"]
    }
}

extension Forged {
    /// A keyring file whose body was changed before it was sealed.
    static func keyring(
        _ keyring: Keyring, _ key: MasterKey, _ change: (inout [UInt8]) -> Void
    ) throws -> [UInt8] {
        let id = try Randomness.bytes(28)
        let whole = Keyring(
            vaultID: keyring.vaultID, app: keyring.app, layout: keyring.layout,
            generation: keyring.generation, state: keyring.state, current: keyring.current,
            next: keyring.next, retired: keyring.retired, wrapIDs: [key.id])
        var body = KeyringBody(keyringID: id, keyring: whole).encoded().copyToArray()
        change(&body)
        let keyringKey = try Randomness.bytes(32)
        let wrap = try SecretBox.seal(keyringKey.span, key: key.wrapKey.bytes)
        let box = try SecretBox.seal(body.span, key: keyringKey.span)
        return KeyringFile(
            id: id, wraps: [.init(masterKeyID: key.id, box: wrap)], body: box
        ).bytes
    }
}

extension Forged {
    /// A sealed entry of any header and any pieces.
    static func entry(
        _ key: String, header: [UInt8], pieces: [[UInt8]], _ dataKey: DataKey
    ) throws -> [UInt8] {
        let name = try dataKey.name(key)
        var sealer = try BoxSealer()
        var sealed = [UInt8](repeating: 0, count: 30 + header.count + 16)
        var all = sealed.mutableSpan
        EntryPrefix(
            dataKeyID: dataKey.id, noncePrefix: sealer.noncePrefix,
            headerBoxByteCount: header.count + 16
        ).write(into: &all)
        var box = all._mutatingExtracting(30...)
        let headersKey = dataKey.headersKey
        try sealer.sealHeader(header.span, key: headersKey.bytes, into: &box)
        for (index, piece) in pieces.enumerated() {
            var box = [UInt8](repeating: 0, count: piece.count + 16)
            var span = box.mutableSpan
            try sealer.sealNext(
                piece.span, isLast: index == pieces.count - 1, key: name.entryKey, into: &span)
            sealed += box
        }
        return sealed
    }

    /// Every way to open the entry `key`.
    static func waysToOpen(
        _ key: String, _ dataKey: DataKey
    ) throws -> [(name: String, open: ([UInt8]) throws -> [UInt8])] {
        try SealedSample(key: key, value: [], dataKey: dataKey).waysToOpen
    }
}
