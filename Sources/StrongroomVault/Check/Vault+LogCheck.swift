import StrongroomStores
import StrongroomSystem
import Synchronization

// What `check` says of a log and its anchor, beside its entries.
extension Vault {
    /// Verifies the log of a vault that is open; true if a compaction would set something right.
    func checkLog(
        _ opened: OpenVault, _ report: inout CheckReport
    ) throws(VaultError) -> Bool {
        guard opened.store is LogStore, let place = place as? DirectoryPlace else { return false }
        try checkAnchor(opened, &report)
        var check = LogCheck(
            place: place, keyring: opened.keyring, anchor: opened.anchor, opened: opened)
        let known = Set(report.findings.map(\.path))
        for finding in try check.run(known: known) {
            // That was said when it was opened.
            if finding.kind == .rolledBack, opened.rollback != nil { continue }
            report.findings.append(finding)
        }
        return check.needsCompaction
    }

    /// The same of one that does not open, if that is the log's fault; true if something was found.
    func checkClosedLog(_ report: inout CheckReport) throws(VaultError) -> Bool {
        guard let place = place as? DirectoryPlace else { return false }
        let keyring = try state.withLock {
            (state: inout VaultState) throws(VaultError) -> Keyring? in
            switch try reading.readKeyring(&state) {
            case .success(let opened): return opened.keyring
            case .failure: return nil
            }
        }
        guard let keyring, keyring.layout == .log else { return false }
        var check = LogCheck(
            place: place, keyring: keyring,
            anchor: VaultAnchor(vaultID: keyring.vaultID, places: anchors), opened: nil)
        let findings = try check.run(known: [])
        report.findings += findings
        return findings.contains { $0.kind != .leftover }
    }

    /// Sets right what a compaction can.
    func repairLog(
        _ opened: OpenVault, _ repaired: inout [CheckReport.Finding]
    ) throws(VaultError) {
        guard let log = opened.store as? LogStore else { return }
        var report = CheckReport(findings: [], entryCount: 0)
        guard try checkLog(opened, &report) else { return }
        do {
            try log.compact()
        } catch {
            throw VaultError(error)
        }
        for var finding in report.findings where finding.path.hasSuffix("/log") {
            guard finding.kind == .damaged else { continue }
            finding.repaired = true
            repaired.append(finding)
        }
    }

    /// Says so if there is no anchor that is whole.
    private func checkAnchor(
        _ opened: OpenVault, _ report: inout CheckReport
    ) throws(VaultError) {
        guard let anchor = opened.anchor, try anchor.mark().isEmpty else { return }
        let path = try anchor.paths().first?.description ?? keys.name
        report.findings.append(
            CheckReport.Finding(
                kind: .leftover, path: path, key: nil,
                what:
                    "no anchor is there that is whole; the next writer makes it, and until then an "
                    + "older copy of the vault is not told from it", repaired: false))
    }
}
