import StrongroomSystem

/// One change of a commit, with the place of its entry.
struct PreparedChange {
    let id: EntryID
    /// The folders' names, and last the file's.
    let names: [Path]
    /// What is put; nil for a remove.
    let payload: Payload?

    /// The last change for each id, in the order given.
    static func prepare(
        _ changes: [StoreChange], _ mapping: EntryMapping
    ) throws(StoreError) -> [PreparedChange] {
        var seen: Set<EntryID> = []
        var prepared: [PreparedChange] = []
        for change in changes.reversed() where seen.insert(change.id).inserted {
            let payload: Payload? = if case .put(_, let payload) = change { payload } else { nil }
            let names = try mapping.names(of: change.id)
            prepared.append(PreparedChange(id: change.id, names: names, payload: payload))
        }
        return prepared.reversed()
    }
}
