import StrongroomCrypto
import StrongroomStores
import StrongroomVault

/// A plain area, as the commands see it.
struct PlainPlace: EntryPlace {
    /// Which one.
    let area: AreaName
    /// Its store, whose ids are the keys' UTF-8 in normal form C.
    let store: any Store

    func contains(_ key: String) throws(Failure) -> Bool { try reader(key) != nil }

    func list() throws(Failure) -> EntryListing {
        var listing = EntryListing()
        let ids: [EntryID]
        do throws(StoreError) { ids = try store.ids() } catch { throw Failure(error) }
        for id in ids {
            let key = String(decoding: id.bytes, as: UTF8.self)
            do throws(StoreError) {
                // One that went meanwhile is not listed.
                guard let reader = try store.open(id) else { continue }
                listing.entries.append(
                    ListedEntry(
                        key: key, byteCount: UInt64(reader.byteCount), created: nil,
                        modified: try reader.modified()))
            } catch { listing.failures.append(Failure(error)) }
        }
        return listing
    }

    func open(_ key: String) throws(Failure) -> (any EntryPieces)? {
        guard let reader = try reader(key) else { return nil }
        return PlainPieces(reader)
    }

    func set(_ entries: [KeyedValue], mustBeAbsent: Bool) throws(Failure) {
        var changes: [StoreChange] = []
        for entry in entries {
            // A plain area keeps its values in the clear: a copy in memory hides nothing less.
            let payload = Payload.bytes(entry.value.bytes.buffer.copyToArray())
            changes.append(.put(Self.id(entry.key), payload))
        }
        try put(changes, mustBeAbsent: mustBeAbsent)
    }

    func write(
        _ key: String, attributes: [String: String], times: EntryTimes?, mustBeAbsent: Bool,
        _ body: (any EntrySink) throws(Failure) -> Void
    ) throws(Failure) {
        let staged: any StagedPayload
        do throws(StoreError) { staged = try store.stage() } catch { throw Failure(error) }
        try body(PlainSink(staged))
        try put([.put(Self.id(key), .staged(staged))], mustBeAbsent: mustBeAbsent)
    }

    func del(_ keys: [String]) throws(Failure) {
        var changes: [StoreChange] = []
        for key in keys { changes.append(.remove(Self.id(key))) }
        try commit(changes, if: [:])
    }

    func del(_ key: String, ifVersion version: Version) throws(Failure) {
        try commit([.remove(Self.id(key))], if: [Self.id(key): version])
    }

    func replace(
        _ key: String, version: Version, by new: String, _ value: EntryValue, mustBeAbsent: Bool
    ) throws(Failure) {
        let put = StoreChange.put(
            Self.id(new), .bytes(value.bytes.buffer.copyToArray()))
        var conditions: [EntryID: Version?] = [Self.id(key): version]
        if mustBeAbsent { conditions.updateValue(nil, forKey: Self.id(new)) }
        do throws(Failure) {
            try commit([put, .remove(Self.id(key))], if: conditions)
        } catch {
            if mustBeAbsent, error.status == .exists, try contains(new) {
                throw Failure.entryExists(new)
            }
            throw error
        }
    }

    private func put(_ changes: [StoreChange], mustBeAbsent: Bool) throws(Failure) {
        var conditions: [EntryID: Version?] = [:]
        if mustBeAbsent {
            for change in changes { conditions.updateValue(nil, forKey: change.id) }
        }
        do throws(StoreError) {
            try store.commit(changes, if: conditions, owner: nil)
        } catch {
            if case .conditionFailed(let id) = error {
                throw Failure.entryExists(String(decoding: id.bytes, as: UTF8.self))
            }
            throw Failure(error)
        }
    }

    private func commit(
        _ changes: [StoreChange], if conditions: [EntryID: Version?]
    ) throws(Failure) {
        do throws(StoreError) {
            try store.commit(changes, if: conditions, owner: nil)
        } catch { throw Failure(error) }
    }

    private func reader(_ key: String) throws(Failure) -> (any EntryReader)? {
        do throws(StoreError) { return try store.open(Self.id(key)) } catch {
            throw Failure(error)
        }
    }

    private static func id(_ key: String) -> EntryID { EntryID(Array(key.utf8)) }
}

/// A plain value being read.
private final class PlainPieces: EntryPieces {
    private let reader: any EntryReader
    private var offset: Int64 = 0

    init(_ reader: any EntryReader) { self.reader = reader }

    var byteCount: UInt64 { UInt64(reader.byteCount) }
    var attributes: [String: String] { [:] }

    func times() throws(Failure) -> EntryTimes? {
        do throws(StoreError) {
            // When the first of its key was set, nobody knows.
            guard let modified = try reader.modified() else { return nil }
            return EntryTimes(created: nil, modified: modified)
        } catch { throw Failure(error) }
    }

    func version() throws(Failure) -> Version {
        do throws(StoreError) { return try reader.version } catch { throw Failure(error) }
    }

    func next() throws(Failure) -> SecretBytes? {
        let count = Int(min(65_536, reader.byteCount - offset))
        guard count > 0 else { return nil }
        do throws(StoreError) {
            let piece = try reader.read(at: offset, count: count)
            offset += Int64(count)
            return SecretBytes(SecretBuffer(copying: piece.span))
        } catch { throw Failure(error) }
    }
}

/// Where the pieces of a plain value go.
private final class PlainSink: EntrySink {
    private let staged: any StagedPayload
    private var offset: Int64 = 0

    init(_ staged: any StagedPayload) { self.staged = staged }

    func write(_ bytes: Span<UInt8>) throws(Failure) {
        do throws(StoreError) { try staged.write(bytes, at: offset) } catch {
            throw Failure(error)
        }
        offset += Int64(bytes.count)
    }
}
