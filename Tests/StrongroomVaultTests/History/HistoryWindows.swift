/// When each commit can have taken effect, from what was seen of it in all its keys.
///
/// A value that was read was written before the read ended and not replaced before it began. Two writes of a key whose
/// values' times do not overlap come in that order (the zones of Gibbons and Korach, "Testing shared memories", 1997);
/// as all writes of a commit share one instant, what one key tells of it holds for its other keys. So windows shrink
/// until nothing more follows. An empty one is a history that cannot be. Whether windows that are left can all be met
/// is for ``KeyHistory`` to find out, key by key.
struct HistoryWindows {
    /// One write of one key.
    private struct Point {
        let commit: Int
        let write: History.Write
        /// When its value was there for certain; `.min` if that is never known.
        var last: Int64
    }

    /// When what was there at first was put; its negative is a number, too.
    private static let first = -Int64.max

    private let commits: [History.Commit]
    /// By commit, and one more for what was there at first: not before, not after.
    private(set) var earliest: [Int64]
    private(set) var latest: [Int64]
    private var points: [[Point]]
    private var places: [[UInt64: Int]]
    private var violations: [String] = []

    init(_ history: History) {
        commits = history.commits
        let first = commits.count
        earliest = commits.map { $0.start } + [Self.first]
        latest = commits.map { $0.end } + [Self.first]
        points = Array(repeating: [], count: history.initial.count)
        places = Array(repeating: [:], count: history.initial.count)
        for (key, number) in history.initial.enumerated() {
            add(
                Point(commit: first, write: .init(key: key, isRemoval: number == 0), last: .min),
                number)
        }
        for (index, commit) in commits.enumerated() {
            for write in commit.writes {
                add(Point(commit: index, write: write, last: .min), commit.number)
            }
        }
        for read in history.reads {
            guard case .number(let number) = read.found else { continue }
            see(read.key, number, read.start, read.end)
        }
        for snapshot in history.snapshots {
            for (key, number) in snapshot.numbers.enumerated() {
                see(key, number, snapshot.start, snapshot.end)
            }
        }
    }

    private mutating func add(_ point: Point, _ number: UInt64) {
        let key = point.write.key
        if !point.write.isRemoval { places[key][number] = points[key].count }
        points[key].append(point)
    }

    private mutating func see(_ key: Int, _ number: UInt64, _ start: Int64, _ end: Int64) {
        // Which removal an absent entry comes from is not known.
        guard number != 0 else { return }
        guard let place = places[key][number] else {
            violations.append("key \(key): \(number) was read at \(start), which no commit put")
            return
        }
        points[key][place].last = max(points[key][place].last, start)
        let commit = points[key][place].commit
        latest[commit] = min(latest[commit], end)
    }

    /// Shrinks the windows for as long as anything follows, and says what cannot be.
    mutating func tighten() -> [String] {
        for _ in 0..<50 {
            let before = (earliest, latest)
            for key in points.indices { tighten(key) }
            for (index, commit) in commits.enumerated() where earliest[index] > latest[index] {
                violations.append(
                    "commit \(commit.number) of keys \(commit.writes.map { $0.key }), from "
                        + "\(commit.start) to \(commit.end): its effect is seen until "
                        + "\(latest[index]) and missing after \(earliest[index])")
            }
            if !violations.isEmpty || before == (earliest, latest) { break }
        }
        return violations
    }

    private mutating func tighten(_ key: Int) {
        for point in points[key] {
            guard let old = point.write.old, old != 0, latest[point.commit] < .max else { continue }
            guard let place = places[key][old] else {
                violations.append("key \(key): an update replaced \(old), which no commit put")
                continue
            }
            let from = points[key][place].commit
            points[key][place].last = max(points[key][place].last, earliest[point.commit])
            latest[from] = min(latest[from], latest[point.commit])
            earliest[point.commit] = max(earliest[point.commit], earliest[from])
        }
        // What took effect at the latest before another one's value was there for certain comes before it; then so
        // does all that is known of its value.
        let all = points[key]
        let until = all.map { max($0.last, earliest[$0.commit]) }
        let byLatest = all.indices.sorted { latest[all[$0].commit] < latest[all[$1].commit] }
        let byUntil = all.indices.sorted { until[$0] < until[$1] }
        let latestBefore = latest

        var next = 0
        var top = Extremes()
        for index in byUntil {
            while next < byLatest.count, latestBefore[all[byLatest[next]].commit] < until[index] {
                top.add(until[byLatest[next]], byLatest[next])
                next += 1
            }
            let commit = all[index].commit
            if let bound = top.greatest(but: index), commit < commits.count {
                earliest[commit] = max(earliest[commit], bound)
            }
        }

        var other = byUntil.count - 1
        var bottom = Extremes()
        for index in byLatest.reversed() {
            let commit = all[index].commit
            while other >= 0, until[byUntil[other]] > latestBefore[commit] {
                let place = byUntil[other]
                bottom.add(-latestBefore[all[place].commit], place)
                other -= 1
            }
            if let bound = bottom.greatest(but: index) {
                latest[commit] = min(latest[commit], -bound)
            }
        }
    }

    /// Listings that have one half of a commit and not the other.
    func tornSnapshots(_ history: History) -> [String] {
        var found: [String] = []
        for snapshot in history.snapshots {
            for (key, number) in snapshot.numbers.enumerated() where number != 0 {
                guard let place = places[key][number] else { continue }
                let index = points[key][place].commit
                guard index < commits.count, commits[index].writes.count > 1 else { continue }
                for write in commits[index].writes where write.key != key {
                    let other = snapshot.numbers[write.key]
                    if other == (write.isRemoval ? 0 : number) { continue }
                    if isBefore(other, index, write) {
                        found.append(
                            "a listing from \(snapshot.start) to \(snapshot.end) has \(number) in "
                                + "key \(key), and \(other) from before it in key \(write.key)")
                    }
                }
            }
        }
        return found
    }

    /// Commits of several keys that come in one order in one key and in the other in another.
    func crossedCommits() -> [String] {
        var found: [String] = []
        var overlapping: [Int] = []
        let several = commits.indices.filter {
            commits[$0].writes.count > 1 && latest[$0] < .max
        }
        for index in several.sorted(by: { earliest[$0] < earliest[$1] }) {
            overlapping.removeAll { latest[$0] < earliest[index] }
            for other in overlapping {
                let shared = commits[index].writes.map { $0.key }.filter { key in
                    commits[other].writes.contains { $0.key == key }
                }
                if shared.contains(where: { isBefore(index, other, in: $0) }),
                    shared.contains(where: { isBefore(other, index, in: $0) })
                {
                    found.append(
                        "commits \(commits[index].number) and \(commits[other].number) come in "
                            + "two orders in keys \(shared)")
                }
            }
            overlapping.append(index)
        }
        return found
    }

    /// True if the first commit took effect before the second, for certain, as that key shows it.
    private func isBefore(_ first: Int, _ second: Int, in key: Int) -> Bool {
        guard let place = places[key][commits[second].number] else { return false }
        let point = points[key][place]
        return latest[first] < max(point.last, earliest[second])
            || point.write.old == commits[first].number
    }

    /// True if `other` was put before the commit took effect, for certain.
    private func isBefore(_ other: UInt64, _ index: Int, _ write: History.Write) -> Bool {
        if other == 0 {
            // Absent again, if there is a removal that may have come after it.
            return !points[write.key].contains {
                $0.write.isRemoval && latest[$0.commit] >= earliest[index]
                    && $0.commit < commits.count
            }
        }
        guard let place = places[write.key][other] else { return true }
        return other == write.old || latest[points[write.key][place].commit] < earliest[index]
    }
}

/// The two greatest numbers and whose they are, so that one of them can be left out.
private struct Extremes {
    private var first: (value: Int64, owner: Int)?
    private var second: (value: Int64, owner: Int)?

    mutating func add(_ value: Int64, _ owner: Int) {
        if let first, first.value >= value {
            if value > second?.value ?? .min { second = (value, owner) }
        } else {
            second = first
            first = (value, owner)
        }
    }

    func greatest(but owner: Int) -> Int64? {
        first?.owner == owner ? second?.value : first?.value
    }
}
