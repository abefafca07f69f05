import StrongroomSystem

/// Writes the next generation of a vault's entries, pass by pass, until it is what the current one makes of itself.
struct GenerationWriter {
    /// What became of an entry.
    private struct Outcome {
        /// Nil of what is no file.
        let version: Version?
        let successor: EntryID?
    }

    /// The vault's directory, where larger payloads are staged.
    let base: OpenFile
    /// The next generation's directory.
    let next: OpenFile
    private let mapping: EntryMapping
    let transform:
        (EntryID, any EntryReader, () throws(StoreError) -> any StagedPayload) throws -> Rewritten
    private var outcomes: [EntryID: Outcome] = [:]
    private var sources: [EntryID: EntryID] = [:]

    init(
        base: OpenFile, next: OpenFile, mapping: EntryMapping,
        transform:
            @escaping (
                EntryID, any EntryReader, () throws(StoreError) -> any StagedPayload
            ) throws -> Rewritten
    ) {
        self.base = base
        self.next = next
        self.mapping = mapping
        self.transform = transform
    }

    /// Carries over what is not there yet or has changed, and takes back what is gone: how many entries that were.
    mutating func pass(over current: EntryTree) throws -> Int {
        var changedCount = 0
        let ids = try current.ids(record: try current.record())
        for id in outcomes.keys where !ids.contains(id) {
            try takeBack(id)
            changedCount += 1
        }
        for id in ids.sorted() {
            // One that goes meanwhile is taken back by the next pass.
            guard let entry = try current.open(id, record: try current.record()) else { continue }
            let version = entry.file == nil ? nil : try entry.version
            if let outcome = outcomes[id], outcome.version == version { continue }
            try takeBack(id)
            try carry(id, entry, version)
            changedCount += 1
        }
        return changedCount
    }

    private mutating func carry(_ id: EntryID, _ entry: EntryFile, _ version: Version?) throws {
        let base = base
        let stage: () throws(StoreError) -> any StagedPayload = { () throws(StoreError) in
            try StagedFile(in: base)
        }
        switch try transform(id, entry, stage) {
        case .put(let successor, let payload):
            try write(payload, id, successor, version)
        case .keep(let successor):
            let copy = try StagedFile(in: base)
            try copy.fill(from: entry)
            try write(.staged(copy), id, successor, version)
        case .drop:
            outcomes[id] = Outcome(version: version, successor: nil)
        }
    }

    private mutating func write(
        _ payload: Payload, _ id: EntryID, _ successor: EntryID, _ version: Version?
    ) throws(StoreError) {
        guard sources[successor] == nil else { throw .conflict(successor) }
        let name = try mapping.names(of: successor)[0]
        // Nobody reads this generation yet, so the file may have its name from the start.
        sources[successor] = id
        outcomes[id] = Outcome(version: version, successor: successor)
        _ = try payload.write(as: name, in: next, isDurable: true)
    }

    private mutating func takeBack(_ id: EntryID) throws(StoreError) {
        guard let successor = outcomes.removeValue(forKey: id)?.successor else { return }
        sources[successor] = nil
        let name = try mapping.names(of: successor)[0]
        try system(try next.unlink(name))
    }
}
