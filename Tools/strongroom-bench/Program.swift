import FoundationEssentials
import StrongroomSystem

/// A run, and what becomes of its figures.
enum Program {
    static func run(_ options: Options) throws {
        #if DEBUG
            let isOptimized = false
        #else
            let isOptimized = true
        #endif
        guard isOptimized || options.isQuick else {
            throw BenchFailure("build it with --configuration release, or ask for --quick")
        }
        let directory = WorkingDirectory.absolute(Path(options.directory))
        let workplace = try Workplace(below: directory ?? Path(options.directory))
        defer {
            do { try workplace.remove() } catch { print("left behind: \(workplace.path)") }
        }
        var bench = Bench(
            scale: Scale(isQuick: options.isQuick), workplace: workplace, programs: try Programs())
        try bench.run(options.parts)
        if let peers = options.peers { try bench.measurePeers(Peers(scripts: Path(peers))) }
        print(Table(bench.measures).text)
        if let path = options.json { try write(try json(bench.measures), to: path) }
        if let path = options.plot { try write(Plot(bench.measures).text, to: path) }
        if let path = options.article { try Article(bench.measures).put(into: path) }
        let missed = bench.measures.filter { !$0.isMet }
        if options.checks, !missed.isEmpty {
            print("missed: " + missed.map(\.id).joined(separator: ", "))
            try workplace.remove()
            ProcessExit.exit(1)
        }
    }

    private static func json(_ measures: [Measure]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return String(decoding: try encoder.encode(measures), as: UTF8.self) + "\n"
    }

    /// Replaces a file, or makes it.
    static func write(_ text: String, to path: String) throws {
        let path = WorkingDirectory.absolute(Path(path)) ?? Path(path)
        let file = try OpenFile.open(
            path, [.read, .write, .create], mode: 0o644, fileSystem: RealFileSystem())
        let bytes = Array(text.utf8)
        try file.truncate(to: 0)
        try file.write(bytes.span, at: 0)
    }
}
