/// What workers did to the keys of one store, and whether all of it can be true: that everything happened at one moment
/// between its beginning and its end, a commit of several at one moment on all of them.
///
/// The values of changes are all different, so what was read names the change that it comes from, and a key's history
/// can be checked exactly (Gibbons and Korach, "Testing shared memories", 1997): a change's *zone* goes from the first
/// end of what saw it, or of itself, to the last beginning. Where the first end comes first, the key had that value all
/// the time between, so that no two such zones may overlap, and nothing else may lie within one.
struct StressHistory {
    struct Change {
        var start: Int64
        /// When it was acknowledged, `.max` if nobody knows whether it stands.
        var end = Int64.max
        var hasFailed = false
        /// When somebody had seen it.
        var firstSeen = Int64.max
        var puts: [Int] = []
        var removes: [Int] = []
        /// For an update of a key: the change whose value it replaced, 0 for absent.
        var old: UInt64?

        /// The latest moment at which it can have happened.
        var limit: Int64 { min(end, firstSeen) }
    }

    struct Read {
        var key: Int
        /// 0 for absent.
        var number: UInt64
        var start: Int64
        var end: Int64
    }

    struct Listing {
        var key: Int
        var isPresent: Bool
        var start: Int64
        var end: Int64
    }

    private struct Zone {
        var first: Int64
        var last: Int64
        /// Of the change itself.
        var begun: Int64
        var number: UInt64
    }

    var changes: [UInt64: Change] = [:]
    var reads: [Read] = []
    var listings: [Listing] = []
    var violations: [String] = []

    /// How many things were done.
    var count: Int { changes.count + reads.count + listings.count }

    // MARK: Taking up

    mutating func begin(_ number: UInt64, puts: [Int] = [], removes: [Int] = [], at start: Int64) {
        var change = changes[number] ?? Change(start: start)
        change.puts += puts
        change.removes += removes
        changes[number] = change
    }

    mutating func beginUpdate(_ number: UInt64, _ key: Int, of old: UInt64, at start: Int64) {
        begin(number, puts: [key], at: start)
        changes[number]?.old = old
    }

    mutating func end(_ number: UInt64, at end: Int64) { changes[number]?.end = end }

    mutating func fail(_ number: UInt64) { changes[number]?.hasFailed = true }

    // MARK: Checking

    /// Everything that cannot be true.
    mutating func check() -> [String] {
        takeUpdatesAsReads()
        for read in reads where read.number != 0 { see(read) }
        var readsOfKey: [Int: [Read]] = [:]
        for read in reads { readsOfKey[read.key, default: []].append(read) }
        var putsOfKey: [Int: [UInt64]] = [:]
        var removesOfKey: [Int: [Change]] = [:]
        for (number, change) in changes where !change.hasFailed {
            if change.limit < .max {
                for key in change.puts { putsOfKey[key, default: []].append(number) }
            }
            for key in change.removes { removesOfKey[key, default: []].append(change) }
        }
        var listingsOfKey: [Int: [Listing]] = [:]
        for listing in listings { listingsOfKey[listing.key, default: []].append(listing) }
        let keys = Set(readsOfKey.keys).union(putsOfKey.keys).union(listingsOfKey.keys)
        for key in keys.sorted() {
            check(
                key, readsOfKey[key] ?? [], putsOfKey[key] ?? [], removesOfKey[key] ?? [],
                listingsOfKey[key] ?? [])
        }
        return violations
    }

    /// Who replaced a value had it before him at the moment at which he did; and nobody else replaced it too.
    private mutating func takeUpdatesAsReads() {
        var successors: [[UInt64]: UInt64] = [:]
        for (number, change) in changes where !change.hasFailed && change.end < .max {
            guard let old = change.old, let key = change.puts.first else { continue }
            reads.append(Read(key: key, number: old, start: change.start, end: change.end))
            guard old != 0 else { continue }
            if let other = successors.updateValue(number, forKey: [UInt64(key), old]) {
                violations.append("\(number) and \(other) both replaced \(old)")
            }
        }
    }

    private mutating func see(_ read: Read) {
        guard let change = changes[read.number], change.puts.contains(read.key) else {
            return violations.append("key \(read.key) has a value \(read.number) of nobody")
        }
        if change.hasFailed { violations.append("\(read.number) failed and was read") }
        if change.start > read.end { violations.append("\(read.number) was read before it began") }
        changes[read.number]?.firstSeen = min(change.firstSeen, read.end)
    }

    private mutating func check(
        _ key: Int, _ reads: [Read], _ puts: [UInt64], _ removes: [Change], _ listings: [Listing]
    ) {
        let zones = zones(reads, puts)
        let solid = zones.filter { $0.first < $0.last }.sorted { $0.first < $1.first }
        for (one, other) in zip(solid, solid.dropFirst()) where one.last > other.first {
            violations.append(
                "key \(key): \(one.number) was seen before and after \(other.number) was there")
        }
        /// The value that the key had all the time from before `start` to behind `end`.
        func value(around start: Int64, _ end: Int64) -> UInt64? {
            let index = solid.partition { $0.first < start }
            guard index > 0, solid[index - 1].last > end else { return nil }
            return solid[index - 1].number
        }
        for zone in zones where zone.first >= zone.last {
            if let other = value(around: zone.last, zone.first) {
                violations.append("key \(key): \(zone.number) came while \(other) was there")
            }
        }
        for change in removes where change.limit < .max {
            if let other = value(around: change.start, change.limit) {
                violations.append("key \(key) was removed while \(other) was there")
            }
        }
        var absences: [(start: Int64, end: Int64)] = []
        for read in reads where read.number == 0 { absences.append((read.start, read.end)) }
        for listing in listings where !listing.isPresent {
            absences.append((listing.start, listing.end))
        }
        let putSpans = zones.map { (begun: $0.begun, limit: $0.first) }
        let removeSpans = removes.map { (begun: $0.start, limit: $0.limit) }
        let lastPut = Latest(putSpans)
        let lastRemove = Latest(removeSpans)
        for absence in absences {
            if let other = value(around: absence.start, absence.end) {
                violations.append("key \(key) was absent while \(other) was there")
            }
            // Someone must have removed it that need not have come before a put that was over.
            if let begun = lastPut.begun(before: absence.start),
                lastRemove.limit(begunBefore: absence.end) < begun
            {
                violations.append("key \(key) was absent and nobody had removed it")
            }
        }
        for listing in listings where listing.isPresent {
            let begun = lastRemove.begun(before: listing.start) ?? .min
            let limit = lastPut.limit(begunBefore: listing.end)
            if limit < begun || limit == .min {
                violations.append("key \(key) was listed and nobody had put it")
            }
        }
    }

    private func zones(_ reads: [Read], _ puts: [UInt64]) -> [Zone] {
        var zones: [UInt64: Zone] = [:]
        for number in puts {
            guard let change = changes[number] else { continue }
            zones[number] = Zone(
                first: change.limit, last: change.start, begun: change.start, number: number)
        }
        for read in reads where read.number != 0 {
            guard var zone = zones[read.number] else { continue }
            zone.first = min(zone.first, read.end)
            zone.last = max(zone.last, read.start)
            zones[read.number] = zone
        }
        return Array(zones.values)
    }

    /// Which of many changes of one kind was surely over, and which may still have come.
    private struct Latest {
        private var byLimit: [(limit: Int64, begun: Int64)]
        private var byBegun: [(begun: Int64, limit: Int64)]

        init(_ spans: [(begun: Int64, limit: Int64)]) {
            byLimit = spans.map { ($0.limit, $0.begun) }.sorted { $0.limit < $1.limit }
            byBegun = spans.sorted { $0.begun < $1.begun }
            for index in byLimit.indices.dropFirst() {
                byLimit[index].begun = max(byLimit[index].begun, byLimit[index - 1].begun)
            }
            for index in byBegun.indices.dropFirst() {
                byBegun[index].limit = max(byBegun[index].limit, byBegun[index - 1].limit)
            }
        }

        /// The latest beginning of those that were over before a moment.
        func begun(before moment: Int64) -> Int64? {
            let index = byLimit.partition { $0.limit < moment }
            return index > 0 ? byLimit[index - 1].begun : nil
        }

        /// The latest moment at which one that had begun before `moment` can have happened; `.min` if there is none.
        func limit(begunBefore moment: Int64) -> Int64 {
            let index = byBegun.partition { $0.begun < moment }
            return index > 0 ? byBegun[index - 1].limit : .min
        }
    }
}

extension Array {
    /// How many elements come first of which `isBefore` holds; it holds of none behind them.
    fileprivate func partition(_ isBefore: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}
