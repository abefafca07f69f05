/// One change of a commit.
public enum StoreChange: Sendable {
    /// Make or replace an entry.
    case put(EntryID, Payload)
    /// Remove an entry; one that is absent stays absent.
    case remove(EntryID)

    /// Which entry it changes.
    public var id: EntryID {
        switch self {
        case .put(let id, _), .remove(let id): id
        }
    }
}
