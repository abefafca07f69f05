import StrongroomStores
import StrongroomSystem
import Synchronization
import Testing

/// What every store promises to threads that work at once.
struct ConcurrencyContractTests {
    let temporary: TemporaryDirectory

    init() throws { temporary = try TemporaryDirectory() }

    /// Adds 1 to a number, however often somebody else is faster.
    private static func increment(_ id: EntryID, in store: any Store) throws {
        while true {
            let entry = try store.read(id)
            let number = entry.flatMap { Int(String(decoding: $0.bytes, as: UTF8.self)) } ?? 0
            do {
                return try store.commit(
                    [.put(id, .bytes(Array(String(number + 1).utf8)))],
                    if: [id: entry?.version], owner: try store.owner())
            } catch {
                switch error {
                case .conditionFailed, .ownerChanged: continue
                default: throw error
                }
            }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `8 threads that update one entry and their own lose nothing`(kind: StoreKind) throws {
        let store = try kind.make(in: temporary)
        // Half of them by an object of their own.
        let crew = Crew()
        for thread in 0..<8 {
            let mine: any Store =
                kind == .memory || thread < 4 ? store : try kind.reopen(in: temporary)
            crew.start {
                for _ in 0..<25 {
                    try Self.increment(EntryID("shared"), in: mine)
                    try Self.increment(EntryID("own/\(thread)"), in: mine)
                }
            }
        }
        try crew.join()
        #expect(try store.text("shared") == "200")
        for thread in 0..<8 { #expect(try store.text("own/\(thread)") == "25") }
    }

    @Test(arguments: StoreKind.allCases)
    func `a reader sees all of a commit or nothing of it`(kind: StoreKind) throws {
        let store = try kind.make(in: temporary)
        let (first, second) = (EntryID("one"), EntryID("two"))
        let isDone = Mutex(false)
        let crew = Crew()
        crew.start {
            defer { isDone.withLock { $0 = true } }
            for number in 0..<60 {
                let bytes = Array(String(number).utf8)
                try store.commit(
                    [.put(first, .bytes(bytes)), .put(second, .bytes(bytes))], if: [:],
                    owner: kind.owner)
            }
        }
        let reading: any Store = kind == .memory ? store : try kind.reopen(in: temporary)
        crew.start {
            while !isDone.withLock({ $0 }) {
                // The second is read later, so it is never older.
                let earlier = try reading.text("one").flatMap { Int($0) } ?? -1
                let later = try reading.text("two").flatMap { Int($0) } ?? -1
                if later < earlier { throw Torn(earlier: earlier, later: later) }
                let back = try reading.text("one").flatMap { Int($0) } ?? -1
                if back < later { throw Torn(earlier: later, later: back) }
                let names = try reading.names()
                if !names.isEmpty && names != ["one", "two"] { throw Torn(earlier: -2, later: -2) }
            }
        }
        try crew.join()
    }

    @Test(arguments: StoreKind.allCases)
    func `updates go on through rewrites and none is lost`(kind: StoreKind) throws {
        let store = try kind.make(in: temporary)
        for number in 0..<20 { try store.put("0", "entry \(number)") }
        let crew = Crew()
        let isDone = Mutex(false)
        for thread in 0..<3 {
            let mine: any Store =
                kind == .memory || thread == 0 ? store : try kind.reopen(in: temporary)
            crew.start {
                for round in 0..<30 {
                    try Self.increment(EntryID("entry \(round % 20)"), in: mine)
                    try Self.increment(EntryID("own \(thread)"), in: mine)
                }
            }
        }
        crew.start {
            let reading: any Store = kind == .memory ? store : try kind.reopen(in: temporary)
            while !isDone.withLock({ $0 }) {
                guard try reading.text("entry 19") != nil else { throw Torn(earlier: 0, later: -1) }
            }
        }
        crew.start {
            defer { isDone.withLock { $0 = true } }
            for round in 0..<4 {
                let next = round % 2 == 0 ? kind.nextOwner : kind.owner
                try store.rewrite(owner: next) { id, entry, _ in
                    .put(id, .bytes(try entry.read(at: 0, count: Int(entry.byteCount))))
                }
            }
        }
        try crew.join()
        var sum = 0
        for (_, text) in try store.contents() { sum += Int(text) ?? 0 }
        #expect(sum == 3 * 30 * 2)
    }

    /// Two reads that cannot both be right.
    struct Torn: Error {
        let earlier: Int
        let later: Int
    }
}
