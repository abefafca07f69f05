import CLinux

/// Whether somebody asked the process to stop (`SIGINT`, `SIGTERM`, `SIGHUP`), noted by a handler that does nothing else.
///
/// There is one flag in a process. Long work asks it between two steps, tidies up and calls `raiseAgain()`. A signal
/// that is ignored when watching begins stays ignored; a second one, half a second or more after the first, has its
/// default effect, so that a program that is stuck can be ended.
package enum InterruptFlag {
    /// Starts to note the signals instead of dying from them.
    package static func watch() { strongroom_watch_interrupts() }

    /// Notes the signals that nobody else takes, and `SIGQUIT`, until `letGo()`: for a moment in which the process must
    /// not die without tidying up.
    static func hold() { strongroom_hold_interrupts() }

    /// The end of `hold()`; of several at once the last one counts.
    ///
    /// A signal that was noted only for the time of it now ends the process, as it would have done.
    static func letGo() {
        let signal = strongroom_let_interrupts_go()
        if signal != 0 { Signals.end(by: signal) }
    }

    /// True once one came.
    package static var isRaised: Bool { signal != nil }

    /// The number of the first one that came.
    package static var signal: Int32? {
        let number = strongroom_interrupt()
        return number == 0 ? nil : number
    }

    /// Waits until `descriptor` can be read, or is at its end, or a signal came.
    ///
    /// A read that is made at once would go on waiting after a signal, however the flag was looked at before. The signal
    /// must come to this thread: a process of one, or one whose other threads block these signals. What cannot be waited
    /// for counts as ready: the read then says why.
    package static func waitForInput(_ descriptor: Descriptor) {
        _ = strongroom_wait_for_input(descriptor.number)
    }

    /// Ends the process by the signal that came; returns if none did.
    package static func raiseAgain() {
        if let signal { Signals.end(by: signal) }
    }
}
