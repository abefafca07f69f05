import StrongroomCrypto
import StrongroomSystem
import Synchronization

// The next generation: another log, built beside and switched to in one step.
extension LogStore {
    /// How much may come meanwhile and still be carried over while writers wait, and how often that is hoped for.
    private static let lateByteCount: Int64 = 16 << 20
    private static let roundLimit = 8

    /// Writes the next generation: ``Store/rewrite(owner:_:)``.
    ///
    /// The caller holds `job`. `transform` is called on two threads at once. Bytes that it keeps, and ranges that were
    /// lost, are carried over as they lie.
    package func rewrite(
        owner: OwnerID?,
        _ transform:
            @Sendable (EntryID, any EntryReader, () throws(StoreError) -> any StagedPayload)
            throws -> Rewritten
    ) throws {
        guard let owner, owner.bytes.count == 8 else {
            throw StoreError.ownerChanged(now: try self.owner())
        }
        try withoutActuallyEscaping(transform) { transform in
            try rewrite(owner, carriesLosses: true, transform, nil)
        }
        feed.send([])
    }

    /// Writes the log anew without the bytes of entries that were replaced or removed.
    ///
    /// The caller holds `job`. Afterwards those bytes are in none of the store's files. `report` is called now and then
    /// with how many entries are carried over, some perhaps a second time, if they changed meanwhile.
    package func compact(report: ((Int) -> Void)? = nil) throws(StoreError) {
        try compact(carriesLosses: true, report)
    }

    /// Compacts and gives up what was lost: entries that it may have held are what they were before, or absent.
    ///
    /// The caller holds `job`.
    package func dropLost() throws(StoreError) { try compact(carriesLosses: false, nil) }

    private func compact(
        carriesLosses: Bool, _ report: ((Int) -> Void)?
    ) throws(StoreError) {
        do {
            try rewrite(try owner(), carriesLosses: carriesLosses, nil, report)
        } catch let error as StoreError {
            throw error
        } catch {
            // Without a transform nobody throws anything else.
            throw .storeDamaged(path: place.path.description, what: "it cannot be compacted")
        }
        if !carriesLosses { feed.send([]) }
    }

    private func rewrite(
        _ owner: OwnerID?, carriesLosses: Bool, _ transform: LogRewriter.Transform?,
        _ report: ((Int) -> Void)?
    ) throws {
        let directory = try openForWriting()
        try sweepLeftovers(directory)
        do {
            do {
                try build(owner, directory, carriesLosses: carriesLosses, transform, report)
            } catch let error as StoreError where error == LogView.indexDamage {
                // A page of the index turned out not to be what was written: all is read from the log.
                try state.withLock { (state) throws(StoreError) in
                    try state.reader.distrustIndex()
                }
                try system(try directory.unlink(LogName.next))
                try build(owner, directory, carriesLosses: carriesLosses, transform, report)
            }
        } catch {
            if case StoreError.outcomeUnknown = error { throw error }
            // The error in hand says more than one of tidying up; the next holder of `job` sweeps it.
            try? directory.unlink(LogName.next)
            throw error
        }
        renewIndex(directory)
        tellNews()
    }

    private func build(
        _ owner: OwnerID?, _ directory: OpenFile, carriesLosses: Bool,
        _ transform: LogRewriter.Transform?, _ report: ((Int) -> Void)?
    ) throws {
        var snapshot = try look { (view) throws(StoreError) in view }
        let old = snapshot.log
        let random = try Randomness.bytes(Bytes16.byteCount)
        // Its base is known when it is finished.
        let draft = LogBlock(
            isSealed: old.block.isSealed, generation: old.block.generation + 1,
            log: Bytes16(random.span), owner: owner ?? old.block.owner, base: .none)
        let file = try system(
            try directory.openFile(LogName.next, [.read, .write, .create, .exclusive]))
        var rewriter = LogRewriter(
            from: old,
            to: LogAppender(
                file, block: draft, keys: place.keys,
                after: try LogPosition.first(draft, place.keys)), staging: directory,
            carriesLosses: carriesLosses, transform: transform, report: report)
        try rewriter.carryAll(snapshot)
        for round in 1...Self.roundLimit {
            let deadline = Clock.deadline(afterSeconds: waitSeconds)
            let late = try withLock(until: deadline) {
                (directory, held) throws(StoreError) -> Result<LogView?, any Error> in
                do {
                    let now = try prepare(directory, held) { (view) throws(StoreError) in view }
                    guard now.log === old || now.log.block.log == old.block.log,
                        now.index.losses == snapshot.index.losses
                    else { throw StoreError.busy(path: place.path.description) }
                    let byteCount = now.position.end - snapshot.position.end
                    if byteCount > Self.lateByteCount, round < Self.roundLimit {
                        return .success(now)
                    }
                    try rewriter.carryChanges(from: snapshot.position, to: now)
                    try switchOver(rewriter, from: now, directory, held)
                    return .success(nil)
                } catch {
                    return .failure(error)
                }
            }
            guard let now = try late.get() else { return }
            try rewriter.carryChanges(from: snapshot.position, to: now)
            snapshot = now
        }
    }

    /// Gives the new log the name, with the lock held and everything carried over.
    private func switchOver(
        _ rewriter: LogRewriter, from old: LogView, _ directory: OpenFile, _ held: HeldLock
    ) throws(StoreError) {
        let draft = rewriter.output.block
        let point = old.position.point(old.log.block)
        let block = LogBlock(
            isSealed: draft.isSealed, generation: draft.generation, log: draft.log,
            owner: draft.owner, base: point)
        let file = rewriter.output.file
        let (position, index) = try rewriter.output.contents()
        let bytes = try block.encoded(place.keys)
        try system(try file.write(bytes.span, at: 0))
        try system(try file.sync())
        try place.anchor?.settle(point)
        let status = try system(try file.status())
        try rename(status, in: directory)
        let unknown = StoreError.outcomeUnknown(
            path: directory.path.appending(LogName.log).description)
        let result = state.withLock { state -> Result<Void, StoreError> in
            do {
                try directory.sync()
                let named = try directory.openFile(LogName.log, [.read, .nonBlocking])
                let log = LogFile(file: named, block: block, status: try named.status())
                let view = LogView(
                    log: log, position: position, index: index,
                    indexedEnd: Int64(LogBlock.byteCount), indexByteCount: 0)
                try state.reader.publish(view.position, of: log, in: held.file)
                // The name is durable, so it leads nothing: whoever puts the old log back is noticed at once.
                if view.position.sequence > 0 { place.anchor?.note(view.position.point(block)) }
                try state.reader.replace(with: view)
                return .success(())
            } catch {
                state.reader.forget()
                return .failure(unknown)
            }
        }
        try result.get()
    }

    /// Moves `new` to `log`; an error may come from a call that did its work.
    private func rename(_ status: FileStatus, in directory: OpenFile) throws(StoreError) {
        do {
            try directory.rename(LogName.next, to: LogName.log)
        } catch {
            let now: FileStatus?
            do {
                now = try directory.status(of: LogName.log)
            } catch {
                throw .outcomeUnknown(path: directory.path.appending(LogName.log).description)
            }
            guard now?.inode == status.inode, now?.device == status.device else {
                throw StoreError(error)
            }
        }
    }

    /// The index of a log that is gone names entries that are gone.
    private func renewIndex(_ directory: OpenFile) {
        do throws(StoreError) {
            let view = try look { (view) throws(StoreError) in view }
            try writeIndex(view)
            let indexed = state.withLock { $0.reader.view?.indexByteCount ?? 0 }
            if indexed == 0 { try system(try directory.unlink(LogName.index)) }
        } catch {
            // One that does not fit is ignored, and there may be none.
        }
    }

    /// Removes what killed rewrites and writers left; the caller holds `job`.
    package func sweepLeftovers() throws(StoreError) {
        try sweepLeftovers(try openForWriting())
    }

    private func sweepLeftovers(_ directory: OpenFile) throws(StoreError) {
        StagedFile.sweep(in: directory, folder: LogName.spool)
        for item in try system(try directory.list()) where Self.isLeftover(item.name) {
            do {
                try directory.unlink(item.name)
            } catch {
                guard error.code == ErrorCode.noEntry else { throw StoreError(error) }
            }
        }
    }

    /// The names of what ``sweepLeftovers()`` would remove, nothing being written.
    package func leftovers() throws(StoreError) -> [String] {
        let directory = try place.openDirectory()
        var found: [String] = []
        for item in try system(try directory.list()) {
            if Self.isLeftover(item.name) || item.name == LogName.spool {
                found.append(item.name.description)
            }
        }
        return found.sorted()
    }

    private static func isLeftover(_ name: Path) -> Bool {
        name == LogName.next || name.bytes.starts(with: LogName.nextIndex.bytes)
    }
}
