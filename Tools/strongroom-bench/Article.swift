import StrongroomSystem

/// The text in the documentation that shows the figures, between two marks.
struct Article {
    private static let begin = "<!-- figures -->"
    private static let end = "<!-- end of the figures -->"

    private let measures: [Measure]

    init(_ measures: [Measure]) { self.measures = measures }

    /// Replaces what stands between the marks.
    func put(into path: String) throws {
        let whole = WorkingDirectory.absolute(Path(path)) ?? Path(path)
        let file = try OpenFile.open(whole, [.read], fileSystem: RealFileSystem())
        let text = String(decoding: try file.readAll(limit: 1 << 20), as: UTF8.self)
        guard let begin = text.firstRange(of: Self.begin),
            let end = text.firstRange(of: Self.end), begin.upperBound <= end.lowerBound
        else { throw BenchFailure("\(path) has no place for the figures") }
        try Program.write(
            text[..<begin.upperBound] + "\n\n" + Table(measures).markdown + "\n"
                + text[end.lowerBound...], to: path)
    }
}
