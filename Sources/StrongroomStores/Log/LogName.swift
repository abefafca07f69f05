import StrongroomSystem

/// Names of the log's files in the vault's directory.
enum LogName {
    /// The truth.
    static let log: Path = "log"
    /// The write lock; holds the hint.
    static let lock: Path = "lock"
    /// The turnstile before it.
    static let gate: Path = "gate"
    /// Keeps two rewrites apart.
    static let job: Path = "job"
    /// What saves an opening the reading of the log.
    static let index: Path = "index"
    /// The index's successor, being written.
    static let nextIndex: Path = "%index"
    /// The next log, being built.
    static let next: Path = "new"
    /// The folder of staged payloads where the disk has no unnamed files.
    static let spool: Path = "spool"
}
