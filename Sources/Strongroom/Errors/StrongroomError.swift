/// Everything a container can say no with, told apart by what the caller can do about it.
///
/// No case holds a value, or a byte of a key: `key` is an entry's name as the caller gave it,
/// `path` the file or directory concerned. A throw leaves what was there before, except
/// ``outcomeUnknown(path:)``, which says that it cannot tell. ``description`` is one line for
/// people.
@nonexhaustive public enum StrongroomError: Error, Equatable, Sendable {
    /// ``ReadableArea/require(_:as:)->Value`` found no entry of that key, and the key has no
    /// default.
    case noValue(key: String)
    /// The text is no key: empty, longer than 1,024 bytes of UTF-8, or holding a NUL.
    case invalidKey(key: String)
    /// The text is no app id: `[A-Za-z0-9][A-Za-z0-9._-]*`, at most 128 characters.
    case invalidApp(app: String)
    /// In a plain area an entry would have to be a file and a folder at once; both stay as they
    /// were.
    case keyConflict(key: String)
    /// The value has no encoding: `at` is the place in it (`scores.3`), of which only field names
    /// and positions show.
    case cannotEncode(key: String, at: String)
    /// The bytes are no such value; they stay as they are. `at` is as in ``cannotEncode(key:at:)``.
    case cannotDecode(key: String, at: String)
    /// Another writer changed the entry that a commit expected to be as it was; nothing was
    /// written.
    case changed(key: String)
    /// The value, or what goes with it, is larger than `limit` bytes; the old value stays.
    case valueTooLarge(key: String, limit: Int64)

    /// There is no vault at `path`, nor a trace of one.
    case noVault(path: String)
    /// The vault is there and its master key is not.
    case masterKeyMissing(path: String)
    /// Somebody else can read the master-key file, or it belongs to somebody else; `reason` names
    /// mode or owner.
    case masterKeyExposed(path: String, reason: String)
    /// The master-key file is no key file; `reason` says why.
    case masterKeyMalformed(path: String, reason: String)
    /// The master key is sound and is not this vault's.
    case wrongMasterKey(path: String)
    /// The passphrase does not open the sealed master-key file.
    case wrongPassphrase(path: String)
    /// The master-key file is sealed and no passphrase was to be had.
    case passphraseMissing(path: String)
    /// The vault belongs to another app.
    case wrongApp(expected: String, found: String)

    /// The entry's bytes are not what was written; other entries are not concerned.
    case damaged(key: String)
    /// A file of the area itself, not of one entry, is not what was written; `what` says how.
    case storeDamaged(path: String, what: String)
    /// All is whole and yet does not belong together: somebody changed it on purpose.
    case tampered(path: String, what: String)
    /// What is there is older than what was seen before.
    case rolledBack(path: String, what: String)
    /// A newer version of Strongroom wrote it.
    case newerFormat(path: String)

    /// It is there already, or belongs to another vault, or another operation is unfinished.
    case exists(path: String, what: String)
    /// It cannot be done with this key, layout or state; `what` says what to do instead.
    case notPossible(what: String)
    /// The disk, or the user's share of it, is full; the old value stays.
    case noSpace(path: String)
    /// This user may not do that there.
    case noPermission(path: String)
    /// The disk, or the area, can only be read.
    case readOnly(path: String)
    /// A lock did not come free in time, or 100 tries of an `update` lost against other writers.
    case busy(at: String)
    /// Stopped at the caller's wish, between two steps.
    case cancelled
    /// A write failed in a way that leaves open whether it stands.
    case outcomeUnknown(path: String)
    /// Another failure of the system; `code` is its `errno` (errno(3)).
    case system(operation: String, path: String, code: Int32)
}
