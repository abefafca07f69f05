package import StrongroomStores

/// An area whose values lie as they are, one file an entry: `storage`, `cache` and `temporary`.
///
/// A key is a path that a person recognises: `folder/image.png` is the file `folder/image.png`. So
/// a file cannot be a folder too: setting `a/b` beside an entry `a`, or the reverse, is
/// ``StrongroomError/keyConflict(key:)``.
public struct PlainArea: Area {
    /// Where the values lie.
    package let store: any Store

    /// The area over `store`, whose ids are the keys' UTF-8 in normal form C.
    package init(_ store: any Store) { self.store = store }

    /// The entry of a key, or nil if there is none.
    public func entry(_ key: String) throws(StrongroomError) -> Entry? {
        let id = try Self.id(key)
        do throws(StoreError) {
            guard let stored = try store.read(id) else { return nil }
            return Entry(copying: stored.bytes.span, version: stored.version.number)
        } catch { throw StrongroomError(error) }
    }

    /// Whether there is an entry of a key.
    public func contains(_ key: String) throws(StrongroomError) -> Bool {
        try reader(key) != nil
    }

    /// The keys below a folder, or every key if that is nil.
    public func keys(under folder: String?) throws(StrongroomError) -> [String] {
        let filter = try KeyFolder(folder)
        var keys: [String] = []
        do throws(StoreError) {
            for id in try store.ids() where filter.holds(id.bytes) {
                keys.append(String(decoding: id.bytes, as: UTF8.self))
            }
        } catch { throw StrongroomError(error) }
        return keys
    }

    /// The version of an entry, or nil if there is none: a hash of its bytes.
    public func version(of key: String) throws(StrongroomError) -> UInt64? {
        guard let reader = try reader(key) else { return nil }
        do throws(StoreError) { return try reader.version.number } catch {
            throw StrongroomError(error)
        }
    }

    /// Hands out an entry's value in pieces of at most 64 KiB, however large it is.
    public func readPieces(
        _ key: String, while body: (Span<UInt8>) -> Bool
    ) throws(StrongroomError) -> Bool {
        guard let reader = try reader(key) else { return false }
        var offset: Int64 = 0
        while offset < reader.byteCount {
            let count = Int(min(65_536, reader.byteCount - offset))
            let piece: [UInt8]
            do throws(StoreError) { piece = try reader.read(at: offset, count: count) } catch {
                throw StrongroomError(error)
            }
            guard body(piece.span) else { break }
            offset += Int64(count)
        }
        return true
    }

    /// Makes all of the changes, or none of them.
    public func commit(_ changes: Changes) throws(StrongroomError) {
        var steps: [StoreChange] = []
        for step in try changes.steps() {
            switch step {
            case .set(let key, let value):
                steps.append(.put(try Self.id(key), .bytes(value.copyBytes())))
            case .del(let key): steps.append(.remove(try Self.id(key)))
            }
        }
        var conditions: [EntryID: Version?] = [:]
        for (key, version) in changes.expectations {
            conditions.updateValue(version.map(Version.init(number:)), forKey: try Self.id(key))
        }
        try commit(steps, if: conditions)
    }

    /// Makes or replaces an entry of what `body` writes, which goes to the disk as it is written,
    /// out of sight until `body` returns.
    public func write(_ key: String, _ body: (inout EntryWriter) throws -> Void) throws {
        let id = try Self.id(key)
        let staged = try stage()
        var writer = EntryWriter(StagedSink(staged))
        try body(&writer)
        try commit([.put(id, .staged(staged))], if: [:])
    }

    private func commit(
        _ steps: [StoreChange], if conditions: [EntryID: Version?]
    ) throws(StrongroomError) {
        if steps.isEmpty && conditions.isEmpty { return }
        do throws(StoreError) { try store.commit(steps, if: conditions, owner: nil) } catch {
            throw StrongroomError(error)
        }
    }

    private func reader(_ key: String) throws(StrongroomError) -> (any EntryReader)? {
        let id = try Self.id(key)
        do throws(StoreError) { return try store.open(id) } catch { throw StrongroomError(error) }
    }

    private func stage() throws(StrongroomError) -> any StagedPayload {
        do throws(StoreError) { return try store.stage() } catch { throw StrongroomError(error) }
    }

    private static func id(_ key: String) throws(StrongroomError) -> EntryID {
        guard let text = KeyText(key) else { throw .invalidKey(key: key) }
        return EntryID(text.bytes)
    }
}

/// Writes into a store's staged payload.
private final class StagedSink: EntrySink {
    private let staged: any StagedPayload
    private var offset: Int64 = 0

    init(_ staged: any StagedPayload) { self.staged = staged }

    func write(_ bytes: Span<UInt8>) throws(StrongroomError) {
        do throws(StoreError) { try staged.write(bytes, at: offset) } catch {
            throw StrongroomError(error)
        }
        offset += Int64(bytes.count)
    }
}
