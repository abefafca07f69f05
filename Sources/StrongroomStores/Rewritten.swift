/// What a rewrite does with one entry.
public enum Rewritten: Sendable {
    /// The entry stands in the next generation under `id` with these bytes.
    case put(EntryID, Payload)
    /// The entry's bytes are carried over unchanged, under `id`.
    case keep(EntryID)
    /// The entry has no successor.
    case drop
}
