import StrongroomSystem

/// Who watches the directory of a log, and for how many readers.
struct LogWatch: Sendable {
    /// How many read.
    var readerCount = 0
    /// Says that somebody wrote.
    var watcher: DirectoryWatcher?
    /// The directory that is watched.
    var directory: FileStatus?
}
