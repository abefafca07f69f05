import StrongroomSystem

/// Where the entries of a directory are: which names lead to an id, and back.
enum EntryMapping: Hashable, Sendable {
    /// An id is a key's text, and its path one that a person recognises.
    case keys(KeyEscaping)
    /// An id is bytes, as many as these; its file has its base32 for a name. Names of other lengths are somebody
    /// else's.
    case identifiers(byteCounts: ClosedRange<Int>)

    /// The folders' names, and last the file's; `.invalidID` if there can be no such file.
    func names(of id: EntryID) throws(StoreError) -> [Path] {
        switch self {
        case .keys(let escaping):
            guard let text = String(validating: id.bytes, as: UTF8.self), let key = KeyText(text),
                key.bytes == id.bytes
            else { throw .invalidID(id) }
            return escaping.names(of: key)
        case .identifiers(let byteCounts):
            guard byteCounts.contains(id.bytes.count) else { throw .invalidID(id) }
            return [Path(bytes: Base32.encode(id.bytes))]
        }
    }

    /// The id whose file has exactly these names, or nil: then the file is somebody else's.
    func id(of names: [Path]) -> EntryID? {
        switch self {
        case .keys(let escaping): escaping.key(of: names).map { EntryID($0.bytes) }
        case .identifiers(let byteCounts):
            if names.count == 1, let bytes = Base32.decode(names[0].bytes),
                byteCounts.contains(bytes.count)
            {
                EntryID(bytes)
            } else {
                nil
            }
        }
    }

    /// True if entries lie in folders.
    var hasFolders: Bool {
        switch self {
        case .keys: true
        case .identifiers: false
        }
    }

    /// True if whatever has an entry's name is that entry, and damaged if it is no file; else it is somebody's.
    var ownsNames: Bool { !hasFolders }
}
