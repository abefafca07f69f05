import CLinux
import Glibc

/// Signals that would end, stop or continue the process, as bytes in a pipe: a thread that waits for the terminal
/// sees them whichever thread they come to.
struct SignalRelay {
    private let number: Int32

    /// Takes the signals over; one relay at a time.
    static func start() throws(SystemError) -> SignalRelay {
        let number = strongroom_start_relay()
        guard number >= 0 else { throw .last("watch signals", "") }
        let relay = SignalRelay(number: number)
        // Left from a handler that ran late the last time.
        while relay.next() != nil {}
        return relay
    }

    /// Gives the signals their effects back, and returns those that came and were not taken.
    func stop() -> [Int32] {
        strongroom_stop_relay()
        var late: [Int32] = []
        while let signal = next() { late.append(signal) }
        return late
    }

    /// The next signal that came, nil if there is none.
    func next() -> Int32? {
        var byte: UInt8 = 0
        while true {
            let count = unsafe read(number, &byte, 1)
            if count == 1 { return Int32(byte) }
            if count < 0, errno == EINTR { continue }
            return nil
        }
    }

    /// Waits for a signal, which it returns, or until the terminal can be read.
    func wait(orUntilReadable terminal: TerminalDevice) throws(SystemError) -> Int32? {
        while true {
            var requests = [
                pollfd(fd: number, events: Int16(POLLIN), revents: 0),
                pollfd(fd: terminal.number, events: Int16(POLLIN), revents: 0),
            ]
            let count = unsafe poll(&requests, 2, -1)
            if count < 0, errno != EINTR { throw .last("wait", "/dev/tty") }
            if let signal = next() { return signal }
            if count > 0, requests[1].revents != 0 { return nil }
        }
    }

    /// Raises a signal in this thread, with the effect that it has when no relay runs.
    static func raise(_ signal: Int32) { strongroom_raise(signal) }

    /// Runs `body`, which may set the modes of a terminal from the background without being stopped for it.
    static func withoutBackgroundStop(_ body: () -> Void) {
        var before = sigset_t()
        var blocked = SignalSet.of([SIGTTOU])
        unsafe pthread_sigmask(SIG_BLOCK, &blocked, &before)
        body()
        unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    }
}
