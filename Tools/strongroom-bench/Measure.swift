/// One row of the table: what was measured of ours, and what it is compared with.
struct Measure: Codable {
    /// In what a figure is.
    enum Unit: String, Codable {
        case nanoseconds
        case perSecond
        case bytes
    }

    /// A name that stays the same from run to run.
    let id: String
    /// What was done.
    let title: String
    let unit: Unit
    /// Entries in the vault.
    let entryCount: Int
    /// Bytes of a value.
    let byteCount: Int
    /// Ours.
    var ours: Figure
    /// What it is compared with; the floor first.
    var comparisons: [Comparison] = []

    /// True unless a budget was missed.
    var isMet: Bool { comparisons.allSatisfy { $0.isMet ?? true } }
}

/// Something to compare ours with, and what the comparison must come to.
struct Comparison: Codable {
    /// What a ratio must be.
    enum Budget: Codable {
        /// Ours over theirs is at most this.
        case atMost(Double)
        /// Ours over theirs is at least this.
        case atLeast(Double)
    }

    /// The floor, another row, or a peer.
    let name: String
    let theirs: Figure
    /// Ours over theirs: the median of the rounds' ratios where both took turns.
    let ratio: Double
    let budget: Budget?

    /// Whether the budget is met; nil without one.
    var isMet: Bool? {
        switch budget {
        case nil: nil
        case .atMost(let limit): ratio <= limit
        case .atLeast(let limit): ratio >= limit
        }
    }

    /// Compares figures of rounds that took turns.
    init(_ name: String, ours: [Double], theirs: [Double], _ budget: Budget? = nil) {
        self.name = name
        self.theirs = Figure(theirs)
        let ratios = zip(ours, theirs).map { $0 / $1 }
        ratio = Figure(ratios).median
        self.budget = budget
    }

    /// Compares two figures.
    init(_ name: String, ours: Figure, theirs: Figure, _ budget: Budget? = nil) {
        self.name = name
        self.theirs = theirs
        ratio = ours.median / theirs.median
        self.budget = budget
    }
}
