/// When an entry was set, for a copy of it that keeps its times.
package struct EntryTimes: Sendable, Equatable {
    /// When an entry of its key was first set, nanoseconds since 1970; nil if that is not known.
    package var created: Int64?
    /// When it was last set, nanoseconds since 1970.
    package var modified: Int64

    /// Times of an entry.
    package init(created: Int64?, modified: Int64) {
        self.created = created
        self.modified = modified
    }

    /// The times that a header gets: `wanted`, or else those of an entry set `now`; `found` is when the one was first
    /// set that it replaces.
    static func sealed(
        _ wanted: EntryTimes?, found: Int64?, now: Int64
    ) -> (created: Int64, modified: Int64) {
        let modified = wanted?.modified ?? now
        // Of a copy whose first setting nobody knows, the last one is the first that is known.
        return (wanted?.created ?? found ?? modified, modified)
    }
}
