import CLinux
import Glibc

/// Says what changes in a directory and everything below it (inotify(7)), whoever changes it.
///
/// A change seen is a hint, not a state: by the time of the call the file may have changed again. Links are not
/// followed. The directory is the one that was open when watching began, whatever it is called later.
package final class DirectoryWatcher: Sendable {
    /// What a call says.
    package enum Event: Equatable, Sendable {
        /// These names, relative to the directory, were made, written, renamed or removed; no name stands twice.
        case changed([Path])
        /// Anything may have changed: events were lost, or a directory was moved or removed.
        case anything
        /// Watching ended; nothing more is said.
        case failed(SystemError)
    }

    private let wake: OpenFile
    private let isCancelled: Monitor<Bool>

    /// Watches `directory` from now on: what changes after this returns is said.
    ///
    /// With `isDeep` false only its own names are watched, not what is in the directories below.
    /// `onEvent` is called on a thread of the watcher's own, one call after the other. A throw (no watches left:
    /// `ErrorCode.noSpace`) leaves nothing running.
    package init(
        _ directory: OpenFile, isDeep: Bool = true, onEvent: @escaping @Sendable (Event) -> Void
    ) throws(SystemError) {
        let queue = inotify_init1(Int32(O_CLOEXEC | O_NONBLOCK))
        guard queue >= 0 else { throw .last("watch", directory.path) }
        let queueFile = OpenFile(
            Descriptor(number: queue), path: directory.path, fileSystem: RealFileSystem())
        let event = strongroom_eventfd()
        guard event >= 0 else { throw .last("watch", directory.path) }
        wake = OpenFile(
            Descriptor(number: event), path: directory.path, fileSystem: RealFileSystem())
        isCancelled = Monitor(false)
        var tree = WatchTree(directory: directory, queue: queueFile, isDeep: isDeep)
        _ = try tree.addAll(below: Path(bytes: []))
        try Threads.start(name: "watcher") { [wake, isCancelled, tree] in
            var loop = WatchLoop(tree: tree, wake: wake, isCancelled: isCancelled)
            loop.run(onEvent)
        }
    }

    deinit { cancel() }

    /// Ends the watching; no call begins after this returns, but one may still be running.
    package func cancel() {
        isCancelled.change { $0 = true }
        var one: UInt64 = 1
        // An event counter takes 8 bytes; it fails only when it is full, and then the thread is awake.
        unsafe _ = write(wake.descriptor.number, &one, 8)
    }
}
