import StrongroomSystem
import StrongroomVault

extension VaultArea {
    /// Gives the vault a new master key and a new data key, and seals every entry again, so that
    /// whoever had the old key can read nothing that is set from now on.
    ///
    /// Reading and writing go on meanwhile, here and in other processes. It may be killed at any
    /// instant; the next call finishes what it finds begun. A damaged entry does not stop it and
    /// keeps its bytes.
    ///
    /// - Parameters:
    ///   - oldKeyCopy: A file that must not be there, which gets the old key's text first, 0600:
    ///     backups made before need it.
    ///   - progress: Called now and then, perhaps on another thread, with the entries that are done
    ///     and those in all.
    ///   - isCancelled: Asked now and then, perhaps on another thread; true stops between two
    ///     steps.
    /// - Returns: What was done.
    /// - Throws: ``StrongroomError``; ``StrongroomError/notPossible(what:)`` if the key is not in a
    ///   file that this process can replace; ``StrongroomError/cancelled``, after which the vault
    ///   is whole and a later call goes on.
    @discardableResult
    public func rotate(
        keepingOldKeyAt oldKeyCopy: String? = nil,
        progress: (@Sendable (_ done: Int, _ total: Int) -> Void)? = nil,
        isCancelled: (@Sendable () -> Bool)? = nil
    ) throws(StrongroomError) -> Rotation {
        var options = RotationOptions()
        options.keepOldKey = oldKeyCopy.map { Path($0) }
        options.isCancelled = isCancelled
        if let progress {
            options.progress = { step in progress(step.done, step.total) }
        }
        do throws(VaultError) { return Rotation(try vault.rotate(options)) } catch {
            throw StrongroomError(error)
        }
    }
}
