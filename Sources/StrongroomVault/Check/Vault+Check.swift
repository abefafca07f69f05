extension Vault {
    /// Verifies every byte, sum and mode, and says what is wrong; nothing is written.
    ///
    /// A key that is missing, malformed, exposed or wrong, a newer format and a busy lock are thrown; `.noVault` where
    /// there is none. Whatever else is wrong stands in the report.
    package func check(progress: ((Progress) -> Void)?) throws(VaultError) -> CheckReport {
        var report = CheckReport(findings: try place.modes(repairing: false), entryCount: 0)
        let misplaced = try place.misplaced(repairing: false)
        report.findings += misplaced
        guard let opened = try openedForCheck(&report) else { return report }
        try findLeftovers(opened, &report)
        try checkEntries(opened, progress, &report)
        _ = try checkLog(opened, &report)
        // Of such an index the log says less.
        report.findings.removeAll { finding in
            !misplaced.contains(finding) && misplaced.contains { $0.path == finding.path }
        }
        return report
    }

    /// Sets right what can be: modes, leftovers, an unfinished rotation; then checks.
    ///
    /// No entry is lost but the one that `drop` names, and that only if it is damaged: a sound one is
    /// `.notPossible`, none `.noEntry`.
    package func repair(
        drop: DropTarget?, progress: ((Progress) -> Void)?
    ) throws(VaultError) -> CheckReport {
        // Else no lock could be taken.
        let misplaced = try place.misplaced(repairing: true)
        return try exclusively { () throws(VaultError) -> CheckReport in
            var repaired = misplaced + (try place.modes(repairing: true))
            var unopened = CheckReport(findings: repaired, entryCount: 0)
            // One that is rolled back is not written before somebody has accepted that.
            guard let found = try openedForCheck(&unopened), found.rollback == nil else {
                return unopened
            }
            try findLeftovers(found, &unopened)
            for var finding in unopened.findings.dropFirst(repaired.count) {
                finding.repaired = true
                repaired.append(finding)
            }
            var opened = try tidied(found)
            try place.sweepLeftovers(opened.store, thoroughly: true)
            if keys.isWritable { try removeLeftoverKey(opened) }
            if opened.keyring.next != nil {
                _ = try resealed(opened, oldKeyID: nil, RotationOptions())
                opened = try openedForChange()
            }
            if let drop { try self.drop(drop, from: opened) }
            try repairLog(try openedForChange(), &repaired)
            var report = CheckReport(findings: repaired, entryCount: 0)
            opened = try openedForChange()
            try checkEntries(opened, progress, &report)
            _ = try checkLog(opened, &report)
            return report
        }
    }

    /// The vault; nil if it does not open for a reason that is a finding.
    private func openedForCheck(_ report: inout CheckReport) throws(VaultError) -> OpenVault? {
        do throws(VaultError) {
            guard let opened = try openedForInventory() else {
                throw VaultError.noVault(path: place.name)
            }
            if let rollback = opened.rollback, case .rolledBack(let path, let what) = rollback {
                report.findings.append(
                    CheckReport.Finding(
                        kind: .rolledBack, path: path, key: nil, what: what, repaired: false))
            }
            return opened
        } catch {
            if try checkClosedLog(&report) { return nil }
            let finding: (CheckReport.Finding.Kind, String, String)
            switch error {
            case .vaultDamaged(let path, let what): finding = (.damaged, path, what)
            case .tampered(let path, let what): finding = (.tampered, path, what)
            case .rolledBack(let path, let what): finding = (.rolledBack, path, what)
            default: throw error
            }
            report.findings.append(
                CheckReport.Finding(
                    kind: finding.0, path: finding.1, key: nil, what: finding.2, repaired: false))
            return nil
        }
    }

    /// What is left over, of killed processes mostly, and a rotation that was not finished.
    private func findLeftovers(
        _ opened: OpenVault, _ report: inout CheckReport
    ) throws(VaultError) {
        if opened.rotationState == .unfinished {
            report.findings.append(
                CheckReport.Finding(
                    kind: .unfinished, path: place.keyringName, key: nil,
                    what: "a rotation was interrupted; run it again", repaired: false))
        }
        var paths = try place.leftovers(opened.store)
        for candidate in try keys.candidates() where candidate.slot == .next {
            if let id = candidate.sound?.keyID, opened.keyring.wrapIDs.contains(id) { continue }
            if let id = candidate.vaultID, id != opened.keyring.vaultID { continue }
            paths.append(candidate.name)
        }
        for path in paths {
            report.findings.append(
                CheckReport.Finding(
                    kind: .leftover, path: path, key: nil,
                    what: "left over; the next writer removes it", repaired: false))
        }
    }

    /// Opens every entry, whole.
    private func checkEntries(
        _ opened: OpenVault, _ progress: ((Progress) -> Void)?, _ report: inout CheckReport
    ) throws(VaultError) {
        var opened = opened
        for _ in 0..<Self.attemptLimit {
            let check = EntryCheck(opened: opened)
            let result = try check.run(progress)
            if try opened.isCurrent() {
                report.findings += result.findings
                report.entryCount = result.entryCount
                return
            }
            opened = try self.opened(insteadOf: opened)
        }
        throw .busy(path: place.name)
    }
}
