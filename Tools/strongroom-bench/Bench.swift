import StrongroomSystem

/// One run of everything.
struct Bench {
    let scale: Scale
    let workplace: Workplace
    let programs: Programs
    var progress: Progress
    /// What was measured.
    private(set) var measures: [Measure] = []

    init(scale: Scale, workplace: Workplace, programs: Programs) {
        self.scale = scale
        self.workplace = workplace
        self.programs = programs
        progress = Progress(total: 23 + 4 * scale.counts.count)
    }

    /// The parts of a run, by name.
    static let parts = [
        "entries", "large", "writers", "batches", "rewrap", "lists", "sizes", "processes",
    ]

    /// Measures the rows of those parts.
    mutating func run(_ wanted: [String]) throws {
        for part in Self.parts where wanted.contains(part) {
            switch part {
            case "entries": try measureGrowingVaults()
            case "large": try measureLargeValues()
            case "writers": try measureWriters()
            case "batches": try measureBatches()
            case "rewrap": try measureKeys()
            case "lists": try measureLists()
            case "sizes": try measureSizes()
            default: try measureProcesses()
            }
        }
        progress.clear()
    }

    /// Notes a row.
    mutating func add(_ measure: Measure) { measures.append(measure) }

    /// The row of that name.
    func measure(_ id: String) -> Measure? { measures.first { $0.id == id } }

    /// Adds a comparison to the row of that name.
    mutating func compare(_ id: String, _ comparison: Comparison) {
        guard let index = measures.firstIndex(where: { $0.id == id }) else { return }
        measures[index].comparisons.append(comparison)
    }

    /// A row of ours and its floor, which took turns.
    mutating func add(
        _ id: String, _ title: String, _ unit: Measure.Unit = .nanoseconds, entryCount: Int,
        byteCount: Int, rounds: [[Double]], floor: String = "the floor",
        _ budget: Comparison.Budget? = nil
    ) {
        var measure = Measure(
            id: id, title: title, unit: unit, entryCount: entryCount, byteCount: byteCount,
            ours: Figure(rounds[0]))
        if rounds.count > 1 {
            measure.comparisons.append(
                Comparison(floor, ours: rounds[0], theirs: rounds[1], budget))
        }
        add(measure)
    }
}
