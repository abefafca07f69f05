import CLinux
import Glibc

/// What a program that is asked to stop does about it.
package enum Signals {
    /// Gives `SIGPIPE` and `SIGCHLD` the effects that a program expects, whatever its parent made of them.
    ///
    /// Then a pipe that closes early ends the program in silence, and children can be waited for.
    package static func resetInherited() {
        strongroom_set_default(SIGPIPE)
        strongroom_set_default(SIGCHLD)
    }

    /// Raises `signal` on this process with its default effect, so that its parent sees what ended it.
    package static func end(by signal: Int32) -> Never {
        strongroom_set_default(signal)
        strongroom_raise(signal)
        // Only a signal without a deadly effect comes here.
        _exit(128 + signal)
    }
}
