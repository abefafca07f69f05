package import StrongroomSystem

/// Processes on one simulated disk, of which one at a time makes one call: which, a test says.
///
/// Each is a thread; while it runs from one call to the next nobody else does, so a walk is the same each time that it
/// is walked.
package final class Turns: Sendable {
    /// A call that somebody wants to make.
    package enum Call: Sendable {
        case write(Descriptor, [UInt8], at: Int64)
        /// A sync of a file that is open for writing.
        case sync
        /// One of a directory, or of a file that is open for reading.
        case readerSync
        case lock(Descriptor)
        case other
    }

    /// What becomes of a call.
    package enum Fate: Sendable {
        case done
        /// A write that stops after so many bytes.
        case short(Int)
        /// An error: a write stops after so many bytes, and of what a sync should have brought to the disk some is there.
        case fails(Int, TurnRandom)
    }

    enum Status: Sendable {
        case idle
        case calling(Call)
        case running
    }

    struct State: Sendable {
        var processes: [Int: Status] = [:]
        var dead: Set<Int> = []
        var turn: (process: Int, fate: Fate)?
        /// True while calls need no turn.
        var isFree = true
        /// Processes whose calls need none.
        var free: [Int: Int] = [:]
    }

    package let disk: SimulatedDisk
    private let monitor = Monitor(State())

    static let failure = SystemError(operation: "call", path: "", code: ErrorCode.io)

    /// Turns on a disk; until ``begin()`` nobody has to wait for any.
    package init(_ disk: SimulatedDisk) { self.disk = disk }

    /// From now on every call needs its turn.
    package func begin() { monitor.change { $0.isFree = false } }

    /// From now on no call does.
    package func end() { monitor.change { $0.isFree = true } }

    /// Runs `body`, in which calls of a process need no turn: they must be such that it does not matter when they are
    /// made.
    package func freely<Result>(_ process: Int, _ body: () throws -> Result) rethrows -> Result {
        monitor.change { $0.free[process, default: 0] += 1 }
        defer { monitor.change { $0.free[process, default: 1] -= 1 } }
        return try body()
    }

    /// Waits for a turn; a throw says that the process was killed.
    func take(_ process: Int, _ call: Call) throws(SystemError) -> Fate {
        let fate: Fate? = monitor.change { state in
            if state.dead.contains(process) { return nil }
            if state.isFree || state.free[process, default: 0] > 0 { return .done }
            state.processes[process] = .calling(call)
            return nil
        }
        if let fate { return fate }
        let turn = monitor.wait(until: nil) { state -> Fate?? in
            if state.dead.contains(process) { return .some(nil) }
            guard let turn = state.turn, turn.process == process else { return nil }
            state.turn = nil
            return turn.fate
        }
        guard let turn, let fate = turn else { throw Self.failure }
        return fate
    }

    /// What a process wants to call; nil if it does nothing.
    package func call(of process: Int) -> Call? {
        monitor.change { state in
            guard case .calling(let call)? = state.processes[process] else { return nil }
            return call
        }
    }

    /// True if it was killed.
    package func isDead(_ process: Int) -> Bool { monitor.change { $0.dead.contains(process) } }

    /// Lets a process do something, up to its first call.
    package func start(_ process: Int, _ body: @escaping @Sendable () -> Void) throws {
        monitor.change { $0.processes[process] = .running }
        let monitor = monitor
        try Threads.start(name: "simulated") {
            body()
            monitor.change { $0.processes[process] = .idle }
        }
        settle()
    }

    /// Waits until nobody runs: everybody wants to make a call, or does nothing.
    private func settle() {
        _ = monitor.wait(until: nil) { state -> Bool? in
            if state.turn != nil { return nil }
            for case .running in state.processes.values { return nil }
            return true
        }
    }

    /// Lets a process make the call that it wants to make, and go on to the next one.
    package func step(_ process: Int, _ fate: Fate = .done) {
        monitor.change { state in
            state.turn = (process, fate)
            state.processes[process] = .running
        }
        settle()
    }

    /// Kills a process, whose door is `fileSystem`.
    ///
    /// Of what it was about to write a part may be written. What it wrote stays, its files are closed, and its locks are
    /// free.
    package func kill(
        _ process: Int, _ fileSystem: TurnFileSystem, _ random: inout some RandomNumberGenerator
    ) {
        // Nothing, all, or a part that ends anywhere.
        let kept = Double.random(in: -0.5...1.5, using: &random)
        if case .write(let file, let bytes, let offset)? = call(of: process), kept > 0 {
            let count = Int(Double(bytes.count) * min(1, kept))
            do throws(SystemError) {
                let span = bytes.span
                _ = try disk.write(file, span.extracting(0..<count), at: offset)
            } catch {
                // The file is closed by now, so nothing is written.
            }
        }
        monitor.change { _ = $0.dead.insert(process) }
        _ = monitor.wait(until: nil) { state -> Bool? in
            switch state.processes[process] {
            case .idle, nil: true
            case .calling, .running: nil
            }
        }
        fileSystem.closeAll()
        monitor.change { $0.processes[process] = nil }
    }
}
