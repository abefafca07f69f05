/// What was measured in several rounds: the median, and how far the rounds lie apart.
struct Figure: Codable {
    /// The middle one of the rounds.
    var median: Double
    /// The lowest.
    var low: Double
    /// The highest.
    var high: Double
    /// How many rounds there were.
    var roundCount: Int

    /// The figure of at least one round.
    init(_ rounds: [Double]) {
        let sorted = rounds.sorted()
        let middle = sorted.count / 2
        median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
        low = sorted[0]
        high = sorted[sorted.count - 1]
        roundCount = sorted.count
    }

    /// A figure that was measured once.
    init(once value: Double) { self.init([value]) }

    /// The same in another unit.
    func scaled(by factor: Double) -> Figure {
        var figure = self
        figure.median *= factor
        figure.low *= factor
        figure.high *= factor
        return figure
    }
}
