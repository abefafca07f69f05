import StrongroomCrypto
import StrongroomStores

/// A stored value, opened piece by piece from one content of its entry.
final class StoredPieces: VaultPieces {
    let info: EntryInfo
    private var opening: EntryOpening

    init(_ opening: consuming EntryOpening, version: Version) {
        let header = opening.header
        info = EntryInfo(
            key: header.key, byteCount: header.byteCount, created: header.created,
            modified: header.modified, attributes: header.attributes, version: version)
        self.opening = opening
    }

    func next() throws(VaultError) -> SecretBytes? {
        guard let piece = try opening.next() else { return nil }
        return SecretBytes(piece)
    }
}
