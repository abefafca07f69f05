import StrongroomCrypto
import StrongroomStores
import Synchronization

/// What a rotation does with each entry: opened under the old data key, sealed under the next one.
///
/// Bytes that do not open are carried over unchanged, under the new id where the header opens. Ids that are
/// changed are all names under the current data key, and only those are; so no two entries meet under one id.
final class EntryResealing: Sendable {
    /// Up to here an entry is sealed in one piece of memory.
    private static let memoryLimit: Int64 = 1 << 20

    private let opened: OpenVault
    private let next: DataKey
    private let total: Int
    private let options: RotationOptions
    private let done = Mutex(0)
    /// How many entries did not open, and are carried over as they are.
    private let kept = Mutex(0)

    init(opened: OpenVault, next: DataKey, total: Int, options: RotationOptions) {
        self.opened = opened
        self.next = next
        self.total = total
        self.options = options
    }

    /// True if every entry that it met is sealed under the next data key now.
    var isComplete: Bool { kept.withLock { $0 == 0 } }

    /// What becomes of one entry.
    ///
    /// It throws `VaultError`, or what the store throws, only for what stops a rotation.
    func rewrite(
        _ id: EntryID, _ reader: any EntryReader,
        _ stage: () throws(StoreError) -> any StagedPayload
    ) throws(VaultError) -> Rewritten {
        try options.checkCancelled()
        defer { report() }
        do {
            return try reseal(id, reader, stage)
        } catch {
            switch error {
            case .damaged, .vaultDamaged:
                kept.withLock { $0 += 1 }
                return .keep(try carriedID(id, reader))
            default: throw error
            }
        }
    }

    private func reseal(
        _ id: EntryID, _ reader: any EntryReader,
        _ stage: () throws(StoreError) -> any StagedPayload
    ) throws(VaultError) -> Rewritten {
        guard reader.byteCount <= Self.memoryLimit else {
            return try resealInPieces(id, reader, stage)
        }
        let sealed: [UInt8]
        do {
            sealed = try reader.read(at: 0, count: Int(reader.byteCount))
        } catch {
            throw VaultError(error)
        }
        let entry = try SealedEntry.open(sealed.span, id: id, with: opened.current)
        let header = entry.header
        let name = try next.name(header.key)
        let resealed = try SealedEntry.seal(
            key: header.key, name: name, value: entry.value.bytes, created: header.created,
            modified: header.modified, attributes: header.attributes, with: next)
        return .put(name.id, .bytes(resealed))
    }

    private func resealInPieces(
        _ id: EntryID, _ reader: any EntryReader,
        _ stage: () throws(StoreError) -> any StagedPayload
    ) throws(VaultError) -> Rewritten {
        let source = ReaderSource(reader: reader, key: nil, id: id)
        var opening = try EntryOpening(source, id: id, with: opened.current)
        let name = try next.name(opening.header.key)
        let payload: any StagedPayload
        do {
            payload = try stage()
        } catch {
            throw VaultError(error)
        }
        try StagedEntry(payload).seal(&opening, key: opening.header.key, name, with: next)
        return .put(name.id, .staged(payload))
    }

    /// Under which id bytes that do not open are carried over.
    private func carriedID(
        _ id: EntryID, _ reader: any EntryReader
    ) throws(VaultError) -> EntryID {
        guard let key = try opened.carriedKey(id, reader, places: [opened.current]) else {
            return id
        }
        return try next.name(key).id
    }

    private func report() {
        let done = self.done.withLock { done in
            done = min(done + 1, total)
            return done
        }
        options.progress?(Progress(done: done, total: total))
    }
}
