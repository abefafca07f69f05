import Strongroom
import StrongroomVault
import StrongroomSystem

// One commit of many entries, and sealing all of them again.
extension Bench {
    mutating func measureBatches() throws {
        for count in scale.counts {
            progress.next("one batch of \(count), and its rotation")
            let floor = try Floor(
                in: try workplace.directory("floor"), count: count, byteCount: 1024)
            let value = BenchVault.value(1024)
            let isUsual = count == scale.usual
            let roundCount = count > scale.usual ? 3 : scale.fewRounds
            let bench = self
            let batches = try Turns.take(
                [
                    Turns.Trial { try bench.batch(of: value, count: count) },
                    Turns.Trial { Double(count) / (try floor.batch()) * 1_000_000_000 },
                ], roundCount: roundCount)
            add(
                name("batch", count, 1024), "one batch", .perSecond, entryCount: count,
                byteCount: 1024, rounds: batches, floor: "the floor, one core")
            let vault = try BenchVault(
                filled: "vault", in: workplace, count: count, byteCount: 1024)
            let rotations = try Turns.take(
                [
                    Turns.Trial { try vault.rotate() },
                    Turns.Trial { try floor.reseal() },
                ], roundCount: roundCount)
            add(
                name("rotate", count, 1024), isUsual ? "full rotation" : "rotation",
                entryCount: count, byteCount: 1024, rounds: rotations,
                floor: "the floor, one core")
        }
    }

    /// Entries a second of one commit into a new vault.
    func batch(of value: Secret, count: Int) throws -> Double {
        let directory = try workplace.directory("batch")
        let vault = try BenchVault(
            root: directory.path.description, count: count, byteCount: value.byteCount)
        // Makes key and vault.
        try vault.area.set(value, forKey: "first")
        let bytes = value.copyBytes()
        let start = Clock.monotonic()
        var changes = Changes()
        for key in vault.keys { changes.set(Secret(bytes), forKey: key) }
        try vault.area.commit(changes)
        return Double(count) / Double(Clock.monotonic() - start) * 1_000_000_000
    }
}

extension BenchVault {
    /// Nanoseconds of a whole rotation.
    func rotate() throws -> Double {
        let start = Clock.monotonic()
        let rotation = try area.rotate()
        let nanoseconds = Double(Clock.monotonic() - start)
        guard rotation.entryCount == count else {
            throw BenchFailure("a rotation did not seal every entry")
        }
        return nanoseconds
    }

    /// Nanoseconds to replace the master key alone.
    func rewrap() throws -> Double {
        let start = Clock.monotonic()
        _ = try area.vault.rewrap(RotationOptions())
        return Double(Clock.monotonic() - start)
    }

    /// Nanoseconds to open, get the small entry, and close.
    func openSmall() throws -> Double {
        let start = Clock.monotonic()
        guard try AppContainer(Self.app, root: root).vault.get("small", as: String.self) == "small"
        else { throw BenchFailure("an entry is missing") }
        return Double(Clock.monotonic() - start)
    }

    /// Nanoseconds to list every key.
    func list() throws -> Double {
        let start = Clock.monotonic()
        let found = try area.keys()
        let nanoseconds = Double(Clock.monotonic() - start)
        guard found.count == count else { throw BenchFailure("a list is not whole") }
        return nanoseconds
    }
}
