import StrongroomCrypto
package import StrongroomStores

/// The keyring, opened: which keys seal the store's generations, and what else only the owner of a
/// master key may say.
///
/// Its file is ``KeyringFile``, its body ``KeyringBody``.
package struct Keyring: Sendable {
    /// How far a rotation is.
    package enum State: UInt8, Sendable {
        /// None is under way: one data key.
        case settled = 0
        /// From step 2 to step 5 of `rotate`: the next data key is there too, under the new master key alone.
        case rotating = 1
        /// From `--begin` to `--finish` or `--abort`: the same data key, under two master keys.
        case begun = 2
        /// As `rotating`, reached by `--finish`: no key file is to be moved.
        case finishing = 3
    }

    /// Where the store's entries are.
    package enum Layout: UInt8, Sendable {
        /// One log.
        case log = 1
        /// A file an entry.
        case files = 2
    }

    /// The most data keys that a keyring holds.
    package static let dataKeyCountLimit = 64

    /// The vault's id, 16 bytes.
    package let vaultID: [UInt8]
    /// The app that the vault belongs to.
    package let app: String
    /// The store's layout.
    package var layout: Layout
    /// Counts the writings of the keyring, from 1 on; who changes anything adds 1 before sealing.
    package var generation: UInt64
    /// How far a rotation is.
    ///
    /// `rotating` and `finishing` need `next`, the others none.
    package var state: State
    /// The data key that seals the store's present generation; while `next` is there, the one before it.
    package var current: DataKey
    /// The data key that seals the next generation, from step 2 of a rotation to its step 5.
    package var next: DataKey?
    /// Data keys that are kept for entries which no rotation could open.
    ///
    /// Nothing is sealed with them.
    package var retired: [DataKey]
    /// The master keys that the file was wrapped for, by their ids, in the file's order; empty in a new one.
    package let wrapIDs: [[UInt8]]

    /// The keyring of a new vault: settled, generation 1.
    package init(vaultID: [UInt8], app: String, layout: Layout, current: DataKey) {
        self.init(
            vaultID: vaultID, app: app, layout: layout, generation: 1, state: .settled,
            current: current, next: nil, retired: [], wrapIDs: [])
    }

    init(
        vaultID: [UInt8], app: String, layout: Layout, generation: UInt64, state: State,
        current: DataKey, next: DataKey?, retired: [DataKey], wrapIDs: [[UInt8]]
    ) {
        self.vaultID = vaultID
        self.app = app
        self.layout = layout
        self.generation = generation
        self.state = state
        self.current = current
        self.next = next
        self.retired = retired
        self.wrapIDs = wrapIDs
    }

    /// Every data key: the current one, the next one if there is one, the retired ones.
    package var dataKeys: [DataKey] {
        [current] + (next.map { [$0] } ?? []) + retired
    }

    /// The data key that a generation of that owner is sealed under, current or next; nil if it is neither.
    package func dataKey(of owner: OwnerID?) -> DataKey? {
        if current.owner == owner { return current }
        if let next, next.owner == owner { return next }
        return nil
    }

    /// The ids in clear of the master keys that open `file`, to tell which key fits.
    ///
    /// Throws `.vaultDamaged` or `.newerFormat`; nothing of what it answers is verified.
    package static func wrapIDs(
        of file: Span<UInt8>, path: String
    ) throws(VaultError) -> [[UInt8]] {
        try KeyringFile(parsing: file, path: path).wraps.map { $0.masterKeyID }
    }

    /// Opens `file`.
    ///
    /// `.wrongMasterKey` if `key` opens no wrap; `.vaultDamaged` if anything else is not as it was
    /// written, a wrap's id included; `.newerFormat`.
    package init(
        opening file: Span<UInt8>, with key: MasterKey, path: String
    ) throws(VaultError) {
        let file = try KeyringFile(parsing: file, path: path)
        let keyringKey = try Self.keyringKey(of: file, key, path: path)
        let plain: SecretBuffer
        do {
            plain = try SecretBox.open(file.body.span, key: keyringKey.bytes)
        } catch CryptoError.cannotOpen {
            throw .vaultDamaged(path: path, what: "the keyring's body was altered")
        } catch {
            throw VaultError(error, path: path)
        }
        guard let body = try KeyringBody(decoding: plain.bytes) else {
            throw .vaultDamaged(path: path, what: "the keyring's body is not as it is written")
        }
        let wrapIDs = file.wraps.map { $0.masterKeyID }
        guard body.keyringID == file.id, body.keyring.wrapIDs == wrapIDs else {
            throw .vaultDamaged(path: path, what: "the keyring's ids were altered")
        }
        self = body.keyring
    }

    /// The file's bytes, under a fresh keyring id and a fresh keyring key, which is wrapped for
    /// each of `keys`: two when `begun`, else one.
    ///
    /// `.notPossible` if state, keys and app do not go together.
    package func sealed(for keys: [MasterKey]) throws(VaultError) -> [UInt8] {
        let keyringID: [UInt8]
        do {
            keyringID = try Randomness.bytes(KeyringFile.idByteCount)
        } catch {
            throw VaultError(error, path: "")
        }
        let wrapIDs = keys.map { $0.id }
        let body = KeyringBody(
            keyringID: keyringID,
            keyring: Keyring(
                vaultID: vaultID, app: app, layout: layout, generation: generation, state: state,
                current: current, next: next, retired: retired, wrapIDs: wrapIDs))
        guard body.isSound else {
            throw .notPossible(what: "a keyring of this state, app and keys cannot be written")
        }
        let plain = body.encoded()
        do {
            let keyringKey = try SecretKey(randomByteCount: SecretBox.keyByteCount)
            var wraps: [KeyringFile.Wrap] = []
            for key in keys {
                let box = try SecretBox.seal(keyringKey.bytes, key: key.wrapKey.bytes)
                wraps.append(KeyringFile.Wrap(masterKeyID: key.id, box: box))
            }
            let sealedBody = try SecretBox.seal(plain.bytes, key: keyringKey.bytes)
            return KeyringFile(id: keyringID, wraps: wraps, body: sealedBody).bytes
        } catch {
            throw VaultError(error, path: "")
        }
    }

    /// The key of the body.
    ///
    /// If no wrap names `key` each is tried all the same: one that opens has a damaged id, which is
    /// no wrong key.
    private static func keyringKey(
        of file: KeyringFile, _ key: MasterKey, path: String
    ) throws(VaultError) -> SecretBuffer {
        let isNamed = file.wraps.contains { $0.masterKeyID == key.id }
        for wrap in file.wraps where !isNamed || wrap.masterKeyID == key.id {
            do {
                let opened = try SecretBox.open(wrap.box.span, key: key.wrapKey.bytes)
                if isNamed { return opened }
            } catch CryptoError.cannotOpen {
                continue
            } catch {
                throw VaultError(error, path: path)
            }
            throw .vaultDamaged(
                path: path, what: "the id of a master key in the keyring was altered")
        }
        if isNamed {
            throw .vaultDamaged(path: path, what: "the keyring's own key was altered")
        }
        throw .wrongMasterKey(path: path)
    }
}
