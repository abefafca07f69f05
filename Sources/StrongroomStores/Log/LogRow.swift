/// Where the newest content of an entry lies in a log.
struct LogRow: Equatable, Sendable {
    /// Where the payload begins.
    let offset: Int64
    /// Bytes of it.
    let byteCount: Int64
    /// Its version: the stamp, or in a plain log the sum.
    let version: UInt64
}
