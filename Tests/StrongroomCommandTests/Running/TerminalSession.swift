import Glibc
import StrongroomSystem
import Testing

/// A command on a terminal of its own (pty(7)), which is its controlling terminal, driven as a person would.
final class TerminalSession {
    private let master: Int32
    private let process: pid_t
    /// All that the terminal showed.
    private(set) var shown: [UInt8] = []
    /// How much of it `expect` has passed.
    private var position = 0
    private var isReaped = false

    /// What a person sees, as text.
    var screen: String { String(decoding: shown, as: UTF8.self) }

    /// Starts `script` in a shell on a terminal; `V` is the built command there, `ROOT` the directory.
    init(_ script: String, in directory: Scratch, environment: [String: String] = [:]) throws {
        var (master, slave): (Int32, Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: 128)
        try #require(unsafe openpty(&master, &slave, &name, nil, nil) == 0)
        // A copy of an end in the command would keep it from seeing the end of the other.
        for number in [master, slave] { try StandardStream(number: number).setCloseOnExec(true) }
        self.master = master
        defer { close(slave) }
        let path = String(
            decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        process = try Spawning.start(
            ["setsid", "-c", "sh", "-c", script].map { Array($0.utf8) }, in: directory,
            environment: directory.environment.merging(environment) { $1 },
            streams: (path, path, path))
    }

    deinit {
        close(master)
        if !isReaped {
            kill(process, SIGKILL)
            var status: Int32 = 0
            unsafe waitpid(process, &status, 0)
        }
    }

    /// Types `text`.
    func type(_ text: String) {
        let bytes = Array(text.utf8)
        let count = unsafe write(master, bytes, bytes.count)
        if count != bytes.count { Issue.record("the terminal takes nothing more") }
    }

    /// Waits until `text` is shown after what was expected before; fails after 20 seconds.
    func expect(_ text: String) throws {
        let wanted = Array(text.utf8)
        let deadline = ContinuousClock.now + .seconds(20)
        while true {
            if let end = find(wanted) {
                position = end
                return
            }
            try #require(
                ContinuousClock.now < deadline && readSome(),
                "never saw \"\(text)\" in:\n\(screen)")
        }
    }

    /// Waits for the end of the command and returns its exit status as a shell says it.
    func wait() throws -> Int32 {
        let deadline = ContinuousClock.now + .seconds(60)
        while readSome() {
            if ContinuousClock.now > deadline {
                kill(process, SIGKILL)
                Issue.record("the command hung, showing:\n\(screen)")
                break
            }
        }
        var status: Int32 = 0
        unsafe waitpid(process, &status, 0)
        isReaped = true
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : 128 + signal
    }

    /// Reads what is shown next; false at the end.
    private func readSome() -> Bool {
        var request = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&request, 1, 1000) > 0 else { return true }
        var piece = [UInt8](repeating: 0, count: 4096)
        let count = unsafe read(master, &piece, piece.count)
        // A terminal whose last user is gone says EIO.
        guard count > 0 else { return false }
        shown += piece[..<count]
        return true
    }

    private func find(_ wanted: [UInt8]) -> Int? {
        guard shown.count - position >= wanted.count else { return nil }
        for start in position...(shown.count - wanted.count)
        where shown[start..<start + wanted.count].elementsEqual(wanted) {
            return start + wanted.count
        }
        return nil
    }
}
