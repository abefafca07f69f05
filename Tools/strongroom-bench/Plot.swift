/// Get, durable set, batch, rotation and opening against the number of entries, as SVG.
///
/// Both axes are logarithmic. Its colours follow the reader's: light or dark.
struct Plot {
    private struct Panel {
        let title: String
        let work: String
        /// Drawn as time an entry.
        var isRate = false
        var divides = false
    }

    private static let panels = [
        Panel(title: "get", work: "get"),
        Panel(title: "durable set", work: "set"),
        Panel(title: "one batch, an entry", work: "batch", isRate: true),
        Panel(title: "rotation, an entry", work: "rotate", divides: true),
        Panel(title: "open, get, close", work: "open"),
    ]
    private static let panelWidth = 300.0
    private static let panelHeight = 220.0
    private static let style = """
        <style>
          text { font: 12px system-ui, sans-serif; fill: #333; }
          .title { font-weight: 600; font-size: 13px; }
          .grid { stroke: #8886; stroke-width: 1; }
          .ours { stroke: #0b6bcb; fill: none; stroke-width: 2; }
          .ours-dot { fill: #0b6bcb; }
          .floor { stroke: #888; fill: none; stroke-width: 2; stroke-dasharray: 5 4; }
          .floor-dot { fill: #888; }
          @media (prefers-color-scheme: dark) {
            text { fill: #ddd; }
            .ours { stroke: #58a6ff; }
            .ours-dot { fill: #58a6ff; }
          }
        </style>
        """

    private let measures: [Measure]

    init(_ measures: [Measure]) { self.measures = measures }

    /// The drawing.
    var text: String {
        let width = Self.panelWidth * 3
        let height = Self.panelHeight * 2
        var text = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(width)) \(Int(height))" \
            role="img" aria-label="Times against the number of entries">
            \(Self.style)

            """
        for (number, panel) in Self.panels.enumerated() {
            let x = Double(number % 3) * Self.panelWidth
            let y = Double(number / 3) * Self.panelHeight
            text += "<g transform=\"translate(\(Int(x)) \(Int(y)))\">\n\(drawing(panel))</g>\n"
        }
        let x = Int(Self.panelWidth * 2 + 60)
        let y = Int(Self.panelHeight + 60)
        text += """
            <g transform="translate(\(x) \(y))">
            <path class="ours" d="M0 0H40"/><text x="50" y="4">Strongroom, values of 1 KiB</text>
            <path class="floor" d="M0 24H40"/><text x="50" y="28">the floor, in C</text>
            <text x="0" y="60">across: entries in the vault</text>
            </g>
            </svg>

            """
        return text
    }

    private struct Point {
        let count: Double
        let ours: Double
        let floor: Double?
    }

    private func points(_ panel: Panel) -> [Point] {
        var points: [Point] = []
        for place in ["one", "few", "usual", "many"] {
            guard let measure = measures.first(where: { $0.id == "\(panel.work)-1024-\(place)" })
            else { continue }
            let time = { (value: Double) -> Double in
                if panel.isRate { return 1_000_000_000 / value }
                return panel.divides ? value / Double(measure.entryCount) : value
            }
            let floor = measure.comparisons.first { $0.name.hasPrefix("the floor") }
            points.append(
                Point(
                    count: Double(measure.entryCount), ours: time(measure.ours.median),
                    floor: floor.map { time($0.theirs.median) }))
        }
        return points
    }

    private func drawing(_ panel: Panel) -> String {
        let points = points(panel)
        let values = points.flatMap { [$0.ours] + ($0.floor.map { [$0] } ?? []) }
        guard let least = values.min(), let most = values.max(), points.count > 1 else { return "" }
        let low = Decade.below(least)
        let high = max(Decade.above(most), low + 1)
        let counts = points.map { Decade.logarithm($0.count) }
        let place = { (count: Double, value: Double) -> (Int, Int) in
            let across = Decade.logarithm(count) / max(1, counts.max() ?? 1)
            let up = (Decade.logarithm(value) - Double(low)) / Double(high - low)
            return (Int(60 + across * 215), Int(185 - up * 145))
        }
        var text = "<text class=\"title\" x=\"60\" y=\"22\">\(panel.title)</text>\n"
        for decade in low...high {
            let value = Decade.power(decade)
            let y = place(1, value).1
            text += "<path class=\"grid\" d=\"M60 \(y)H285\"/>"
            text +=
                "<text x=\"54\" y=\"\(y + 4)\" text-anchor=\"end\">\(Decade.label(value))</text>\n"
        }
        for point in points {
            let x = place(point.count, least).0
            text += "<text x=\"\(x)\" y=\"203\" text-anchor=\"middle\">\(Int(point.count))</text>\n"
        }
        let floors = points.compactMap { point in point.floor.map { (point.count, $0) } }
        text += Self.line("floor", floors.map { place($0.0, $0.1) })
        text += Self.line("ours", points.map { place($0.count, $0.ours) })
        return text
    }

    private static func line(_ name: String, _ places: [(Int, Int)]) -> String {
        var path = ""
        var dots = ""
        for (index, (x, y)) in places.enumerated() {
            path += (index == 0 ? "M" : "L") + "\(x) \(y)"
            dots += "<circle class=\"\(name)-dot\" cx=\"\(x)\" cy=\"\(y)\" r=\"3\"/>"
        }
        return "<path class=\"\(name)\" d=\"\(path)\"/>\(dots)\n"
    }
}

/// Powers of ten.
private enum Decade {
    /// log₁₀, to within what a drawing shows.
    static func logarithm(_ value: Double) -> Double {
        var rest = max(value, 0.001)
        var whole = 0.0
        while rest >= 10 { rest /= 10; whole += 1 }
        while rest < 1 { rest *= 10; whole -= 1 }
        // The fraction, bit by bit: squaring doubles a logarithm.
        var fraction = 0.0
        var bit = 0.5
        for _ in 0..<12 {
            rest *= rest
            if rest >= 10 { rest /= 10; fraction += bit }
            bit /= 2
        }
        return whole + fraction
    }

    static func below(_ value: Double) -> Int { Int(logarithm(value).rounded(.down)) }

    static func above(_ value: Double) -> Int { Int(logarithm(value).rounded(.up)) }

    static func power(_ exponent: Int) -> Double {
        var value = 1.0
        for _ in 0..<abs(exponent) { value = exponent > 0 ? value * 10 : value / 10 }
        return value
    }

    /// A time of nanoseconds.
    static func label(_ value: Double) -> String {
        switch value {
        case ..<1000: "\(Int(value)) ns"
        case ..<1_000_000: "\(Int(value / 1000)) µs"
        case ..<1_000_000_000: "\(Int(value / 1_000_000)) ms"
        default: "\(Int(value / 1_000_000_000)) s"
        }
    }
}
