import StrongroomSystem
import StrongroomVault
import Synchronization

/// A bar on standard error while a long work goes on; nothing where that is no terminal.
///
/// Work may report from any thread.
final class ProgressBar: Sendable {
    private struct State {
        var shown: Int?
    }

    private static let width = 30
    private let title: String
    private let write: (@Sendable ([UInt8]) -> Void)?
    private let state = Mutex(State())

    /// A bar of that title.
    init(_ console: Console, title: String) {
        self.title = title
        write = console.progressWriter
    }

    /// A bar that writes by `write`; for tests.
    init(title: String, write: (@Sendable ([UInt8]) -> Void)?) {
        self.title = title
        self.write = write
    }

    /// Shows that `progress.done` of `progress.total` are done, if that moves the bar.
    @Sendable func report(_ progress: Progress) {
        report(done: progress.done, of: progress.total)
    }

    /// Shows that `done` of `total` are done, if that moves the bar.
    func report(done: Int, of total: Int) {
        guard let write, total > 0 else { return }
        let percent = min(100, done * 100 / total)
        let isNew = state.withLock { state in
            if state.shown == percent { return false }
            state.shown = percent
            return true
        }
        guard isNew else { return }
        let filled = percent * Self.width / 100
        let bar =
            String(repeating: "#", count: filled)
            + String(repeating: ".", count: Self.width - filled)
        let number = String(percent)
        let padded = String(repeating: " ", count: 3 - number.utf8.count) + number
        write(Array("\r\(title) [\(bar)] \(padded)%".utf8))
    }

    /// Takes the bar off the screen.
    func clear() {
        let wasShown = state.withLock { state in
            defer { state.shown = nil }
            return state.shown != nil
        }
        guard let write, wasShown else { return }
        let blank = String(repeating: " ", count: title.utf8.count + Self.width + 8)
        write(Array("\r\(blank)\r".utf8))
    }
}
