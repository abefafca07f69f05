/// What many threads and processes did to the keys of one vault, and when.
///
/// Every value names the change that put it, by a number that is not 0; 0 is an absent entry. Times are of one
/// monotonic clock. The keys are numbered from 0.
struct History {
    /// What a change does to one key.
    struct Write {
        var key: Int
        var isRemoval = false
        /// The number that is replaced, of an update: nothing comes between reading and replacing it.
        var old: UInt64?
    }

    /// A change of one key or of several at one instant.
    struct Commit {
        var number: UInt64
        var start: Int64
        /// `.max` if its outcome is unknown: it may take effect at any time after `start`, or never.
        var end = Int64.max
        var writes: [Write]
    }

    /// What was found under one key.
    struct Read {
        enum Found: Equatable {
            case number(UInt64)
            /// Something.
            case anything

            func matches(_ number: UInt64) -> Bool {
                switch self {
                case .number(let wanted): wanted == number
                case .anything: number != 0
                }
            }
        }

        var key: Int
        var found: Found
        var start: Int64
        var end: Int64
    }

    /// The numbers of all keys, found at one instant.
    struct Snapshot {
        var start: Int64
        var end: Int64
        var numbers: [UInt64]
    }

    /// The numbers before anything was done.
    var initial: [UInt64]
    var commits: [Commit] = []
    var reads: [Read] = []
    /// Listings; whether they are of one instant is known of a log only.
    var snapshots: [Snapshot] = []
    /// What is wrong before any order is looked for.
    var violations: [String] = []
    /// Things done; a listing is one.
    var operationCount = 0
    /// Rotations, rewraps and compactions that went through.
    var turnCounts = [0, 0, 0]

    init(initial: [UInt64]) { self.initial = initial }

    /// Looks for what cannot be.
    ///
    /// - Parameter areSnapshotsAtomic: False if the keys of a listing may be of different instants.
    /// - Returns: Nothing if every key is linearizable and every commit atomic.
    func check(areSnapshotsAtomic: Bool = true) -> [String] {
        var windows = HistoryWindows(self)
        var found = violations + windows.tighten()
        found += windows.crossedCommits()
        if areSnapshotsAtomic { found += windows.tornSnapshots(self) }
        guard found.isEmpty else { return found }
        for key in initial.indices {
            if let violation = KeyHistory(self, key, windows).violation() {
                found.append(violation)
            }
        }
        return found
    }
}
