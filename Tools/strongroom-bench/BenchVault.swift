import Strongroom
import StrongroomSystem
import StrongroomVault

/// A vault of entries of one size, as an app has it.
struct BenchVault {
    static let app = "com.example.bench"

    let root: String
    let count: Int
    let byteCount: Int
    let area: VaultArea
    /// Names of 24 bytes.
    let keys: [String]
    private var random = Xorshift()

    /// The vault below `root`, which may be there already.
    init(root: String, count: Int, byteCount: Int) throws {
        self.root = root
        self.count = count
        self.byteCount = byteCount
        area = try AppContainer(Self.app, root: root).vault
        keys = (0..<count).map(Self.key)
    }

    /// A new one, filled, and compacted as a vault is that was in use for a while; or as the last batch left it.
    init(
        filled name: String, in workplace: Workplace, count: Int, byteCount: Int,
        isCompacted: Bool = true
    ) throws {
        let directory = try workplace.directory(name)
        try self.init(root: directory.path.description, count: count, byteCount: byteCount)
        try fill()
        if isCompacted { try area.vault.compact() }
    }

    private func fill() throws {
        let value = Self.value(byteCount)
        let batchCount = max(1, min(10_000, (64 << 20) / max(1, byteCount)))
        var next = 0
        while next < count {
            let end = min(count, next + batchCount)
            var changes = Changes()
            for index in next..<end { changes.set(value, forKey: keys[index]) }
            try area.commit(changes)
            next = end
        }
    }

    static func key(_ index: Int) -> String {
        let digits = String(index)
        return "service/" + String(repeating: "0", count: 8 - digits.utf8.count) + digits
            + "/api-key"
    }

    /// A value that nothing could make shorter.
    static func value(_ byteCount: Int) -> Secret {
        var random = Xorshift()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(byteCount)
        for _ in 0..<byteCount { bytes.append(UInt8(truncatingIfNeeded: random.next() >> 24)) }
        return Secret(bytes)
    }

    /// Nanoseconds of one get of a key at random, of `repeats`.
    mutating func get(_ repeats: Int) throws -> Double {
        // Made before the clock runs: to fetch one of many names from cold memory is no work of the vault.
        var chosen: [String] = []
        for _ in 0..<repeats { chosen.append(Self.key(random.below(count))) }
        let start = Clock.monotonic()
        for key in chosen {
            guard let entry = try area.entry(key), entry.byteCount == byteCount else {
                throw BenchFailure("an entry is missing")
            }
        }
        return Double(Clock.monotonic() - start) / Double(repeats)
    }

    /// Nanoseconds of one durable set of a key at random, of `repeats`.
    mutating func set(_ value: Secret, _ repeats: Int) throws -> Double {
        let start = Clock.monotonic()
        for _ in 0..<repeats { try area.set(value, forKey: keys[random.below(count)]) }
        return Double(Clock.monotonic() - start) / Double(repeats)
    }

    /// Nanoseconds to open, get and close.
    mutating func open() throws -> Double {
        let key = keys[random.below(count)]
        let start = Clock.monotonic()
        try Self.openAndGet(root: root, key: key, byteCount: byteCount)
        return Double(Clock.monotonic() - start)
    }

    @inline(never)
    private static func openAndGet(root: String, key: String, byteCount: Int) throws {
        let app = try AppContainer(Self.app, root: root)
        guard let entry = try app.vault.entry(key), entry.byteCount == byteCount else {
            throw BenchFailure("an entry is missing")
        }
    }
}

/// Marsaglia's xorshift: random enough to take entries in no order, and quicker than a get.
struct Xorshift {
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// The next number.
    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }

    /// A number from 0 to `limit` - 1.
    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
}
