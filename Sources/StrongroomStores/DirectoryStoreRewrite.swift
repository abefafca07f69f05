import StrongroomSystem

// The next generation: in a vault a directory that is switched to, in a plain area one commit.
extension DirectoryStore {
    /// Writes the next generation: ``Store/rewrite(owner:_:)``.
    ///
    /// In a vault the caller holds `job`. The old generation's files are removed after the switch; what cannot be removed
    /// then is swept by the next rewrite. What has an entry's name and is no file stays there; `transform` gets it as an
    /// entry of no bytes that is `.damaged`, and `.keep` makes an empty file of it in the next generation. A plain area, whose owner is nil, is rewritten in one commit of what
    /// `transform` changes.
    package func rewrite(
        owner: OwnerID?,
        _ transform:
            @Sendable (EntryID, any EntryReader, () throws(StoreError) -> any StagedPayload)
            throws -> Rewritten
    ) throws {
        switch layout {
        case .area:
            guard owner == nil else { throw StoreError.ownerChanged(now: nil) }
            try rewriteArea(transform)
        case .vault:
            guard let owner, owner.bytes.count == 8 else {
                throw StoreError.ownerChanged(now: try self.owner())
            }
            try rewriteVault(owner, transform)
        }
        feed.send([])
    }

    private func rewriteVault(
        _ owner: OwnerID,
        _ transform:
            @Sendable (EntryID, any EntryReader, () throws(StoreError) -> any StagedPayload)
            throws -> Rewritten
    ) throws {
        try sweepLeftovers()
        let base = try openForWriting()
        let current = try readGeneration(base)
        let next = GenerationFile(generation: current.generation + 1, owner: owner)
        do {
            let folder = try makeGenerationFolder(next.generation, in: base)
            try withoutActuallyEscaping(transform) { transform in
                var writer = GenerationWriter(
                    base: base, next: folder, mapping: identifiers, transform: transform)
                try carryOver(&writer, from: current, in: base)
                try finish(&writer, from: current, to: next)
            }
        } catch {
            if case StoreError.outcomeUnknown = error { throw error }
            do {
                try removeGeneration(next.generation, in: base)
            } catch {
                // The next rewrite sweeps it.
            }
            throw error
        }
        do {
            try removeGeneration(current.generation, in: base)
        } catch {
            // The next rewrite sweeps it.
        }
    }

    /// Carries entries over while others write, until little is left to do while they wait.
    private func carryOver(
        _ writer: inout GenerationWriter, from current: GenerationFile, in base: OpenFile
    ) throws {
        for _ in 0..<8 {
            guard let entries = try entries(of: current, in: base) else { throw missing(current) }
            if try writer.pass(over: entries) <= 64 { return }
        }
    }

    /// Carries over the rest while writers wait, and switches.
    private func finish(
        _ writer: inout GenerationWriter, from current: GenerationFile, to next: GenerationFile
    ) throws {
        // What a transform throws has no type that the lock's closure could throw.
        let result = try write { (session, now) throws(StoreError) -> Result<Void, any Error> in
            guard now == current else { throw .ownerChanged(now: now?.owner) }
            do {
                _ = try writer.pass(over: session.tree)
                try system(try writer.next.sync())
                try switchTo(next, in: writer.base)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    private func rewriteArea(
        _ transform:
            @Sendable (EntryID, any EntryReader, () throws(StoreError) -> any StagedPayload)
            throws -> Rewritten
    ) throws {
        for _ in 0..<100 {
            let ids = try self.ids()
            var changes: [EntryID: StoreChange] = [:]
            var conditions: [EntryID: Version?] = [:]
            var successors: Set<EntryID> = []
            for id in ids {
                guard let entry = try open(id) else { continue }
                conditions[id] = try entry.version
                let stage: () throws(StoreError) -> any StagedPayload = {
                    () throws(StoreError) in try self.stage()
                }
                let successor: EntryID?
                switch try transform(id, entry, stage) {
                case .put(let other, let payload):
                    successor = other
                    changes[other] = .put(other, payload)
                case .keep(let other):
                    successor = other
                    if other != id {
                        changes[other] = .put(other, .staged(try copy(entry)))
                    }
                case .drop: successor = nil
                }
                if let successor, !successors.insert(successor).inserted {
                    throw StoreError.conflict(successor)
                }
            }
            for id in ids where !successors.contains(id) { changes[id] = .remove(id) }
            do {
                let sorted = changes.values.sorted { $0.id < $1.id }
                return try commit(
                    sorted, if: conditions, owner: nil, expecting: Set(conditions.keys))
            } catch {
                guard case .conditionFailed = error else { throw error }
            }
        }
        throw StoreError.busy(path: path.description)
    }

    private func copy(_ entry: any EntryReader) throws(StoreError) -> any StagedPayload {
        let copy = try stage()
        try copy.fill(from: entry)
        return copy
    }
}
