import StrongroomCrypto
import StrongroomStores
import StrongroomSystem
import StrongroomVault

/// One thread of ``ProbeHistory``.
struct HistoryThread {
    private typealias Kind = HistoryRecords.Kind

    private let history: ProbeHistory
    private let worker: UInt64
    private var records: HistoryRecords
    private var random: UInt64
    private var round: UInt64 = 0

    init(_ history: ProbeHistory, worker: Int, seed: Int, records: HistoryRecords) {
        self.history = history
        self.worker = UInt64(worker)
        self.records = records
        random = UInt64(truncatingIfNeeded: seed) &+ UInt64(worker) &* 0xD1B5_4A32_D192_ED03
    }

    private var vault: Vault { history.vault }

    /// A number below `count` (SplitMix64).
    private mutating func below(_ count: Int) -> Int {
        random &+= 0x9E37_79B9_7F4A_7C15
        var mixed = random
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ mixed >> 31) % UInt64(count))
    }

    mutating func work() throws {
        for _ in 0..<history.operationCount {
            round += 1
            let key = below(history.keyCount)
            if below(history.turnShare) == 0 {
                try turn()
            } else if below(1000) < history.writeShare {
                try change(key)
            } else {
                try look(key)
            }
            if round % 100 == 0 { VaultProbe.say("\(round)") }
        }
        try records.flush()
    }

    // MARK: Reading

    private mutating func look(_ key: Int) throws {
        switch below(1000) {
        case ..<920: try get(key, vault)
        // As a process that has just begun.
        case ..<922: try get(key, ProbeVault(root: history.root).vault)
        case ..<940: try pieces(key)
        case ..<980:
            let start = Clock.monotonic()
            let isThere = try vault.contains(ProbeHistory.key(key))
            try records.add(.contained, key, isThere ? 1 : 0, start, Clock.monotonic())
        case ..<992:
            let start = Clock.monotonic()
            let info = try vault.info(ProbeHistory.key(key))
            let number = try info.map { try self.number($0) } ?? 0
            try records.add(.read, key, number, start, Clock.monotonic())
        default: try list()
        }
    }

    private mutating func get(_ key: Int, _ vault: Vault) throws {
        let start = Clock.monotonic()
        guard let entry = try vault.read(ProbeHistory.key(key)) else {
            return try records.add(.read, key, 0, start, Clock.monotonic())
        }
        try note(key, entry.value.copyToArray(), start, Clock.monotonic())
    }

    private mutating func pieces(_ key: Int) throws {
        let start = Clock.monotonic()
        let found = try vault.pieces(ProbeHistory.key(key))
        // What is read is one content of the entry, that of the moment in which it was looked for.
        let end = Clock.monotonic()
        guard let found else { return try records.add(.read, key, 0, start, end) }
        var bytes: [UInt8] = []
        while let piece = try found.next() { bytes += piece.buffer.copyToArray() }
        try note(key, bytes, start, end)
    }

    @discardableResult private mutating func note(
        _ key: Int, _ bytes: [UInt8], _ start: Int64, _ end: Int64
    ) throws -> UInt64 {
        let number = ProbeHistory.number(bytes)
        try records.add(number == nil ? .torn : .read, key, number ?? 0, start, end)
        return number ?? 0
    }

    /// The number of the change, which the header has too.
    private func number(_ info: EntryInfo) throws -> UInt64 {
        guard let number = info.attributes["n"].flatMap({ UInt64($0) }),
            info.byteCount == UInt64(ProbeHistory.value(number).count)
        else { throw HistoryFailure(what: "the header of \(info.key) is nobody's") }
        return number
    }

    private mutating func list() throws {
        let start = Clock.monotonic()
        let listing = try vault.list()
        let end = Clock.monotonic()
        guard listing.damaged.isEmpty, !listing.isIncomplete else {
            throw HistoryFailure(what: "the listing has damage: \(listing.damaged)")
        }
        var numbers = [UInt64](repeating: 0, count: history.keyCount)
        for info in listing.entries where info.key.hasPrefix("history/") {
            guard let key = Int(info.key.dropFirst(8)), numbers.indices.contains(key) else {
                throw HistoryFailure(what: "nobody put \(info.key)")
            }
            numbers[key] = try self.number(info)
        }
        for (key, number) in numbers.enumerated() {
            try records.add(.listed, key, number, start, end)
        }
    }

    // MARK: Changing

    private mutating func change(_ key: Int) throws {
        let number = worker << 32 | round
        switch below(100) {
        case ..<35:
            if number % 101 == 0 { return try stream(key, number) }
            try commit([(.put, key)], number)
        case ..<50: try commit([(.remove, key)], number)
        case ..<75: try update(key, number)
        default:
            var changes: [(Kind, Int)] = []
            for offset in 0..<2 + below(3) {
                let isRemoval = offset > 0 && below(4) == 0
                changes.append((isRemoval ? .remove : .put, (key + offset) % history.keyCount))
            }
            try commit(changes, number)
        }
    }

    /// Replaces what was read, unless somebody else was faster; now and then another key with it.
    private mutating func update(_ key: Int, _ number: UInt64) throws {
        let start = Clock.monotonic()
        var version: Version?
        var old: UInt64 = 0
        if let entry = try vault.read(ProbeHistory.key(key)) {
            version = entry.version
            old = try note(key, entry.value.copyToArray(), start, Clock.monotonic())
        } else {
            try records.add(.read, key, 0, start, Clock.monotonic())
        }
        var changes: [(Kind, Int)] = [(.update, key)]
        if below(3) == 0 { changes.append((.put, (key + 1) % history.keyCount)) }
        try commit(changes, number, old: old, if: [ProbeHistory.key(key): version])
    }

    private mutating func commit(
        _ changes: [(Kind, Int)], _ number: UInt64, old: UInt64 = 0,
        if conditions: [String: Version?] = [:]
    ) throws {
        let value = SecretBytes(SecretBuffer(copying: ProbeHistory.value(number).span))
        var sealed: [VaultChange] = []
        for (kind, key) in changes {
            let name = ProbeHistory.key(key)
            sealed.append(
                kind == .remove
                    ? .del(key: name)
                    : .set(key: name, value: value, attributes: ["n": "\(number)"]))
        }
        let start = try begin(changes, number, old: old)
        var failure: (any Error)?
        do {
            try vault.commit(sealed, if: conditions)
        } catch {
            failure = error
        }
        try end(number, start, failure)
    }

    /// Puts a value of more than one piece, as one does that is larger than memory.
    private mutating func stream(_ key: Int, _ number: UInt64) throws {
        let start = try begin([(.put, key)], number, old: 0)
        var failure: (any Error)?
        do {
            try vault.write(
                ProbeHistory.key(key), attributes: ["n": "\(number)"], if: .none
            ) { try $0.write(ProbeHistory.value(number).span) }
        } catch {
            failure = error
        }
        try end(number, start, failure)
    }

    private mutating func begin(
        _ changes: [(Kind, Int)], _ number: UInt64, old: UInt64
    ) throws -> Int64 {
        let start = Clock.monotonic()
        for (kind, key) in changes {
            try records.add(kind, key, number, start, 0, old: kind == .update ? old : 0)
        }
        try records.flush()
        return start
    }

    private mutating func end(_ number: UInt64, _ start: Int64, _ failure: (any Error)?) throws {
        let end = Clock.monotonic()
        var kind = Kind.done
        switch failure as? VaultError {
        case nil: if failure != nil { kind = .unknown }
        case .changed?, .busy?: kind = .failed
        default: kind = .unknown
        }
        try records.add(kind, 0, number, start, end)
        try records.flush()
        guard kind == .unknown, let failure else { return }
        if case .outcomeUnknown? = failure as? VaultError { return }
        throw failure
    }

    // MARK: Turning

    /// Something that moves every entry; whoever cannot have the job in time leaves it to others.
    private mutating func turn() throws {
        let start = Clock.monotonic()
        let kind = below(4)
        do {
            switch kind {
            case 0: _ = try vault.rotate(RotationOptions())
            case 1: _ = try vault.rewrap(RotationOptions())
            default: try vault.compact()
            }
        } catch {
            guard case .busy = error else { throw error }
            return
        }
        try records.add(.turned, 0, UInt64(min(kind, 2) + 1), start, Clock.monotonic())
        try records.flush()
    }
}
