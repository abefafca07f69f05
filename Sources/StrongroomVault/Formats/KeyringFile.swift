import StrongroomCrypto

/// A keyring file as it lies on the disk, taken apart without any key. Integers little-endian:
///
/// | offset | size | what |
/// |---|---|---|
/// | 0 | 4 | `SRK1` |
/// | 4 | 28 | keyring id, random for every writing |
/// | 32 | 1 | number of wraps w: 1 or 2 |
/// | 33 | 88 w | each wrap: master-key id (16), nonce (24), box of the keyring key (48) |
/// | 33 + 88 w | 4 | bytes of the body's box |
/// | 37 + 88 w | 24 | nonce |
/// | 61 + 88 w | … | box of the body, under the keyring key; nothing comes after it |
struct KeyringFile {
    static let byteCountLimit = 65_536
    static let magic: [UInt8] = [0x53, 0x52, 0x4B, 0x31]
    static let idByteCount = 28
    static let wrapCountLimit = 2
    /// Nonce and box of a keyring key.
    static let wrapBoxByteCount =
        SecretBox.nonceByteCount + SecretBox.keyByteCount + SecretBox.overhead

    /// The keyring key under one master key.
    struct Wrap {
        let masterKeyID: [UInt8]
        /// Nonce and box.
        let box: [UInt8]
    }

    let id: [UInt8]
    let wraps: [Wrap]
    /// Nonce and box.
    let body: [UInt8]

    init(id: [UInt8], wraps: [Wrap], body: [UInt8]) {
        self.id = id
        self.wraps = wraps
        self.body = body
    }

    /// Throws `.vaultDamaged` or `.newerFormat`.
    init(parsing file: Span<UInt8>, path: String) throws(VaultError) {
        guard file.count <= Self.byteCountLimit else {
            throw .vaultDamaged(path: path, what: "the keyring is larger than 64 KiB")
        }
        var reader = ByteReader(file)
        guard let magic = reader.array(4), magic[..<3] == Self.magic[..<3] else {
            throw .vaultDamaged(path: path, what: "this is no keyring")
        }
        guard magic == Self.magic else {
            throw FormatVersion.isNewer(magic[3])
                ? .newerFormat(path: path)
                : .vaultDamaged(path: path, what: "this is no keyring")
        }
        let damage = VaultError.vaultDamaged(
            path: path, what: "the keyring was altered or cut short")
        guard let id = reader.array(Self.idByteCount), let count = reader.integer(UInt8.self),
            (1...Self.wrapCountLimit).contains(Int(count))
        else { throw damage }
        var wraps: [Wrap] = []
        for _ in 0..<count {
            guard let masterKeyID = reader.array(MasterKey.idByteCount),
                let box = reader.array(Self.wrapBoxByteCount)
            else { throw damage }
            wraps.append(Wrap(masterKeyID: masterKeyID, box: box))
        }
        guard let bodyByteCount = reader.integer(UInt32.self),
            bodyByteCount >= SecretBox.overhead,
            reader.remaining == SecretBox.nonceByteCount + Int(bodyByteCount),
            let body = reader.array(reader.remaining)
        else { throw damage }
        self.init(id: id, wraps: wraps, body: body)
    }

    /// The file's bytes.
    var bytes: [UInt8] {
        var bytes = Self.magic + id + [UInt8(wraps.count)]
        for wrap in wraps { bytes += wrap.masterKeyID + wrap.box }
        let count = UInt32(body.count - SecretBox.nonceByteCount)
        for shift in stride(from: 0, to: 32, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: count >> shift))
        }
        return bytes + body
    }
}
