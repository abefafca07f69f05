/// Where a vault stands between two master keys.
package enum RotationState: String, Sendable {
    /// No rotation is under way.
    case none
    /// `--begin` was done and neither `--finish` nor `--abort` was.
    case begun
    /// A rotation or rewrap was interrupted and has to be run again.
    case unfinished
}
