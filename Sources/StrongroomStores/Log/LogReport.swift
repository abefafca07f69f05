/// What a whole log was found to be.
package struct LogReport: Equatable, Sendable {
    /// Everything that is not as it was written, in the order of the log; empty for a sound log.
    package internal(set) var findings: [LogFinding] = []
    /// Commits that were read.
    package internal(set) var commitCount = 0
    /// Entries whose newest content is known.
    package internal(set) var entryCount = 0
    /// Bytes from the beginning of the log to its end.
    package internal(set) var byteCount: Int64 = 0
}
