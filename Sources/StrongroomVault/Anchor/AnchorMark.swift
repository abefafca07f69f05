import StrongroomStores

/// What an anchor says: the newest keyring and the newest commit that were noted.
struct AnchorMark: Equatable, Sendable {
    /// The keyring's generation, 0 if none was noted.
    var keyringGeneration: UInt64 = 0
    /// The log's newest commit, nil if none was noted.
    var point: LogPoint?

    /// True if nothing was noted: both slots of each are bad, or not there.
    var isEmpty: Bool { keyringGeneration == 0 && point == nil }

    /// The higher of both, part by part.
    func merged(with other: AnchorMark) -> AnchorMark {
        var mark = self
        mark.keyringGeneration = max(keyringGeneration, other.keyringGeneration)
        if let point = other.point { mark.raise(to: point) }
        return mark
    }

    /// True if it lacks some of what `newest` says.
    ///
    /// The beginning of a log, before its first commit, need not be noted.
    func isBehind(_ newest: AnchorMark) -> Bool {
        if keyringGeneration < newest.keyringGeneration { return true }
        guard let new = newest.point, new.sequence > 0 else { return false }
        guard let point else { return true }
        return (point.generation, point.sequence) < (new.generation, new.sequence)
    }

    /// Takes a commit up if it is a newer one.
    mutating func raise(to new: LogPoint) {
        guard let point else {
            self.point = new
            return
        }
        if (point.generation, point.sequence) < (new.generation, new.sequence) { self.point = new }
    }
}
