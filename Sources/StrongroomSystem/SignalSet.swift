import Glibc

/// Sets of signals (sigsetops(3)).
enum SignalSet {
    /// Every signal but those that a fault raises in the thread that made it.
    static var deferrable: sigset_t {
        var set = sigset_t()
        unsafe sigfillset(&set)
        for signal in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS] {
            unsafe sigdelset(&set, signal)
        }
        return set
    }

    /// The set of `signals`.
    static func of(_ signals: [Int32]) -> sigset_t {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for signal in signals { unsafe sigaddset(&set, signal) }
        return set
    }
}
