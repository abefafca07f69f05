import StrongroomCrypto

/// What is inside a keyring's box. Integers little-endian:
///
/// | size | what |
/// |---|---|
/// | 28 | keyring id again |
/// | 1 | number of wraps w |
/// | 16 w | the wraps' master-key ids again |
/// | 16 | vault id |
/// | 1 | byte count of the app id, 1 to 128 |
/// | … | app id |
/// | 1 | store layout: 1 log, 2 files |
/// | 8 | keyring generation, from 1 on |
/// | 1 | rotation state: 0 settled, 1 rotating, 2 begun, 3 finishing |
/// | 1 | number of data keys: 1 to 64 |
/// | 33 each | role (1 current, 2 next, 3 retired) and data key (32); one current, the next one if the state is 1 or 3, then the retired ones |
struct KeyringBody {
    private enum Role: UInt8 {
        case current = 1
        case next = 2
        case retired = 3
    }

    let keyringID: [UInt8]
    let keyring: Keyring

    init(keyringID: [UInt8], keyring: Keyring) {
        self.keyringID = keyringID
        self.keyring = keyring
    }

    /// True if this is something that may be written, and so read.
    var isSound: Bool {
        let isUnderWay = keyring.state == .rotating || keyring.state == .finishing
        let wraps = keyring.wrapIDs
        let keys = keyring.dataKeys
        return isUnderWay == (keyring.next != nil)
            && wraps.count == (keyring.state == .begun ? 2 : 1) && Self.areDistinct(wraps)
            && keys.count <= Keyring.dataKeyCountLimit
            && Self.areDistinct(keys.map { $0.id })
            && keyring.vaultID.count == MasterKeyFile.vaultIDByteCount && keyring.generation > 0
            && Self.isApp(keyring.app)
    }

    /// True if no two of them are the same.
    ///
    /// A set would cost more than comparing so few.
    private static func areDistinct(_ ids: [[UInt8]]) -> Bool {
        for (index, id) in ids.enumerated() where ids[..<index].contains(id) { return false }
        return true
    }

    /// App ids as ARCHITECTURE section 4 has them.
    private static func isApp(_ app: String) -> Bool {
        for (index, byte) in app.utf8.enumerated() {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"):
                continue
            case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                guard index > 0 else { return false }
            default:
                return false
            }
        }
        return (1...128).contains(app.utf8.count)
    }

    func encoded() -> SecretBuffer {
        let keys = keyring.dataKeys
        var writer = SecretWriter(
            capacity: 57 + keyring.wrapIDs.count * MasterKey.idByteCount + keyring.app.utf8.count
                + keys.count * (1 + DataKey.byteCount))
        writer.append(keyringID.span)
        writer.append(UInt8(keyring.wrapIDs.count))
        for id in keyring.wrapIDs { writer.append(id.span) }
        writer.append(keyring.vaultID.span)
        writer.append(UInt8(keyring.app.utf8.count))
        writer.append(keyring.app)
        writer.append(keyring.layout.rawValue)
        writer.append(integer: keyring.generation)
        writer.append(keyring.state.rawValue)
        writer.append(UInt8(keys.count))
        for (index, key) in keys.enumerated() {
            let role: Role =
                index == 0 ? .current : index == 1 && keyring.next != nil ? .next : .retired
            writer.append(role.rawValue)
            let bytes = key.key
            writer.append(bytes.bytes)
        }
        return writer.finish()
    }

    /// Nil if the bytes are anything that `encoded` does not write.
    ///
    /// Throws only where libsodium fails.
    init?(decoding bytes: Span<UInt8>) throws(VaultError) {
        var reader = ByteReader(bytes)
        guard let keyringID = reader.array(KeyringFile.idByteCount),
            let wrapCount = reader.integer(UInt8.self)
        else { return nil }
        var wrapIDs: [[UInt8]] = []
        for _ in 0..<wrapCount {
            guard let id = reader.array(MasterKey.idByteCount) else { return nil }
            wrapIDs.append(id)
        }
        guard let vaultID = reader.array(MasterKeyFile.vaultIDByteCount),
            let appByteCount = reader.integer(UInt8.self),
            let app = reader.text(Int(appByteCount)),
            let layout = Keyring.Layout(rawValue: reader.integer(UInt8.self) ?? 0),
            let generation = reader.integer(UInt64.self),
            let state = Keyring.State(rawValue: reader.integer(UInt8.self) ?? .max),
            let count = reader.integer(UInt8.self), count <= Keyring.dataKeyCountLimit,
            let current = try Self.dataKey(.current, &reader)
        else { return nil }
        var next: DataKey?
        if state == .rotating || state == .finishing {
            next = try Self.dataKey(.next, &reader)
            guard next != nil else { return nil }
        }
        var retired: [DataKey] = []
        while retired.count + (next == nil ? 1 : 2) < count {
            guard let key = try Self.dataKey(.retired, &reader) else { return nil }
            retired.append(key)
        }
        self.init(
            keyringID: keyringID,
            keyring: Keyring(
                vaultID: vaultID, app: app, layout: layout, generation: generation, state: state,
                current: current, next: next, retired: retired, wrapIDs: wrapIDs))
        guard reader.remaining == 0, keyring.dataKeys.count == count, isSound else { return nil }
    }

    private static func dataKey(
        _ role: Role, _ reader: inout ByteReader
    ) throws(VaultError) -> DataKey? {
        guard reader.integer(UInt8.self) == role.rawValue,
            let bytes = reader.take(DataKey.byteCount)
        else { return nil }
        let key: SecretKey
        do {
            key = try SecretKey(copying: bytes)
        } catch {
            throw VaultError(error, path: "")
        }
        return try DataKey(key: key)
    }
}
