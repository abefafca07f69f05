package import StrongroomSystem

/// What a caller may want of a rotation.
package struct RotationOptions: Sendable {
    /// Where the old key's text goes first, 0600; the file must be absent.
    package var keepOldKey: Path?
    /// Called now and then with entries done and in all, from any thread.
    package var progress: (@Sendable (Progress) -> Void)?
    /// Asked between entries and between steps; true stops cleanly with `.cancelled`, to be run again.
    package var isCancelled: (@Sendable () -> Bool)?

    /// No wishes.
    package init() {}

    /// Throws `.cancelled` if the caller wants to stop.
    func checkCancelled() throws(VaultError) {
        if let isCancelled, isCancelled() { throw .cancelled }
    }
}
