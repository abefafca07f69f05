/// What a group of tickets comes to: the changes to write, and who failed.
struct LogPlan: Sendable {
    /// What is written, each id once, in the order in which it was last changed.
    private(set) var changes: [LogChange] = []
    /// What becomes of each ticket once the changes stand.
    private(set) var results: [UInt64: Result<Void, StoreError>] = [:]
    private var places: [EntryID: Int] = [:]

    /// Checks tickets in their order, each on what those before it leave.
    init(_ tickets: [LogTicket], _ view: inout LogView) throws(StoreError) {
        let isAlone = tickets.count == 1
        for ticket in tickets {
            do throws(StoreError) {
                try take(ticket, &view, isAlone: isAlone)
                results[ticket.number] = .success(())
            } catch {
                results[ticket.number] = .failure(error)
            }
        }
        var kept: [LogChange] = []
        kept.reserveCapacity(changes.count)
        for (index, change) in changes.enumerated() {
            guard isAlone || places[change.id] == index else { continue }
            // What is not there needs no removal, unless a lost range might have had it.
            if change.kind == .remove, case .absent = try Self.find(change.id, &view) { continue }
            kept.append(change)
        }
        changes = kept
    }

    private mutating func take(
        _ ticket: LogTicket, _ view: inout LogView, isAlone: Bool
    ) throws(StoreError) {
        let block = view.log.block
        guard ticket.owner == block.owner else { throw .ownerChanged(now: block.owner) }
        for (id, version) in ticket.conditions {
            guard try self.version(of: id, &view) == version else { throw .conditionFailed(id) }
        }
        var ready: [LogChange] = []
        ready.reserveCapacity(ticket.changes.count)
        for change in ticket.changes {
            if change.kind == .put, ticket.log != block.log {
                // The log was rewritten since: its sums have another key.
                ready.append(try .put(change.id, change.source, block: block))
            } else {
                ready.append(change)
            }
        }
        // A ticket has each id once: where each was changed last is asked only among several.
        guard !isAlone else { return changes = ready }
        for change in ready {
            places[change.id] = changes.count
            changes.append(change)
        }
    }

    private func version(
        of id: EntryID, _ view: inout LogView
    ) throws(StoreError) -> Version? {
        if let place = places[id] {
            let change = changes[place]
            guard change.kind == .put else { return nil }
            let entry = change.entry(at: 0)
            return Version(number: entry.version(isSealed: view.log.block.isSealed))
        }
        switch try Self.find(id, &view) {
        case .row(let row): return Version(number: row.version)
        case .absent: return nil
        case .lost: throw .damaged(id)
        }
    }

    /// What is known of an entry; an index that is not what was written is thrown as `LogView.indexDamage`.
    static func find(
        _ id: EntryID, _ view: inout LogView
    ) throws(StoreError) -> LogIndex.Answer {
        switch try view.index.find(id) {
        case .success(let answer): return answer
        case .failure: throw LogView.indexDamage
        }
    }
}

extension LogView {
    /// Thrown within the store when a page of the index is not what was written; then it is read from the log.
    static let indexDamage = StoreError.storeDamaged(path: "index", what: "")
}
