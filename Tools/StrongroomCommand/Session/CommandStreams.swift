package import StrongroomSystem

/// The three standard streams, so that a test can give others.
package struct CommandStreams: Sendable {
    /// Standard input.
    package var input: StandardStream
    /// Standard output, which takes results and nothing else.
    package var output: StandardStream
    /// Standard error, which takes everything else.
    package var error: StandardStream

    /// Streams of these descriptors.
    package init(input: StandardStream, output: StandardStream, error: StandardStream) {
        self.input = input
        self.output = output
        self.error = error
    }

    /// Those of the process.
    package static let process = CommandStreams(input: .input, output: .output, error: .error)
}
