import CLinux

/// What the kernel lets this process do, as far as secrets are concerned.
package enum ProcessLimits {
    /// The limits of the size of core dumps, soft and hard.
    package struct CoreLimit: Equatable, Sendable {
        fileprivate var soft: UInt64
        fileprivate var hard: UInt64
    }

    /// No core dump of this process is written from now on, and no other process of the user can read its memory.
    ///
    /// Nor does the Swift runtime report a crash, which would show what the registers point to.
    /// Returns the limit that was found: a child that is to run in our place gets it back.
    @discardableResult
    package static func forbidCoreDumps() throws(SystemError) -> CoreLimit {
        var (soft, hard): (UInt64, UInt64) = (0, 0)
        guard unsafe strongroom_forbid_core_dumps(&soft, &hard) == 0 else {
            throw .last("forbid core dumps", "")
        }
        return CoreLimit(soft: soft, hard: hard)
    }

    /// Sets the limit back to what `forbidCoreDumps()` found.
    package static func restoreCoreLimit(_ limit: CoreLimit) throws(SystemError) {
        guard strongroom_set_core_limit(limit.soft, limit.hard) == 0 else {
            throw .last("set the limit of core dumps", "")
        }
    }
}
