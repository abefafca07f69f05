import CLinux

/// Whether somebody asked the process to stop (`SIGINT`, `SIGTERM`, `SIGHUP`), noted by a handler that does nothing else.
///
/// There is one flag in a process. Long work asks it between two steps, tidies up and calls `raiseAgain()`. A signal
/// that is ignored when watching begins stays ignored; a second one, half a second or more after the first, has its
/// default effect, so that a program that is stuck can be ended.
package enum InterruptFlag {
    /// Starts to note the signals instead of dying from them.
    package static func watch() { strongroom_watch_interrupts() }

    /// True once one came.
    package static var isRaised: Bool { signal != nil }

    /// The number of the first one that came.
    package static var signal: Int32? {
        let number = strongroom_interrupt()
        return number == 0 ? nil : number
    }

    /// Ends the process by the signal that came; returns if none did.
    package static func raiseAgain() {
        if let signal { Signals.end(by: signal) }
    }
}
