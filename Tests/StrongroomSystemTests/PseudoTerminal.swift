import Glibc
import StrongroomSystem
import Testing

/// A terminal that a test types at.
final class PseudoTerminal {
    private let master: Int32
    // Held open, so that the terminal's modes outlive the program that set them.
    private let slave: Int32
    /// The path that a program opens.
    let path: String
    /// Everything that was shown.
    private(set) var shown = ""

    init() throws {
        var (master, slave): (Int32, Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: 256)
        try #require(unsafe openpty(&master, &slave, &name, nil, nil) == 0)
        for number in [master, slave] { try StandardStream(number: number).setCloseOnExec(true) }
        (self.master, self.slave) = (master, slave)
        path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        close(slave)
        close(master)
    }

    /// True if what is typed shows.
    var echoes: Bool {
        var settings = termios()
        unsafe tcgetattr(slave, &settings)
        return settings.c_lflag & tcflag_t(ECHO) != 0
    }

    /// Makes what is typed show, as a shell does when a job of its own stops.
    func setEcho() {
        var settings = termios()
        unsafe tcgetattr(slave, &settings)
        settings.c_lflag |= tcflag_t(ECHO)
        unsafe tcsetattr(slave, TCSANOW, &settings)
    }

    /// Types.
    func type(_ text: String) throws {
        let bytes = Array(text.utf8)
        try StandardStream(number: master).write(bytes.span)
    }

    /// Reads what is shown until that ends in `text`, then forgets it.
    func waitFor(_ text: String) throws {
        let isShown = try eventually {
            try readShown()
            return shown.contains(text)
        }
        try #require(isShown, "\(text) was not shown, but: \(shown)")
    }

    /// Forgets what was shown.
    func clear() { shown = "" }

    /// Takes in what is shown by now.
    func readShown() throws {
        var request = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        while unsafe poll(&request, 1, 0) > 0, request.revents & Int16(POLLIN) != 0 {
            var piece = [UInt8](repeating: 0, count: 4096)
            var span = piece.mutableSpan
            let count = try StandardStream(number: master).read(into: &span)
            shown += String(decoding: piece[..<count], as: UTF8.self)
        }
    }
}
