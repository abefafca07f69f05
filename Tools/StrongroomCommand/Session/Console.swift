import StrongroomSystem

/// What the command says: results to standard output, everything else to standard error.
///
/// Text is gathered and written in pieces; a value goes straight through, so that no copy of it stays here. A failed
/// write to standard output is the command's failure; one to standard error has nobody to be told to.
final class Console {
    /// The descriptors.
    let streams: CommandStreams
    /// Whether notes are left out.
    var isQuiet = false
    private var gathered: [UInt8] = []
    private var outputFailure: Failure?
    private static let pieceByteCount = 65_536

    /// A console on `streams`.
    init(_ streams: CommandStreams) { self.streams = streams }

    /// True if values are asked for on a terminal.
    var inputIsTerminal: Bool { streams.input.isTerminal }
    /// True if results go to a terminal.
    var outputIsTerminal: Bool { streams.output.isTerminal }
    /// True if a progress bar can be shown.
    var errorIsTerminal: Bool { streams.error.isTerminal }

    /// A result, as text.
    func write(_ text: String) throws(Failure) {
        gathered += text.utf8
        if gathered.count >= Self.pieceByteCount { try flush() }
    }

    /// A result in lines, each key and number in one.
    func writeLine(_ text: String) throws(Failure) { try write(text + "\n") }

    /// A value's bytes, at once.
    func write(_ bytes: Span<UInt8>) throws(Failure) {
        try flush()
        try sendResult(bytes)
    }

    /// Writes what was gathered.
    func flush() throws(Failure) {
        if let outputFailure { throw outputFailure }
        guard !gathered.isEmpty else { return }
        let text = gathered
        gathered = []
        try sendResult(text.span)
    }

    /// Writes what was gathered and closes standard output, where some disks and networks first say that they failed.
    func finish() throws(Failure) {
        try flush()
        do throws(SystemError) { try streams.output.close() } catch {
            throw Failure(outputError: error)
        }
    }

    private func sendResult(_ bytes: Span<UInt8>) throws(Failure) {
        do {
            try streams.output.write(bytes)
        } catch {
            let failure = Failure(outputError: error)
            outputFailure = failure
            throw failure
        }
    }

    /// One line on standard error that is neither result nor error; `--quiet` leaves it out.
    func note(_ line: String) {
        if !isQuiet { complain(line) }
    }

    /// One line on standard error.
    func complain(_ line: String) {
        writeError(Array("strongroom: \(line)\n".utf8).span)
    }

    /// Bytes on standard error.
    func writeError(_ bytes: Span<UInt8>) {
        // Results first, so that the two are in order where they meet. A failure is kept, and thrown at the end.
        do { try flush() } catch {}
        // Nobody is left to be told that standard error failed.
        do { try streams.error.write(bytes) } catch {}
    }
}

extension Console {
    /// What a progress bar writes with; nil where nobody would see it.
    var progressWriter: (@Sendable ([UInt8]) -> Void)? {
        guard errorIsTerminal, !isQuiet else { return nil }
        let stream = streams.error
        return { bytes in
            // A bar that cannot be shown is no failure of the work.
            do { try stream.write(bytes.span) } catch {}
        }
    }
}

extension Failure {
    /// That standard output took no more.
    init(outputError error: SystemError) {
        self.init(.failed, "standard output", "writing failed: \(error.meaning)")
    }
}
