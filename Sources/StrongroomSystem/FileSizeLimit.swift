import CLinux
import Glibc

/// Keeps `SIGXFSZ`, which by default ends the process, from a thread that writes over the limit of a file's size
/// (setrlimit(2)): the write is `EFBIG` then.
enum FileSizeLimit {
    /// Runs `call` and returns its result and `errno`, with the signal held back if a limit is set.
    static func withoutSignal(_ call: () -> Int) -> (result: Int, code: Int32) {
        guard strongroom_has_file_size_limit() != 0 else {
            let result = call()
            return (result, errno)
        }
        var signal = sigset_t()
        var before = sigset_t()
        unsafe sigemptyset(&signal)
        unsafe sigaddset(&signal, SIGXFSZ)
        unsafe pthread_sigmask(SIG_BLOCK, &signal, &before)
        let result = call()
        let code = errno
        if result < 0, code == EFBIG, unsafe sigismember(&before, SIGXFSZ) == 0 {
            // The signal waits for this thread; taken here, it is not delivered when the mask is set back.
            var noTime = timespec()
            while unsafe sigtimedwait(&signal, nil, &noTime) < 0, errno == EINTR {}
        }
        unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
        return (result, code)
    }
}
