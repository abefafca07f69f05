import StrongroomSystem

/// What is being measured, on standard error if that is a terminal.
struct Progress {
    private let isShown = StandardStream.error.isTerminal
    private let total: Int
    private var done = 0

    init(total: Int) { self.total = total }

    /// Says what comes next.
    mutating func next(_ title: String) {
        done += 1
        show("[\(done)/\(total)] \(title)")
    }

    /// Takes the line off the screen.
    func clear() { show("") }

    private func show(_ text: String) {
        guard isShown else { return }
        let line = "\r\u{1B}[K" + text
        do {
            try StandardStream.error.write(Array(line.utf8).span)
        } catch {
            // Nobody looks.
        }
    }
}
