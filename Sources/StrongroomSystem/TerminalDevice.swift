import Glibc

/// The process's controlling terminal, open for reading and writing.
final class TerminalDevice {
    /// How the terminal treats what is typed (termios(3)).
    struct Modes {
        fileprivate var settings: termios

        /// These modes, but a line is read whole, with the usual keys, and shown or not.
        func asking(showsTyping: Bool) -> Modes {
            var modes = self
            modes.settings.c_lflag |= tcflag_t(ICANON | ISIG)
            modes.settings.c_iflag |= tcflag_t(ICRNL)
            if showsTyping {
                modes.settings.c_lflag |= tcflag_t(ECHO)
            } else {
                modes.settings.c_lflag &= ~tcflag_t(ECHO | ECHONL)
            }
            return modes
        }
    }

    let number: Int32

    private init(number: Int32) { self.number = number }

    deinit { _ = close(number) }

    /// Opens it; `ErrorCode.notTerminal` if the process has none.
    static func open() throws(SystemError) -> TerminalDevice {
        do {
            let descriptor = try RealFileSystem().open(
                "/dev/tty", at: nil, [.read, .write, .followLink], mode: 0)
            let terminal = TerminalDevice(number: descriptor.number)
            _ = try terminal.modes()
            return terminal
        } catch {
            throw SystemError(
                operation: "open", path: "/dev/tty", code: ErrorCode.notTerminal)
        }
    }

    func modes() throws(SystemError) -> Modes {
        var settings = termios()
        guard unsafe tcgetattr(number, &settings) == 0 else { throw .last("read modes", path) }
        return Modes(settings: settings)
    }

    /// Sets the modes, dropping what was typed before; the number of the signal that came in between, if one did
    /// (`SIGTTOU` in the background).
    func set(_ modes: Modes, _ relay: SignalRelay) throws(SystemError) -> Int32? {
        var settings = modes.settings
        while unsafe tcsetattr(number, TCSAFLUSH, &settings) != 0 {
            guard errno == EINTR else { throw .last("set modes", path) }
            if let signal = relay.next() { return signal }
        }
        return nil
    }

    /// Sets the modes back.
    ///
    /// What is typed already stays for who reads next.
    func restore(_ modes: Modes) {
        var settings = modes.settings
        // In the background this would stop us for ever, and a shell has set modes of its own by then.
        SignalRelay.withoutBackgroundStop {
            while unsafe tcsetattr(number, TCSADRAIN, &settings) != 0, errno == EINTR {}
        }
    }

    /// Some bytes, 0 at the end, nil if a signal came.
    func read(into buffer: inout MutableSpan<UInt8>) throws(SystemError) -> Int? {
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe Glibc.read(number, bytes.baseAddress, bytes.count)
        }
        if count >= 0 { return count }
        guard errno == EINTR || errno == EAGAIN else { throw .last("read", path) }
        return nil
    }

    /// Writes text, as far as the terminal takes it: a question that cannot be shown can still be answered.
    func write(_ text: String) {
        let bytes = Array(text.utf8)
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes[written...].withUnsafeBytes { bytes in
                unsafe Glibc.write(number, bytes.baseAddress, bytes.count)
            }
            guard count > 0 else { return }
            written += count
        }
    }

    func error(_ operation: String, _ code: Int32) -> SystemError {
        SystemError(operation: operation, path: path.description, code: code)
    }

    private var path: Path { "/dev/tty" }
}
