import StrongroomVault

/// `compact`: writes a log anew without what was removed and replaced.
enum CompactCommand {
    /// Runs it.
    static func run(_ session: Session) throws(Failure) {
        let vault = try session.openVault()
        let bar = ProgressBar(session.console, title: "compacting")
        let before: VaultStatus
        let after: VaultStatus
        do throws(VaultError) {
            before = try vault.status()
            try vault.compact(progress: bar.report)
            after = try vault.status()
        } catch {
            bar.clear()
            throw session.failure(error)
        }
        bar.clear()
        if before.layout == StrongroomVault.VaultLayout.files.rawValue {
            session.console.note("entries in files leave nothing to compact")
        }
        try session.console.writeLine(
            "\(byteCount(before)) bytes before, \(byteCount(after)) after")
    }

    /// What the entries take, and what nobody needs.
    private static func byteCount(_ status: VaultStatus) -> Int64 {
        status.byteCount + status.garbageByteCount
    }
}
