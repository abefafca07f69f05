import Glibc
import StrongroomCommand
import StrongroomSystem
import Testing

/// Runs the command in this process, with files for its streams.
struct InProcess {
    /// What a run left behind.
    struct Result {
        var outcome: Program.Outcome
        var output: String
        var error: String
    }

    /// The directory it works in, as `--root`.
    let scratch: Scratch
    /// Asked whenever the command looks whether it is to stop.
    var isInterrupted: @Sendable () -> Bool = { false }
    /// Called whenever the command waits for its input.
    var waitsForInput: @Sendable () -> Void = {}

    /// Runs `arguments` below the root.
    func run(_ arguments: String..., input: String = "") throws -> Result {
        let number = scratch.nextNumber()
        let paths = ["in", "out", "err"].map { scratch.streams + "/\(number).\($0)" }
        try scratch.write(Array(input.utf8), to: paths[0])
        let streams = CommandStreams(
            input: try stream(paths[0], O_RDONLY), output: try stream(paths[1], O_WRONLY | O_CREAT),
            error: try stream(paths[2], O_WRONLY | O_CREAT))
        let outcome = Program.run(
            (["--root", scratch.path] + arguments).map { Array($0.utf8) },
            environment: Environment(["HOME": scratch.path + "/home"]), streams: streams,
            interruption: Interruption(
                watch: {}, isRaised: isInterrupted,
                waitForInput: { [waitsForInput] _ in waitsForInput() }))
        for stream in [streams.input, streams.error] { close(stream.number) }
        // The command closes its output itself, but for an interrupted one.
        if outcome == .interrupted { close(streams.output.number) }
        return Result(
            outcome: outcome, output: String(decoding: try Scratch.read(paths[1]), as: UTF8.self),
            error: String(decoding: try Scratch.read(paths[2]), as: UTF8.self))
    }

    private func stream(_ path: String, _ flags: Int32) throws -> StandardStream {
        let number = unsafe open(path, flags | O_CLOEXEC, 0o600)
        try #require(number >= 0)
        return StandardStream(number: number)
    }
}
