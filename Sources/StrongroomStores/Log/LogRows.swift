import StrongroomSystem

/// Rows of 39 bytes, sorted by id, as they lie in the index file: a tenth of what a dictionary takes.
///
/// | offset | size | what |
/// |---|---|---|
/// | 0 | 20 | id |
/// | 20 | 6 | where the payload lies |
/// | 26 | 5 | bytes of the payload |
/// | 31 | 8 | version |
///
/// Only ids of 20 bytes have rows; integers little-endian. A page is 105 rows.
struct LogRows: Sendable {
    static let byteCount = 39
    static let idByteCount = 20
    static let pageRowCount = 105
    /// How often it is guessed where an id lies before the rest is halved.
    private static let guessLimit = 8
    static var pageByteCount: Int { byteCount * pageRowCount }

    /// The rows, one behind the other, from `start` on; before it is what else was read with them.
    private var bytes: [UInt8] = []
    private var start = 0
    /// Whose pages are yet to be verified when they are first used, and their sums; empty for rows made here.
    private var sums: [UInt64] = []
    private var key: [UInt8] = []
    private var isVerified: [Bool] = []
    /// What every few rows begin with, once somebody searched.
    private var fences = LogFences()

    /// No rows.
    init() {}

    /// Rows of a file, whose pages have these sums under `key`: all of `bytes` from `start` on.
    ///
    /// The bytes are kept as they were read, so that opening takes the memory once.
    init(bytes: [UInt8], from start: Int, sums: [UInt64], key: [UInt8]) {
        self.bytes = bytes
        self.start = start
        self.sums = sums
        self.key = key
        isVerified = [Bool](repeating: false, count: sums.count)
    }

    /// How many there are.
    var count: Int { (bytes.count - start) / Self.byteCount }

    /// The rows as they lie in a file.
    var span: Span<UInt8> {
        @_lifetime(borrow self) get { bytes.span.extracting(start..<bytes.count) }
    }

    /// Where a row begins in `bytes`.
    private func place(_ row: Int) -> Int { start + row * Self.byteCount }

    /// The sums of all pages under `key`.
    func pageSums(key: [UInt8]) throws(StoreError) -> [UInt64] {
        var sums: [UInt64] = []
        var from = start
        while from < bytes.count {
            let end = min(from + Self.pageByteCount, bytes.count)
            sums.append(try LogSum.sum(bytes.span.extracting(from..<end), key: key))
            from = end
        }
        return sums
    }

    /// Verifies the page of a row; false if it is not what was written.
    private mutating func verify(_ row: Int) throws(StoreError) -> Bool {
        let page = row / Self.pageRowCount
        guard page < isVerified.count, !isVerified[page] else { return true }
        let from = start + page * Self.pageByteCount
        let end = min(from + Self.pageByteCount, bytes.count)
        guard try LogSum.sum(bytes.span.extracting(from..<end), key: key) == sums[page] else {
            return false
        }
        isVerified[page] = true
        return true
    }

    /// Verifies every page that has not been yet.
    mutating func verifyAll() throws(StoreError) -> Bool {
        for page in isVerified.indices where !isVerified[page] {
            guard try verify(page * Self.pageRowCount) else { return false }
        }
        return true
    }

    /// The row of `id`, nil if there is none; `.failure` if a page on the way is not what was written.
    mutating func find(_ id: EntryID) throws(StoreError) -> Result<LogRow?, LogIndexDamage> {
        guard id.bytes.count == Self.idByteCount else { return .success(nil) }
        let wanted = Self.prefix(id.bytes.span, at: 0)
        if fences.isEmpty { fences = LogFences(of: self) }
        // Between which rows, and what those before `low`, and at and behind `high`, begin with.
        var (low, high, least, most) = fences.range(of: wanted, count: count)
        var attempts = 0
        while low < high {
            // Ids are hashes, so where one lies follows from its number; others are halved like anything sorted.
            var middle = (low + high) / 2
            if attempts < Self.guessLimit, most > least {
                let share = Double(wanted - least) / Double(most - least)
                middle = min(low + Int(share * Double(high - low)), high - 1)
            }
            attempts += 1
            guard try verify(middle) else { return .failure(LogIndexDamage()) }
            let found = prefix(middle)
            let isBefore: Bool
            if found != wanted {
                isBefore = found < wanted
            } else {
                let order = order(of: middle, and: id)
                if order == 0 { return .success(row(middle)) }
                isBefore = order < 0
            }
            if isBefore {
                low = middle + 1
                least = found
            } else {
                high = middle
                most = found
            }
        }
        // The fences were made of pages that nobody had verified: there is none only if its neighbours say so.
        if low > 0 {
            guard try verify(low - 1), order(of: low - 1, and: id) < 0 else {
                return .failure(LogIndexDamage())
            }
        }
        if low < count {
            guard try verify(low), order(of: low, and: id) > 0 else {
                return .failure(LogIndexDamage())
            }
        }
        return .success(nil)
    }

    /// The first 8 bytes of a row's id as a number that has their order.
    func prefix(_ row: Int) -> UInt64 { Self.prefix(bytes.span, at: place(row)) }

    /// The first 8 bytes of an id as a number that has their order.
    static func prefix(_ bytes: Span<UInt8>, at offset: Int) -> UInt64 {
        Bytes.number(bytes, at: offset).byteSwapped
    }

    /// Below 0 if the row's id comes before `id`, 0 if it is the same.
    private func order(of row: Int, and id: EntryID) -> Int {
        let place = place(row)
        return Bytes.order(
            bytes.span.extracting(place..<place + Self.idByteCount), id.bytes.span)
    }

    /// What a row says.
    func row(_ index: Int) -> LogRow {
        let place = place(index)
        let span = bytes.span
        return LogRow(
            offset: Int64(span.number(at: place + 20, byteCount: 6)),
            byteCount: Int64(span.number(at: place + 26, byteCount: 5)),
            version: span.number(at: place + 31))
    }

    /// Whose a row is.
    func id(_ index: Int) -> EntryID {
        let place = place(index)
        return EntryID(Array(bytes[place..<(place + Self.idByteCount)]))
    }

    /// Appends a row, which must come last.
    mutating func append(_ id: EntryID, _ row: LogRow) {
        fences = LogFences()
        bytes += id.bytes
        bytes.append(UInt64(row.offset), byteCount: 6)
        bytes.append(UInt64(row.byteCount), byteCount: 5)
        bytes.append(row.version, byteCount: 8)
    }

    /// Rows with some changed, added or removed, sorted by id.
    ///
    /// All pages must be verified.
    func merged(with changes: [(id: EntryID, row: LogRow?)]) -> LogRows {
        var merged = LogRows()
        merged.bytes.reserveCapacity(bytes.count + changes.count * Self.byteCount)
        var next = 0
        for (id, row) in changes {
            let place = firstRow(notBefore: id, from: next)
            merged.bytes += bytes[self.place(next)..<self.place(place)]
            next = place
            if place < count, order(of: place, and: id) == 0 { next += 1 }
            if let row { merged.append(id, row) }
        }
        merged.bytes += bytes[self.place(next)...]
        return merged
    }

    private func firstRow(notBefore id: EntryID, from start: Int) -> Int {
        var low = start
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if order(of: middle, and: id) < 0 { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// The index file is not what was written: it is read anew from the log.
struct LogIndexDamage: Error {}
