import StrongroomCrypto
import StrongroomStores

/// The keyed hashes of a vault's log: BLAKE2b of 16 bytes over the vault's id and the message, under the chain key or
/// the index key of the data key that the owner id names.
struct VaultLogKeys: LogKeys {
    private let vaultID: [UInt8]
    private let dataKeys: [DataKey]

    /// The keys of a keyring: the current data key, the next one, the retired ones.
    init(_ keyring: Keyring) {
        vaultID = keyring.vaultID
        dataKeys = keyring.dataKeys
    }

    func chainTag(
        of message: Span<UInt8>, owner: OwnerID
    ) throws(StoreError) -> Bytes16 {
        try tag(of: message, under: try dataKey(of: owner).chainKey)
    }

    func indexTag(
        of message: Span<UInt8>, owner: OwnerID
    ) throws(StoreError) -> Bytes16 {
        try tag(of: message, under: try dataKey(of: owner).indexKey)
    }

    private func dataKey(of owner: OwnerID) throws(StoreError) -> DataKey {
        for dataKey in dataKeys where dataKey.owner == owner { return dataKey }
        throw .ownerChanged(now: owner)
    }

    private func tag(
        of message: Span<UInt8>, under key: SecretKey
    ) throws(StoreError) -> Bytes16 {
        do {
            var hash = try KeyedHash(key: key.bytes, byteCount: Bytes16.byteCount)
            hash.update(vaultID.span)
            hash.update(message)
            let tag = hash.finish()
            return Bytes16(tag.span)
        } catch {
            // Only a libsodium that does not start gets here.
            throw .system(operation: "hash", path: "libsodium", code: -1)
        }
    }
}
