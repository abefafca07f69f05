/// The rules of the log's protocol (STORE.md) that a walk can miss: each is left out from outside, by a file system that
/// does not do, or does not tell, what the rule is about.
enum LogRule: CaseIterable, Sendable {
    // The write lock, and what a writer does first.
    /// One writer at a time.
    case writeLock
    /// One rewrite at a time.
    case jobLock
    /// A writer looks whether `log` is still the file that he has open.
    case inodeCheck
    /// A writer who finds no current hint syncs the directory before he goes on.
    case directorySync
    /// A writer who finds no current hint publishes one before he appends (I1).
    case settlePublish
    /// A writer adopts what lies whole behind the end.
    case adoption
    /// What is adopted is made durable before the hint moves.
    case adoptionSync
    /// The hint moves when something was adopted.
    case adoptionPublish

    // Committing.
    /// A commit is durable before the hint moves (I2).
    case commitSync
    /// A commit is published before it is acknowledged.
    case commitPublish
    /// The head of a commit that failed is overwritten.
    case retract
    /// And that is made durable.
    case retractSync

    // Looking.
    /// Who reads goes no further than a current hint says.
    case hintIsEnd
    /// A hint of another boot is not current.
    case hintBoot
    /// A hint of another log is not current.
    case hintLog
    /// Who finds a hint that is not his log's looks which log has the name.
    case lookInode
    /// Who scanned reads the hint again.
    case secondLook
    /// What was scanned is made durable before anybody is told of it: a walk cannot miss that, since what it finds without
    /// a current hint was synced by who wrote it; a copy can (``LogCrashTests``).
    case scanSync
    /// The last commit of a scan needs its payloads, and so does one that is adopted.
    case payloadSums

    // Rewriting.
    /// A log is durable before it takes the name.
    case rewriteSync
    /// The name is durable before anything is appended.
    case renameSync
}
