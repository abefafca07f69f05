/// What is asked of the bench.
struct Options {
    static let usage = """
        usage: strongroom-bench [--quick] [--check] [--json FILE] [--plot FILE] [--article FILE]
                                [--peers DIR] [--directory DIR]
                                [--only PART]…

          --quick          a small run that shows that everything works, and no figure worth keeping
          --check          end with status 1 if a budget is missed
          --json FILE      write what was measured
          --plot FILE      draw it (SVG)
          --article FILE   put the tables into a text, between its marks
          --peers DIR      run the scripts in DIR and put those programs beside ours
          --only PART      of \(Bench.parts.joined(separator: ", "))
          --directory DIR  where vaults are made (/tmp); the disk is what is measured
        """

    var isQuick = false
    var checks = false
    var json: String?
    var plot: String?
    var article: String?
    var peers: String?
    var directory = "/tmp"
    var parts: [String] = []

    /// What the arguments say; usage for others.
    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let option = rest.popFirst() {
            switch option {
            case "--quick": isQuick = true
            case "--check": checks = true
            case "--json": json = try Self.value(&rest)
            case "--plot": plot = try Self.value(&rest)
            case "--article": article = try Self.value(&rest)
            case "--peers": peers = try Self.value(&rest)
            case "--only": parts.append(try Self.value(&rest))
            case "--directory": directory = try Self.value(&rest)
            default: throw BenchFailure(Self.usage)
            }
        }
        if parts.isEmpty { parts = Bench.parts }
    }

    private static func value(_ rest: inout ArraySlice<String>) throws -> String {
        guard let value = rest.popFirst() else { throw BenchFailure(usage) }
        return value
    }
}
