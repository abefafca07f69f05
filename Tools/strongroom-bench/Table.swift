/// The figures as aligned text.
struct Table {
    /// The lines, the columns of each.
    let lines: [[String]]

    private static let title = [
        "what", "entries", "bytes", "ours", "spread", "beside", "theirs", "ratio", "must be", "",
    ]

    init(_ measures: [Measure]) {
        var lines = [Self.title]
        for measure in measures {
            let unit = measure.unit
            var front = [
                measure.title, String(measure.entryCount), String(measure.byteCount),
                Amount.text(measure.ours.median, unit),
                "\(Amount.text(measure.ours.low, unit)) – \(Amount.text(measure.ours.high, unit))",
            ]
            if measure.comparisons.isEmpty { lines.append(front + ["", "", "", "", ""]) }
            for comparison in measure.comparisons {
                lines.append(
                    front + [
                        comparison.name, Amount.text(comparison.theirs.median, unit),
                        Amount.ratio(comparison.ratio), Self.text(comparison.budget),
                        Self.verdict(comparison),
                    ])
                front = ["", "", "", "", ""]
            }
        }
        self.lines = lines
    }

    private static func text(_ budget: Comparison.Budget?) -> String {
        switch budget {
        case nil: ""
        case .atMost(let limit): "≤ " + Amount.ratio(limit)
        case .atLeast(let limit): "≥ " + Amount.ratio(limit)
        }
    }

    private static func verdict(_ comparison: Comparison) -> String {
        switch comparison.isMet {
        case nil: ""
        case true?: "met"
        case false?: "MISSED"
        }
    }

    /// Columns side by side.
    var text: String {
        var widths = [Int](repeating: 0, count: Self.title.count)
        for line in lines {
            for (column, cell) in line.enumerated() {
                widths[column] = max(widths[column], cell.count)
            }
        }
        var text = ""
        for line in lines {
            var row = ""
            for (column, cell) in line.enumerated() {
                let space = String(repeating: " ", count: widths[column] - cell.count)
                let isText = column == 0 || column == 5 || column >= 8
                row += (isText ? cell + space : space + cell) + "  "
            }
            while row.last == " " { row.removeLast() }
            text += row + "\n"
        }
        return text
    }

    /// The same as a table of Markdown.
    var markdown: String {
        var text = ""
        for (number, line) in lines.enumerated() {
            text += "| " + line.joined(separator: " | ") + " |\n"
            if number == 0 { text += "|---|--:|--:|--:|--:|---|--:|--:|---|---|\n" }
        }
        return text
    }
}

/// Figures for people: three digits.
enum Amount {
    static func text(_ value: Double, _ unit: Measure.Unit) -> String {
        switch unit {
        case .perSecond: digits(value) + "/s"
        case .bytes: digits(value) + " B"
        case .nanoseconds:
            switch value {
            case ..<1000: digits(value) + " ns"
            case ..<1_000_000: digits(value / 1000) + " µs"
            case ..<1_000_000_000: digits(value / 1_000_000) + " ms"
            default: digits(value / 1_000_000_000) + " s"
            }
        }
    }

    static func ratio(_ value: Double) -> String { digits(value) }

    /// Three digits that count; more before the point.
    static func digits(_ value: Double) -> String {
        if value >= 1000 { return String(Int(value.rounded())) }
        let places = value >= 100 ? 0 : value >= 10 ? 1 : 2
        var scaled = value
        for _ in 0..<places { scaled *= 10 }
        let whole = Int(scaled.rounded())
        guard places > 0 else { return String(whole) }
        let factor = places == 1 ? 10 : 100
        let rest = String(whole % factor)
        return "\(whole / factor)." + String(repeating: "0", count: places - rest.count) + rest
    }
}
