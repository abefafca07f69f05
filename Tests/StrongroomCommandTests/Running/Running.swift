import Glibc
import Testing

/// A process that runs, with files for its streams.
final class Running {
    let process: pid_t
    private let output: String
    private let error: String

    /// Starts `arguments` in `directory`, with `environment` alone and `input` on standard input.
    init(
        _ arguments: [[UInt8]], in directory: Scratch, environment: [String: String],
        input: [UInt8] = []
    ) throws {
        let number = directory.nextNumber()
        output = directory.streams + "/\(number).out"
        error = directory.streams + "/\(number).err"
        let inputPath = directory.streams + "/\(number).in"
        try directory.write(input, to: inputPath)
        process = try Spawning.start(
            arguments, in: directory, environment: environment,
            streams: (inputPath, output, error))
    }

    /// Sends a signal.
    func signal(_ number: Int32) { kill(process, number) }

    /// Waits for the end; after a minute the process is killed, and the test fails.
    func wait() throws -> Finished {
        var status: Int32 = 0
        let deadline = ContinuousClock.now + .seconds(60)
        while unsafe waitpid(process, &status, WNOHANG) == 0 {
            if ContinuousClock.now > deadline {
                kill(process, SIGKILL)
                unsafe waitpid(process, &status, 0)
                Issue.record("the process hung")
                break
            }
            usleep(500)
        }
        let ended = status & 0x7F
        return Finished(
            status: ended == 0 ? status >> 8 & 0xFF : 128 + ended,
            output: try Scratch.read(output), error: try Scratch.read(error))
    }
}
