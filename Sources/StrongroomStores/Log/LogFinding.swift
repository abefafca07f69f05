/// Something in a log that is not as it was written, or not where it was written.
package enum LogFinding: Hashable, Sendable {
    /// The newest content of this entry is damaged; it can be set again or removed.
    case damaged(EntryID)
    /// A range of which nobody knows what it said: entries that have not changed since may have been changed in it.
    case lost(at: Int64, byteCount: Int64)
    /// A commit of these entries is whole and does not belong there: it was made without the key, or others were
    /// removed, exchanged or repeated before it.
    case tampered(at: Int64, ids: [EntryID], what: String)
    /// The log is older than what was noted of it.
    case rolledBack(what: String)
    /// One bit of a commit's head or table is wrong; it is set right whenever it is read, and for good by compaction.
    case corrected(at: Int64)
    /// Bytes that nobody needs are not what was written: one of the two copies of block 0, or zeros between commits.
    case spare(at: Int64)
    /// Bytes behind the end that belong to no commit, as a killed writer leaves them; the next one overwrites them.
    case tail(at: Int64, byteCount: Int64)
    /// The index file is not what the log says; it is read from the log instead.
    case index

    /// True if something is gone, or was changed on purpose; false if all of it will be as it was by itself.
    package var isLoss: Bool {
        switch self {
        case .damaged, .lost, .tampered, .rolledBack: true
        case .corrected, .spare, .tail, .index: false
        }
    }
}
