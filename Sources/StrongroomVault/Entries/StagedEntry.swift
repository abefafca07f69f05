import StrongroomCrypto
import StrongroomStores
import StrongroomSystem

/// Sealed bytes on their way into a store: ``EntrySealing`` writes them, and if a rotation ends their generation
/// meanwhile, ``EntryOpening`` reads them to be sealed again.
struct StagedEntry: SealedSink, SealedSource {
    let payload: any StagedPayload
    /// How many bytes were written in all, for reading.
    let byteCount: Int64

    /// An entry to be written.
    init(_ payload: any StagedPayload) {
        self.payload = payload
        byteCount = 0
    }

    /// An entry that was written.
    init(written payload: any StagedPayload) throws(VaultError) {
        self.payload = payload
        do {
            byteCount = try payload.byteCount
        } catch {
            throw VaultError(error)
        }
    }

    func write(_ bytes: Span<UInt8>, at offset: Int64) throws(VaultError) {
        do {
            try payload.write(bytes, at: offset)
        } catch {
            // Whatever it is, it is no damage of the entry that is sealed.
            switch error {
            case .damaged, .storeDamaged, .absent:
                throw .system(operation: "write", path: "staged entry", code: ErrorCode.io)
            default: throw VaultError(error)
            }
        }
    }

    func read(at offset: Int64, count: Int) throws(VaultError) -> [UInt8] {
        do {
            return try payload.read(at: offset, count: count)
        } catch {
            throw VaultError(error)
        }
    }
}

extension StagedEntry {
    /// Seals what `opening` opens under `name` of `dataKey`, piece by piece, into this.
    func seal(
        _ opening: inout EntryOpening, key: String, _ name: EntryName, with dataKey: DataKey
    ) throws(VaultError) {
        let header = opening.header
        var sealing = try EntrySealing(
            key: key, name: name, created: header.created, modified: header.modified,
            attributes: header.attributes, with: dataKey, into: self)
        while let piece = try opening.next() { try sealing.append(piece.bytes) }
        try sealing.finish()
    }
}
