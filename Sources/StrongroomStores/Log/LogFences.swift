/// What every 16th row begins with, close together: a search in many rows then touches few lines of memory.
///
/// They are taken from rows that may not be verified, so they say where to look and settle nothing.
struct LogFences: Sendable {
    /// Rows from one to the next.
    static let rowCount = 16
    /// So far from where a fence of evenly spread ids lies it is looked for first.
    private static let reach = 32

    /// The first 4 bytes of ids as numbers that have their order.
    private var prefixes: [UInt32] = []

    /// None.
    init() {}

    /// Those of rows.
    init(of rows: LogRows) {
        prefixes.reserveCapacity((rows.count + Self.rowCount - 1) / Self.rowCount)
        for row in stride(from: 0, to: rows.count, by: Self.rowCount) {
            prefixes.append(UInt32(truncatingIfNeeded: rows.prefix(row) >> 32))
        }
    }

    /// True if there are none, as of no rows.
    var isEmpty: Bool { prefixes.isEmpty }

    /// Between which of `count` rows one that begins with `wanted` lies, and what rows before and behind begin with.
    func range(
        of wanted: UInt64, count: Int
    ) -> (low: Int, high: Int, least: UInt64, most: UInt64) {
        let prefix = UInt32(truncatingIfNeeded: wanted >> 32)
        let first = firstFence(notBefore: prefix)
        var last = first
        while last < prefixes.count, prefixes[last] <= prefix { last += 1 }
        var range = (low: 0, high: count, least: UInt64(0), most: UInt64.max)
        if first > 0 {
            range.low = (first - 1) * Self.rowCount
            range.least = UInt64(prefixes[first - 1]) << 32
        }
        if last < prefixes.count {
            range.high = last * Self.rowCount
            range.most = UInt64(prefixes[last]) << 32
        }
        return range
    }

    private func firstFence(notBefore prefix: UInt32) -> Int {
        var low = 0
        var high = prefixes.count
        // Ids are hashes, so where one lies follows from its number.
        let guess = Int((UInt64(prefix) * UInt64(high)) >> 32)
        if guess >= Self.reach, prefixes[guess - Self.reach] < prefix { low = guess - Self.reach }
        if guess + Self.reach < high, prefixes[guess + Self.reach] >= prefix {
            high = guess + Self.reach
        }
        while low < high {
            let middle = (low + high) / 2
            if prefixes[middle] < prefix { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
