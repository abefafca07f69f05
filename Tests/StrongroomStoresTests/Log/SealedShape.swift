import StrongroomStores

/// A sealed log as its owner uses it: every payload has 28 bytes in front, of which 12 to 27 are random, and 0 to 7 are a
/// sum that stands for its box (zeros for what was staged).
struct SealedShape: Store {
    fileprivate static let frontByteCount = 28
    let log: LogStore

    fileprivate static func front() -> [UInt8] {
        var front = [UInt8](repeating: 0, count: 8) + Array("seal".utf8)
        for _ in 0..<16 { front.append(.random(in: 0 ... .max)) }
        return front
    }

    /// Front and value, with a box's sum.
    private static func sealed(_ value: [UInt8]) throws(StoreError) -> [UInt8] {
        var bytes = front() + value
        let sum = try boxSum(bytes)
        for index in 0..<8 { bytes[index] = UInt8(truncatingIfNeeded: sum >> UInt64(8 * index)) }
        return bytes
    }

    private static func boxSum(_ bytes: [UInt8]) throws(StoreError) -> UInt64 {
        try ContentHash.sum(bytes.span.extracting(8..<bytes.count)) | 1
    }

    /// True if the box opens.
    private static func opens(_ bytes: [UInt8]) throws(StoreError) -> Bool {
        guard bytes.count >= frontByteCount else { return false }
        var sum: UInt64 = 0
        for index in (0..<8).reversed() { sum = sum << 8 | UInt64(bytes[index]) }
        if sum == 0 { return true }
        return try sum == boxSum(bytes)
    }

    func owner() throws(StoreError) -> OwnerID? { try log.owner() }
    func ids() throws(StoreError) -> [EntryID] { try log.ids() }
    func changes() throws(StoreError) -> AsyncStream<[EntryID]> { try log.changes() }

    func read(_ id: EntryID) throws(StoreError) -> StoredEntry? {
        guard let entry = try log.read(id) else { return nil }
        guard try Self.opens(entry.bytes) else {
            throw try log.isDamaged(id, entry.version)
                ? .damaged(id) : .tampered(path: "log", what: "a box does not open")
        }
        return StoredEntry(
            bytes: Array(entry.bytes.dropFirst(Self.frontByteCount)), version: entry.version)
    }

    func open(_ id: EntryID) throws(StoreError) -> (any EntryReader)? {
        guard let entry = try log.open(id) else { return nil }
        return Reader(entry: entry)
    }

    func stage() throws(StoreError) -> any StagedPayload { try Staged(try log.stage()) }

    func commit(
        _ changes: [StoreChange], if conditions: [EntryID: Version?], owner: OwnerID?
    ) throws(StoreError) {
        var shaped: [StoreChange] = []
        for change in changes {
            if case .put(let id, let payload) = change {
                shaped.append(.put(id, try Self.shaped(payload, log)))
            } else {
                shaped.append(change)
            }
        }
        try log.commit(shaped, if: conditions, owner: owner)
    }

    func rewrite(
        owner: OwnerID?,
        _ transform:
            @Sendable (EntryID, any EntryReader, () throws(StoreError) -> any StagedPayload)
            throws -> Rewritten
    ) throws {
        let log = log
        try log.rewrite(owner: owner) { id, entry, stage in
            let staging: () throws(StoreError) -> any StagedPayload = { () throws(StoreError) in
                try Staged(try stage())
            }
            switch try transform(id, Reader(entry: entry), staging) {
            case .put(let id, let payload): return .put(id, try Self.shaped(payload, log))
            case .keep(let id): return .keep(id)
            case .drop: return .drop
            }
        }
    }

    private static func shaped(_ payload: Payload, _ log: LogStore) throws(StoreError) -> Payload {
        switch payload {
        case .bytes(let bytes): return .bytes(try sealed(bytes))
        case .staged(let staged as Staged): return .staged(staged.below)
        case .staged(let foreign):
            let copy = try Staged(try log.stage())
            let bytes = try foreign.read(at: 0, count: Int(foreign.byteCount))
            try copy.write(bytes.span, at: 0)
            return .staged(copy.below)
        }
    }

    private struct Reader: EntryReader {
        let entry: any EntryReader
        var byteCount: Int64 { entry.byteCount - Int64(frontByteCount) }
        var version: Version { get throws(StoreError) { try entry.version } }
        func read(at offset: Int64, count: Int) throws(StoreError) -> [UInt8] {
            try entry.read(at: offset + Int64(frontByteCount), count: count)
        }
    }

    private final class Staged: StagedPayload {
        let below: any StagedPayload

        init(_ below: any StagedPayload) throws(StoreError) {
            self.below = below
            let front = front()
            try below.write(front.span, at: 0)
        }

        var byteCount: Int64 {
            get throws(StoreError) { try below.byteCount - Int64(frontByteCount) }
        }
        func write(_ bytes: Span<UInt8>, at offset: Int64) throws(StoreError) {
            guard offset >= 0 else {
                throw .system(operation: "write", path: "staged", code: 22)
            }
            try below.write(bytes, at: offset + Int64(frontByteCount))
        }
        func read(at offset: Int64, count: Int) throws(StoreError) -> [UInt8] {
            try below.read(at: offset + Int64(frontByteCount), count: count)
        }
    }
}
