import StrongroomSystem

/// Says when standard input has ended, which stops a loop.
final class EndOfInput: Sendable {
    private let monitor = Monitor(false)

    init() throws {
        try Threads.start(name: "input") { [monitor] in
            var byte: [UInt8] = [0]
            var span = byte.mutableSpan
            do {
                while try StandardStream.input.read(into: &span) > 0 {}
            } catch {
                // A pipe that fails has ended.
            }
            monitor.change { $0 = true }
        }
    }

    var isReached: Bool { monitor.change { $0 } }
}
