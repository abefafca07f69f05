/// Where a reading of a log stands: behind which commit.
struct LogPosition: Equatable, Sendable {
    /// Where that commit's head lies; 0 before the first.
    var start: Int64
    /// Where the next one lies.
    var end: Int64
    /// Its number.
    var sequence: UInt64
    /// Its head sum.
    var sum: UInt64
    /// Its chain tag.
    var tag: Bytes16
    /// True behind a lost range: the next commit's links lead to what nobody can read.
    var isAfterLoss = false

    /// The beginning of a log.
    static func first(_ block: LogBlock, _ keys: any LogKeys) throws(StoreError) -> LogPosition {
        LogPosition(
            start: 0, end: Int64(LogBlock.byteCount), sequence: 0, sum: 0,
            tag: try block.firstTag(keys))
    }

    /// The same as a point of the log's generation.
    func point(_ block: LogBlock) -> LogPoint {
        LogPoint(generation: block.generation, sequence: sequence, tag: tag)
    }
}
