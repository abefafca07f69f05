/// What a store can say no with.
///
/// No case holds a payload.
@nonexhaustive public enum StoreError: Error, Equatable, Sendable {
    /// There is no store at `path`.
    case absent(path: String)
    /// There is a store with entries at `path` already.
    case exists(path: String)
    /// An entry's id cannot be kept: empty, or no place can be made for it.
    case invalidID(EntryID)
    /// An entry cannot be where another is: a file that would have to be a folder, or the reverse.
    case conflict(EntryID)
    /// What is no file of ours lies at `path`, where an entry or its folder is to be: a link, a directory.
    case obstructed(path: String)
    /// A condition of a commit did not hold.
    case conditionFailed(EntryID)
    /// The generation belongs to another owner now: seal again for that one.
    case ownerChanged(now: OwnerID?)
    /// An entry's bytes are not what was written.
    case damaged(EntryID)
    /// The store's own file at `path` is not what was written.
    case storeDamaged(path: String, what: String)
    /// Everything at `path` is whole and yet does not belong together: somebody changed it on purpose.
    case tampered(path: String, what: String)
    /// The store at `path` is older than what was seen before.
    case rolledBack(path: String, what: String)
    /// A store of this kind cannot be kept at `path`; what to do instead.
    case unsuitable(path: String, what: String)
    /// Made by a newer version.
    case newerFormat(path: String)
    /// The lock did not come free in time.
    case busy(path: String)
    /// A signal that the process notes asked it to stop while it waited for the lock.
    case cancelled
    /// The payload is larger than this store takes.
    case tooLarge(EntryID, limit: Int64)
    /// Somebody other than the directory's owner, and not root, wanted to write at `path`.
    case notOwner(path: String)
    /// A write failed in a way that leaves open whether it stands.
    case outcomeUnknown(path: String)
    /// A system call failed.
    case system(operation: String, path: String, code: Int32)
}
