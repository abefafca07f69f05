import StrongroomSystem

/// The programs that are started beside the bench.
struct Programs {
    /// The bench itself.
    let bench: Path
    /// The command, nil if it was not built beside the bench.
    let command: Path?
    /// A Swift program that does nothing, linked like the command.
    let empty: Path?

    init() throws {
        guard let bench = ProcessArguments.executable else {
            throw BenchFailure("the bench's own program cannot be found")
        }
        self.bench = bench
        let directory = try OpenFile.open(
            bench.parent, [.read, .directory, .followLink], fileSystem: RealFileSystem())
        // The command's target is called otherwise where no product of it was built.
        var found: [Path?] = []
        for names in [["strongroom", "StrongroomMain"], ["BenchEmpty"]] {
            var program: Path?
            for name in names.reversed() where try directory.status(of: Path(name)) != nil {
                program = bench.parent.appending(Path(name))
            }
            found.append(program)
        }
        command = found[0]
        empty = found[1]
    }

    /// Runs a program to its end: what it printed, and how long it took in nanoseconds.
    static func run(
        _ program: Path, _ arguments: [String], outputLimit: Int = 1 << 20
    ) throws -> (output: String, nanoseconds: Double) {
        var output = [UInt8](repeating: 0, count: outputLimit)
        var span = output.mutableSpan
        let start = Clock.monotonic()
        let outcome = try Subprocess.capture(
            program: program, arguments: [program] + arguments.map { Path($0) },
            timeoutSeconds: 600, into: &span)
        let nanoseconds = Double(Clock.monotonic() - start)
        guard outcome.ending == .status(0) else {
            throw BenchFailure(
                "\(program.lastComponent) \(arguments.joined(separator: " ")) failed")
        }
        return (String(decoding: output[..<outcome.byteCount], as: UTF8.self), nanoseconds)
    }

    /// Runs a worker of the bench and answers the number that it prints.
    func work(_ arguments: [String]) throws -> Double {
        let (output, _) = try Self.run(bench, [Worker.command] + arguments, outputLimit: 4096)
        guard let number = Double(output.filter { !$0.isWhitespace }) else {
            throw BenchFailure("a worker printed no number")
        }
        return number
    }

    /// Runs workers beside each other on one vault, and answers what each did in a second.
    func workTogether(
        _ kinds: [String], on vault: BenchVault, seconds: Double
    ) throws -> [Double] {
        let start = Clock.monotonic() + 300_000_000
        let rest = [
            vault.root, String(vault.count), String(vault.byteCount), String(start),
            String(seconds),
        ]
        return try Together.run(kinds) { kind in try self.work([kind] + rest) / seconds }
    }
}

/// Threads that work at the same time.
enum Together {
    /// What `body` answers for each, once all are done.
    static func run<Input: Sendable>(
        _ inputs: [Input], _ body: @escaping @Sendable (Input) throws -> Double
    ) throws -> [Double] {
        let done = Monitor<[Int: Result<Double, any Error>]>([:])
        for (index, input) in inputs.enumerated() {
            try Threads.start(name: "bench") {
                let result = Result { try body(input) }
                done.change { $0[index] = result }
            }
        }
        let results = done.wait(until: nil) { $0.count == inputs.count ? $0 : nil } ?? [:]
        var answers: [Double] = []
        for index in inputs.indices {
            guard let result = results[index] else { continue }
            answers.append(try result.get())
        }
        return answers
    }
}
