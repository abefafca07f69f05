import CLinux
import Glibc

/// The controlling terminal: what people are asked on.
///
/// Standard input and output are never used for it.
package enum Terminal {
    /// The longest line that a terminal hands over whole; of a longer one the kernel drops the rest.
    package static let lineByteCountLimit = 4094

    /// True if the descriptor of that number is a terminal.
    package static func isTerminal(_ number: Int32) -> Bool { isatty(number) == 1 }

    /// The columns of the terminal at the descriptor of that number, nil if it is none or does not say.
    package static func width(of number: Int32) -> Int? {
        let width = strongroom_terminal_width(number)
        return width > 0 ? Int(width) : nil
    }

    /// Asks for a line that does not show while it is typed, and returns its byte count; nil at the end of input.
    ///
    /// The line, without its end, is in the front of `buffer`; the rest of the buffer is zero. Whatever signal comes,
    /// the terminal is as it was before the signal has its effect; after a stop the question is asked again. A signal
    /// whose effect is not the end of the process is `ErrorCode.interrupted`. Without a terminal it fails at once with
    /// `ErrorCode.notTerminal`; a line that is longer than `buffer` or than a terminal hands over is
    /// `ErrorCode.fileTooLarge`. A throw leaves the buffer zero.
    package static func readSecret(
        prompt: String, into buffer: inout MutableSpan<UInt8>
    ) throws(SystemError) -> Int? {
        try TerminalQuestion(prompt: prompt, showsTyping: false).ask(into: &buffer)
    }

    /// Asks for a line that shows while it is typed; nil at the end of input.
    ///
    /// For the rest see `readSecret`.
    package static func readLine(prompt: String) throws(SystemError) -> [UInt8]? {
        var line = [UInt8](repeating: 0, count: lineByteCountLimit)
        var span = line.mutableSpan
        let count = try TerminalQuestion(prompt: prompt, showsTyping: true).ask(into: &span)
        guard let count else { return nil }
        return Array(line[..<count])
    }
}
