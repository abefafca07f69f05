import StrongroomCrypto
import StrongroomStores
import StrongroomVault

/// What the commands need of an area: the vault and the plain ones are told apart only where the contract does.
protocol EntryPlace {
    /// Which area it is.
    var area: AreaName { get }
    /// True if there is an entry `key`.
    func contains(_ key: String) throws(Failure) -> Bool
    /// Every entry, sorted by the bytes of its key, and what could not be read.
    func list() throws(Failure) -> EntryListing
    /// The entry `key` opened for reading, or nil if there is none.
    func open(_ key: String) throws(Failure) -> (any EntryPieces)?
    /// Makes or replaces entries of different keys, all or none; if they must be absent and one is not, throws `.exists`.
    func set(_ entries: [KeyedValue], mustBeAbsent: Bool) throws(Failure)
    /// Makes or replaces an entry of what `body` writes; nothing changes if it throws.
    func write(
        _ key: String, attributes: [String: String], times: EntryTimes?, mustBeAbsent: Bool,
        _ body: (any EntrySink) throws(Failure) -> Void
    ) throws(Failure)
    /// Removes entries, all or none; one that is absent stays absent.
    func del(_ keys: [String]) throws(Failure)
    /// Removes the entry `key` if it still has that version, else throws `.exists`.
    func del(_ key: String, ifVersion version: Version) throws(Failure)
    /// Makes or replaces the entry `new` and removes `key`, if that still has its version, in one step.
    func replace(
        _ key: String, version: Version, by new: String, _ value: EntryValue, mustBeAbsent: Bool
    ) throws(Failure)
}

extension EntryPlace {
    /// Makes or replaces one entry; if it must be absent and is not, throws `.exists`.
    func set(_ key: String, _ value: EntryValue, mustBeAbsent: Bool) throws(Failure) {
        try set([KeyedValue(key: key, value: value)], mustBeAbsent: mustBeAbsent)
    }
}

/// A value in memory, and what is kept with it.
struct EntryValue {
    /// The bytes, wiped with their last reference.
    var bytes: SecretBytes
    /// What is kept with them in the vault.
    var attributes: [String: String] = [:]
    /// When they were set, for a copy that keeps its times.
    ///
    /// Else it is now. Plain areas keep none.
    var times: EntryTimes?
}

/// A value and the key of its entry.
struct KeyedValue {
    /// The key.
    var key: String
    /// The value.
    var value: EntryValue
}

/// A value being read, piece by piece, each verified before it leaves.
protocol EntryPieces: AnyObject {
    /// Bytes of the whole value.
    var byteCount: UInt64 { get }
    /// Tells this content from another of the same key.
    func version() throws(Failure) -> Version
    /// What is kept with the value.
    var attributes: [String: String] { get }
    /// When the value was set; nil where the area does not know.
    func times() throws(Failure) -> EntryTimes?
    /// The next piece, nil after the last.
    func next() throws(Failure) -> SecretBytes?
}

/// Where the pieces of a value go.
protocol EntrySink: AnyObject {
    /// Takes the next piece.
    func write(_ bytes: Span<UInt8>) throws(Failure)
}

/// An entry as a list shows it.
struct ListedEntry: Equatable {
    /// Its key, in normal form C.
    var key: String
    /// Bytes of its value.
    var byteCount: UInt64
    /// When it was first set, in nanoseconds since 1970; nil where the area does not know.
    var created: Int64?
    /// When it was last set.
    var modified: Int64?
    /// What is kept with it.
    var attributes: [String: String] = [:]
}

/// What a list found.
struct EntryListing {
    /// The entries, sorted by the bytes of their keys.
    var entries: [ListedEntry] = []
    /// Why others are not among them.
    var failures: [Failure] = []

    /// Only what `folder` holds: the entry of that very key, and all whose key goes on with a slash.
    func below(_ folder: String?) -> [ListedEntry] {
        guard let folder else { return entries }
        let prefix = folder + "/"
        var found: [ListedEntry] = []
        for entry in entries
        where entry.key == folder || entry.key.utf8.starts(with: prefix.utf8) {
            found.append(entry)
        }
        return found
    }
}
