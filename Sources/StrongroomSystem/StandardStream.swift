import CLinux
import Glibc

/// A descriptor that the process was started with.
///
/// It is never closed here.
package struct StandardStream: Sendable {
    /// The descriptor's number.
    package let number: Int32
    /// What messages call it.
    package let name: String

    /// Standard input.
    package static let input = StandardStream(number: 0, name: "standard input")
    /// Standard output.
    package static let output = StandardStream(number: 1, name: "standard output")
    /// Standard error.
    package static let error = StandardStream(number: 2, name: "standard error")

    /// The descriptor `number`, which a caller named.
    package init(number: Int32) {
        self.init(number: number, name: "descriptor \(number)")
    }

    private init(number: Int32, name: String) {
        self.number = number
        self.name = name
    }

    /// Opens `/dev/null` in the place of each standard stream that is not open.
    ///
    /// Without that the next file that is opened becomes, say, standard output. Reading from standard input and writing
    /// to standard output still fails then.
    package static func openMissing() throws(SystemError) {
        guard strongroom_open_standard_streams() == 0 else { throw .last("open", "/dev/null") }
    }

    /// True if it is a terminal.
    package var isTerminal: Bool { isatty(number) == 1 }

    /// True if the number is that of an open descriptor.
    package var isOpen: Bool { fcntl(number, F_GETFD) >= 0 }

    /// Keeps it from programs that are started, or not.
    package func setCloseOnExec(_ isSet: Bool) throws(SystemError) {
        guard strongroom_set_close_on_exec(number, isSet ? 1 : 0) == 0 else {
            throw .last("set close on exec", Path(name))
        }
    }

    /// Some bytes into the front of `buffer`: how many; 0 at the end.
    package func read(into buffer: inout MutableSpan<UInt8>) throws(SystemError) -> Int {
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe Glibc.read(number, bytes.baseAddress, bytes.count)
            }
            if count >= 0 { return count }
            try waitAfterError("read", for: POLLIN)
        }
    }

    /// Fills `buffer` as far as the stream goes: how many bytes that were.
    package func readFully(into buffer: inout MutableSpan<UInt8>) throws(SystemError) -> Int {
        var filled = 0
        while filled < buffer.count {
            var rest = buffer._mutatingExtracting(filled..<buffer.count)
            let count = try read(into: &rest)
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// Everything up to the end, at most `limit` bytes; more are `ErrorCode.fileTooLarge`.
    ///
    /// What is read lies in plain memory that nobody wipes: for secrets there is `readFully(into:)`.
    package func readAll(limit: Int) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            var span = piece.mutableSpan
            let count = try read(into: &span)
            if count == 0 { return bytes }
            guard bytes.count + count <= limit else {
                throw SystemError(operation: "read", path: name, code: ErrorCode.fileTooLarge)
            }
            bytes += piece[..<count]
        }
    }

    /// Writes all of `bytes`.
    ///
    /// With `SIGPIPE` at its default a pipe that nobody reads ends the process; otherwise it is
    /// `ErrorCode.brokenPipe`.
    package func write(_ bytes: Span<UInt8>) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            let rest = bytes.extracting(written..<bytes.count)
            let count = unsafe rest.withUnsafeBytes { bytes in
                unsafe Glibc.write(number, bytes.baseAddress, bytes.count)
            }
            if count < 0 {
                try waitAfterError("write", for: POLLOUT)
            } else if count == 0 {
                // Tried again it might be for ever.
                throw SystemError(operation: "write", path: name, code: ErrorCode.io)
            } else {
                written += count
            }
        }
    }

    /// Returns where the call is to be made again: after a signal, or when a stream that somebody else made
    /// non-blocking is ready.
    private func waitAfterError(
        _ operation: String, for events: Int32
    ) throws(SystemError) {
        let code = errno
        switch code {
        case EINTR: return
        case EAGAIN:
            var request = pollfd(fd: number, events: Int16(events), revents: 0)
            unsafe _ = poll(&request, 1, -1)
        default: throw SystemError(operation: operation, path: name, code: code)
        }
    }
}

extension StandardStream {
    /// Closes the descriptor, which is gone in any case, and tells what only now turned out to have failed: a network or a
    /// quota (close(2)).
    package func close() throws(SystemError) {
        guard Glibc.close(number) != 0, errno != EINTR else { return }
        throw .last("close", Path(name))
    }
}
