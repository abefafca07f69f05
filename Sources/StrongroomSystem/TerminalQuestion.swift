import Glibc
import Synchronization

/// One question on the controlling terminal.
struct TerminalQuestion {
    /// How an attempt at reading an answer ended.
    private enum Outcome {
        case line(byteCount: Int)
        case end
        case tooLong
        case signal(Int32)
    }

    /// There is one terminal and one relay of signals: threads ask one after the other.
    private static let turn = Mutex(())

    let prompt: String
    let showsTyping: Bool

    /// Asks until there is an answer: `Terminal.readSecret`.
    func ask(into buffer: inout MutableSpan<UInt8>) throws(SystemError) -> Int? {
        let terminal = try TerminalDevice.open()
        let result = Self.turn.withLock { _ in
            do throws(SystemError) {
                return Result<Int?, SystemError>.success(try ask(terminal, into: &buffer))
            } catch {
                Memory.wipe(&buffer)
                return .failure(error)
            }
        }
        return try result.get()
    }

    private func ask(
        _ terminal: TerminalDevice, into buffer: inout MutableSpan<UInt8>
    ) throws(SystemError) -> Int? {
        while true {
            Memory.wipe(&buffer)
            let relay = try SignalRelay.start()
            let outcome = Result { () throws(SystemError) in
                try attempt(terminal, relay, into: &buffer)
            }
            var signals = relay.stop()
            if case .success(.signal(let number)) = outcome {
                Memory.wipe(&buffer)
                signals.removeAll { $0 == number }
                signals.insert(number, at: 0)
            }
            // The terminal is as it was: now they may do what they do, also those that came last of all.
            for number in signals { SignalRelay.raise(number) }
            switch try outcome.get() {
            case .line(let byteCount): return byteCount
            case .end: return nil
            case .tooLong: throw terminal.error("read", ErrorCode.fileTooLarge)
            case .signal(let number):
                guard [SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT].contains(number) else {
                    throw terminal.error("read", ErrorCode.interrupted)
                }
            }
        }
    }

    /// Prompts and reads once, up to the first signal.
    private func attempt(
        _ terminal: TerminalDevice, _ relay: SignalRelay, into buffer: inout MutableSpan<UInt8>
    ) throws(SystemError) -> Outcome {
        let before = try terminal.modes()
        if let number = try terminal.set(before.asking(showsTyping: showsTyping), relay) {
            return .signal(number)
        }
        // Set back while the relay still runs, so that no signal finds the terminal changed.
        defer { terminal.restore(before) }
        terminal.write(prompt)
        let outcome = try read(terminal, relay, into: &buffer)
        // What was typed did not show, nor did its end.
        if !showsTyping { terminal.write("\n") }
        return outcome
    }

    private func read(
        _ terminal: TerminalDevice, _ relay: SignalRelay, into buffer: inout MutableSpan<UInt8>
    ) throws(SystemError) -> Outcome {
        var filled = 0
        var isTooLong = false
        // One more than fits, for the line's end; and what comes after a line that is too long.
        var spare = [UInt8](repeating: 0, count: 64)
        defer { Memory.wipe(&spare) }
        while true {
            if let number = try relay.wait(orUntilReadable: terminal) { return .signal(number) }
            var piece = spare.mutableSpan
            let isDirect = filled < buffer.count && !isTooLong
            let count: Int?
            if isDirect {
                var rest = buffer._mutatingExtracting(filled..<buffer.count)
                count = try terminal.read(into: &rest)
            } else {
                count = try terminal.read(into: &piece)
            }
            guard let count else { continue }
            if count == 0 { return filled == 0 && !isTooLong ? .end : finished(filled, isTooLong) }
            let last = isDirect ? buffer[filled + count - 1] : piece[count - 1]
            let isEnd = last == UInt8(ascii: "\n")
            if isDirect {
                filled += isEnd ? count - 1 : count
                if isEnd { buffer[filled] = 0 }
            } else if count > 1 || !isEnd {
                isTooLong = true
            }
            if isEnd { return finished(filled, isTooLong) }
        }
    }

    private func finished(_ byteCount: Int, _ isTooLong: Bool) -> Outcome {
        isTooLong || byteCount > Terminal.lineByteCountLimit
            ? .tooLong : .line(byteCount: byteCount)
    }
}
