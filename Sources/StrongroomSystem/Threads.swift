import CLinux
import Glibc

/// Threads of our own, for calls that block.
package enum Threads {
    /// Runs `body` on a new thread that nobody waits for.
    ///
    /// Every signal that can be put off is blocked in it, so that signals of the process reach the threads of its
    /// own making, no call of ours is interrupted, and a write over the size limit is `EFBIG`. `name` shows in
    /// `/proc/<pid>/task`, its first 15 bytes. A throw (no memory, too many threads) leaves no thread.
    package static func start(
        name: String, _ body: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        defer { unsafe _ = pthread_attr_destroy(&attributes) }

        let box = unsafe Unmanaged.passRetained(ThreadBody(name: name, run: body))
        // A thread starts with the mask of the one that makes it.
        var before = sigset_t()
        var blocked = SignalSet.deferrable
        unsafe pthread_sigmask(SIG_SETMASK, &blocked, &before)
        var thread = pthread_t()
        let code = unsafe pthread_create(
            &thread, &attributes,
            { argument in
                guard let argument = unsafe argument else { return nil }
                let body = unsafe Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue()
                unsafe body.name.withCString { name in
                    unsafe strongroom_set_thread_name(name)
                }
                body.run()
                return nil
            }, box.toOpaque())
        unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
        guard code == 0 else {
            unsafe box.release()
            throw SystemError(operation: "start thread", path: name, code: code)
        }
    }
}

/// What a new thread is given.
private final class ThreadBody: Sendable {
    let name: String
    let run: @Sendable () -> Void

    init(name: String, run: @escaping @Sendable () -> Void) {
        self.name = name
        self.run = run
    }
}
