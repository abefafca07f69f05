package import StrongroomCrypto
package import StrongroomStores

/// A data key and what is derived from it (`crypto_kdf`, context `SRdata_1`).
///
/// One purpose a key. It is one object, which two threads that seal pass around at the cost of one reference.
package final class DataKey: Sendable {
    /// Bytes of a data key.
    package static let byteCount = 32
    /// Bytes of its id.
    package static let idByteCount = 8

    /// The key itself, 32 bytes, as it stands in the keyring.
    package let key: SecretKey
    /// The first 8 bytes of subkey 16, no secret: recomputed when a keyring is read.
    package let id: [UInt8]
    /// Subkey 1: keys the hash of names.
    package let entriesKey: SecretKey
    /// Subkey 2: seals headers.
    package let headersKey: SecretKey
    /// Subkey 3: keys chain tags.
    package let chainKey: SecretKey
    /// Subkey 4: keys the index.
    package let indexKey: SecretKey

    /// The data key of these 32 bytes.
    package init(key: SecretKey) throws(VaultError) {
        let context = "SRdata_1"
        self.key = key
        do {
            let idKey = try KeyDerivation.subkey(16, byteCount: 16, context: context, of: key.bytes)
            id = [UInt8](copying: idKey.bytes.extracting(0..<Self.idByteCount))
            entriesKey = try KeyDerivation.subkey(1, context: context, of: key.bytes)
            headersKey = try KeyDerivation.subkey(2, context: context, of: key.bytes)
            chainKey = try KeyDerivation.subkey(3, context: context, of: key.bytes)
            indexKey = try KeyDerivation.subkey(4, context: context, of: key.bytes)
        } catch {
            throw VaultError(error, path: "")
        }
    }

    /// A fresh random one.
    package static func random() throws(VaultError) -> DataKey {
        let key: SecretKey
        do {
            key = try SecretKey(randomByteCount: byteCount)
        } catch {
            throw VaultError(error, path: "")
        }
        return try DataKey(key: key)
    }

    /// The id as the store's owner id: a generation belongs to the one data key that seals it.
    package var owner: OwnerID { OwnerID(id) }

    /// The place alone of the entry of that name, which is no secret; `.invalidKey` if it is no key.
    func entryID(_ key: String) throws(VaultError) -> EntryID {
        guard let text = KeyText(key) else { throw .invalidKey(key: key) }
        var hash = SecretBuffer(byteCount: EntryName.hashByteCount)
        let entriesKey = self.entriesKey
        do {
            var span = hash.mutableBytes
            try KeyedHash.hash(text.text.utf8.span, key: entriesKey.bytes, into: &span)
        } catch {
            throw VaultError(error, path: "")
        }
        return EntryID([UInt8](copying: hash.bytes.extracting(0..<EntryName.idByteCount)))
    }

    /// The place and the own key of the entry of that name; `.invalidKey` if it is no key.
    package func name(_ key: String) throws(VaultError) -> EntryName {
        guard let text = KeyText(key) else { throw .invalidKey(key: key) }
        return try EntryName(text, under: self)
    }
}

extension DataKey: CustomStringConvertible {
    /// The id, and no byte of a key.
    package var description: String { "DataKey(\(Hexadecimal.text(of: id)), \(key))" }
}
