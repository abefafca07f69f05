import StrongroomSystem

/// The file that is a commit of several changes: from the moment it has its name, all of them count.
///
/// | size | what |
/// |---|---|
/// | 4 | `SRC1` |
/// | 8 | the commit's own number, drawn at random, which its temporary files carry in their names |
/// | 4 | number of changes |
/// | | per change: 1 byte kind (1 put, 2 remove); 2 bytes, for a put: how many folders deep its temporary file lies; 2 bytes length of the id; the id |
/// | 8 | SipHash of all before it under `strongroom/store` (``ContentHash``) |
///
/// Integers little-endian. Ids are those of the store that holds the record; each stands in it once.
struct CommitRecord: Equatable, Sendable {
    /// What becomes of an entry.
    enum Kind: Equatable, Sendable {
        /// A temporary file takes its place, which lies in the folder that the first `depth` names lead to.
        case put(depth: Int)
        /// It goes.
        case remove
    }

    /// One change.
    struct Change: Equatable, Sendable {
        let id: EntryID
        let kind: Kind
    }

    /// What tells its temporary files from every other commit's.
    let number: UInt64
    /// The changes, each id once.
    let changes: [Change]

    /// The name of the temporary file of the change at `index`.
    func temporaryName(_ index: Int) -> Path { StoreName.temporary(number, index) }

    /// The record's bytes.
    func encoded() throws(StoreError) -> [UInt8] {
        var bytes = Array("SRC1".utf8)
        bytes.appendLittleEndian(number)
        bytes.appendLittleEndian(UInt32(changes.count))
        for change in changes {
            switch change.kind {
            case .put(let depth):
                bytes.append(1)
                bytes.appendLittleEndian(UInt16(depth))
            case .remove:
                bytes.append(2)
                bytes.appendLittleEndian(UInt16(0))
            }
            bytes.appendLittleEndian(UInt16(change.id.bytes.count))
            bytes += change.id.bytes
        }
        bytes.appendLittleEndian(try ContentHash.sum(bytes.span))
        return bytes
    }

    /// A record of its parts.
    init(number: UInt64, changes: [Change]) {
        self.number = number
        self.changes = changes
    }

    /// The record that `bytes` are; `path` is for the error.
    init(decoding bytes: [UInt8], path: String) throws(StoreError) {
        let damaged = StoreError.storeDamaged(path: path, what: "not a record of a commit")
        guard bytes.starts(with: Array("SRC".utf8)), bytes.count >= 24 else { throw damaged }
        guard bytes[3] == UInt8(ascii: "1") else {
            let isVersion = (UInt8(ascii: "2")...UInt8(ascii: "9")).contains(bytes[3])
            throw isVersion ? .newerFormat(path: path) : damaged
        }
        let end = bytes.count - 8
        var sum = ByteReader(Array(bytes[end...]))
        guard try ContentHash.sum(bytes.span.extracting(0..<end)) == sum.number(UInt64.self) else {
            throw damaged
        }
        var reader = ByteReader(Array(bytes[4..<end]))
        guard let number = reader.number(UInt64.self), let count = reader.number(UInt32.self) else {
            throw damaged
        }
        var changes: [Change] = []
        for _ in 0..<count {
            guard let kind = reader.bytes(1)?.first, let depth = reader.number(UInt16.self),
                let length = reader.number(UInt16.self), length > 0,
                let id = reader.bytes(Int(length))
            else { throw damaged }
            switch (kind, depth) {
            case (1, _): changes.append(Change(id: EntryID(id), kind: .put(depth: Int(depth))))
            case (2, 0): changes.append(Change(id: EntryID(id), kind: .remove))
            default: throw damaged
            }
        }
        guard reader.isAtEnd, Set(changes.map(\.id)).count == changes.count else { throw damaged }
        self.number = number
        self.changes = changes
    }
}
