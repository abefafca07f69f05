/// The newest state of a log that a process has answered from: older is rolled back.
package struct LogSeen: Sendable {
    /// The log's generation; 0 for nothing seen.
    var generation: UInt64 = 0
    /// The commit's number in it.
    var sequence: UInt64 = 0
    /// The chain tag there; not known behind a lost range.
    var tag: Bytes16?

    /// Nothing was seen.
    package init() {}

    init(generation: UInt64, sequence: UInt64, tag: Bytes16?) {
        self.generation = generation
        self.sequence = sequence
        self.tag = tag
    }

    /// True if a log that stands at `position` is not what was seen, or what came of it.
    func isNewer(than position: LogPosition, of block: LogBlock) -> Bool {
        if block.generation == generation {
            guard position.sequence == sequence else { return position.sequence < sequence }
            guard let tag, !position.isAfterLoss else { return false }
            return tag != position.tag
        }
        return block.generation < generation
            || block.base.generation == generation && block.base.sequence < sequence
    }

    /// True if `other` is further.
    func isBefore(_ other: LogSeen) -> Bool {
        (generation, sequence) < (other.generation, other.sequence)
    }
}
