import StrongroomSystem

/// What a directory store remembers while somebody reads its changes.
struct ChangeWatch {
    /// Commits of the store's own that are remembered; past that some are told twice.
    private static let toldLimit = 10_000

    /// How many read.
    var readerCount = 0
    /// Says what others change.
    var watcher: DirectoryWatcher?
    /// The directory that is watched.
    var directory: FileStatus?
    /// False if that is one above, since the store's own is not there yet.
    var isStore = false
    /// The vault's generation that is watched.
    var generation: GenerationFile?
    /// How many commits of the store's own were begun, and how many of them are not done.
    private(set) var commitCount = 0
    private var committingCount = 0
    /// What the kernel said meanwhile.
    private var waiting: [Path] = []
    /// What was told already of the store's own commits: the file that an entry has since.
    private var told: [EntryID: FileStatus?] = [:]

    /// Commits of the store's own so far; nil while one is being made, and then `names` wait until it is done, since
    /// most of what the kernel says meanwhile is that commit.
    mutating func commitCount(orWait names: [Path]) -> Int? {
        if committingCount == 0 { return commitCount }
        waiting += names
        return nil
    }

    /// A commit of the store's own begins.
    mutating func beginCommit() {
        committingCount += 1
        commitCount += 1
    }

    /// It is done: what the kernel said meanwhile.
    mutating func endCommit() -> [Path] {
        committingCount -= 1
        guard committingCount == 0 else { return [] }
        defer { waiting = [] }
        return waiting
    }

    /// Forgets what was told, when the last reader is gone.
    mutating func stop() {
        readerCount = 0
        watcher = nil
        directory = nil
        isStore = false
        generation = nil
        waiting = []
        told = [:]
    }

    /// Remembers that a commit was told that gave an entry this file, or none.
    mutating func note(_ id: EntryID, _ file: FileStatus?) {
        if told.count >= Self.toldLimit { told = [:] }
        told[id] = .some(file)
    }

    /// True if it was told already that an entry has this file, or none.
    func isTold(_ id: EntryID, _ file: FileStatus?) -> Bool {
        guard let told = told[id] else { return false }
        return told?.inode == file?.inode && told?.device == file?.device
    }
}
