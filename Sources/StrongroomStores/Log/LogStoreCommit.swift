import StrongroomSystem
import Synchronization

// Committing: threads that wait together go out as one commit.
extension LogStore {
    /// Makes all of `changes`, or none: ``Store/commit(_:if:owner:)``.
    ///
    /// It is durable when the call returns. Commits of other threads that wait at the same time go out with it, each
    /// whole or not at all; one that fails leaves the others alone.
    package func commit(
        _ changes: [StoreChange], if conditions: [EntryID: Version?], owner: OwnerID?
    ) throws(StoreError) {
        let deadline = Clock.deadline(afterSeconds: waitSeconds)
        let ticket = try ticket(changes, conditions, owner)
        queue.update { $0.enter(ticket) }
        let turn = queue.wait(until: deadline) { $0.turn(ticket.number) }
        switch turn {
        case .done(let result): return try result.get()
        case .lead: try lead(ticket, until: deadline)
        case nil:
            let path = place.path.appending(LogName.lock).description
            if queue.change({ $0.leave(ticket.number) }) { throw .busy(path: path) }
            // It is being written: what becomes of it is known soon.
            let late = queue.wait(until: nil) { queue -> Result<Void, StoreError>? in
                guard case .done(let result)? = queue.turn(ticket.number) else { return nil }
                return result
            }
            try late?.get()
        }
    }

    /// Everything about a commit that can be done before its turn.
    private func ticket(
        _ changes: [StoreChange], _ conditions: [EntryID: Version?], _ owner: OwnerID?
    ) throws(StoreError) -> LogTicket {
        let known = state.withLock { $0.reader.view?.log.block }
        let block: LogBlock
        if let known {
            block = known
        } else {
            block = try look { (view) throws(StoreError) in view.log.block }
        }
        var last: [EntryID: Int] = [:]
        last.reserveCapacity(changes.count)
        for (index, change) in changes.enumerated() {
            let byteCount = change.id.bytes.count
            guard byteCount > 0, byteCount <= Int(UInt16.max) else { throw .invalidID(change.id) }
            last[change.id] = index
        }
        let isEachOnce = last.count == changes.count
        let wanted =
            isEachOnce ? changes : changes.enumerated().filter { last[$1.id] == $0 }.map(\.element)
        // Sums of large payloads take time.
        let made = LogCrew.map(wanted.count) { self.change(wanted[$0], block) }
        var ready: [LogChange] = []
        ready.reserveCapacity(made.count)
        for change in made { ready.append(try change.get()) }
        let number = queue.update { $0.number() }
        return LogTicket(
            number: number, changes: ready, log: block.log, conditions: conditions, owner: owner)
    }

    private func change(
        _ change: StoreChange, _ block: LogBlock
    ) -> Result<LogChange, StoreError> {
        do throws(StoreError) {
            switch change {
            case .remove(let id): return .success(.remove(id))
            case .put(let id, .bytes(let bytes)):
                return .success(try .put(id, .bytes(bytes), block: block))
            case .put(let id, .staged(let staged)):
                return .success(try .put(id, .staged(try own(staged)), block: block))
            }
        } catch {
            return .failure(error)
        }
    }

    /// The staged payload itself, or a copy of one of another store: a stranger's code never runs under the lock.
    func own(_ staged: any StagedPayload) throws(StoreError) -> StagedFile {
        if let own = staged as? StagedFile {
            own.close()
            return own
        }
        let copy = try StagedFile(in: try openForWriting(), folder: LogName.spool)
        try copy.fill(from: staged)
        copy.close()
        return copy
    }

    /// Writes for all that wait.
    private func lead(_ ticket: LogTicket, until deadline: Int64?) throws(StoreError) {
        var results: [UInt64: Result<Void, StoreError>] = [:]
        do throws(StoreError) {
            results = try withLock(until: deadline) {
                (directory, held) throws(StoreError) -> [UInt64: Result<Void, StoreError>] in
                let group = queue.update { $0.close() }
                return write(group, directory, held)
            }
        } catch {
            // Nobody but this ticket gave up.
            _ = queue.change { $0.leave(ticket.number) }
            results[ticket.number] = .failure(error)
        }
        let mine = results.removeValue(forKey: ticket.number)
        queue.change { [results] in $0.finish(results) }
        tellNews()
        try mine?.get()
        tidyUp()
    }

    private func write(
        _ group: [LogTicket], _ directory: OpenFile, _ held: HeldLock
    ) -> [UInt64: Result<Void, StoreError>] {
        do throws(StoreError) {
            return try writeTogether(group, directory, held)
        } catch {
            var results: [UInt64: Result<Void, StoreError>] = [:]
            if error.isWantOfSpace, group.count > 1 {
                // One of them may be too large where the others fit.
                for ticket in group {
                    results.merge(write([ticket], directory, held)) { $1 }
                }
            } else {
                for ticket in group { results[ticket.number] = .failure(error) }
            }
            return results
        }
    }

    private func writeTogether(
        _ group: [LogTicket], _ directory: OpenFile, _ held: HeldLock
    ) throws(StoreError) -> [UInt64: Result<Void, StoreError>] {
        // The view itself would be copied when the commit is taken up, if it was held here.
        let (plan, end) = try prepare(directory, held) {
            (view) throws(StoreError) -> (LogPlan, LogEnd) in
            let plan = try LogPlan(group, &view)
            return (plan, view.end)
        }
        if !plan.changes.isEmpty { try append(plan.changes, behind: end, directory, held) }
        return plan.results
    }

    /// Writes a commit, makes it durable, publishes it, and takes it up.
    private func append(
        _ changes: [LogChange], behind end: LogEnd, _ directory: OpenFile, _ held: HeldLock
    ) throws(StoreError) {
        var appender = try openForAppending(behind: end, in: directory)
        let commit: LogCommit
        let blank = appender
        do {
            commit = try appender.append(changes, makesRoom: true)
            try system(try appender.file.syncData())
        } catch {
            state.withLock { $0.reader.forget() }
            do {
                try blank.retract()
            } catch {
                throw .outcomeUnknown(path: appender.file.path.description)
            }
            throw error
        }
        let result = state.withLock { state -> Result<Void, StoreError> in
            do throws(StoreError) {
                try state.reader.publish(commit.position, of: end.log, in: held.file)
                place.anchor?.note(commit.position.point(end.log.block))
                try state.reader.take(own: commit, after: end.position)
                return .success(())
            } catch {
                // The commit is durable, and whoever scans finds it: nothing is taken back.
                state.reader.forget()
                return .failure(.outcomeUnknown(path: appender.file.path.description))
            }
        }
        try result.get()
    }
}
