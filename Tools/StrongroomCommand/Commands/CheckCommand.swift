import StrongroomSystem
import StrongroomVault

/// `check`: verifies all that is there and names what is wrong.
enum CheckCommand {
    /// Runs it.
    static func run(_ session: Session) throws(Failure) {
        let drop = try dropTarget(session.invocation)
        if drop != nil, !session.invocation.has(.repair) {
            throw Failure(.usage, "--drop", "goes with --repair only")
        }
        let vault = try session.vaultToCheck()
        var isAccepted = false
        if session.invocation.has(.acceptRollback) {
            isAccepted = try acceptRollback(vault, session)
        }
        let bar = ProgressBar(session.console, title: "checking")
        var report: CheckReport
        do throws(VaultError) {
            report =
                session.invocation.has(.repair)
                ? try vault.repair(drop: drop, progress: bar.report)
                : try vault.check(progress: bar.report)
        } catch {
            bar.clear()
            guard case .noVault = error else { throw session.failure(error) }
            if isAccepted {
                return session.console.note(
                    "that there was a vault here is forgotten; strongroom init makes one")
            }
            report = try missingVault(session)
        }
        bar.clear()
        if session.invocation.has(.json) {
            try session.console.writeLine(json(report))
        } else {
            for finding in report.findings { try session.console.writeLine(line(finding)) }
            if report.isSound {
                try session.console.writeLine("sound: \(Counted.entries(report.entryCount))")
            }
        }
        session.end(with: status(report))
    }

    /// Takes the vault as it is for the newest; false if it was.
    private static func acceptRollback(
        _ vault: Vault, _ session: Session
    ) throws(Failure) -> Bool {
        do throws(VaultError) {
            guard try vault.acceptRollback() else {
                session.console.note("nothing is older than what was seen before")
                return false
            }
            guard try vault.exists() else { return true }
        } catch { throw session.failure(error) }
        session.console.note(
            "the vault as it is now counts as the newest; what was written since is not in it")
        return true
    }

    /// That the vault is gone from beside what it leaves; in an untouched place there is nothing to report on.
    private static func missingVault(_ session: Session) throws(Failure) -> CheckReport {
        let directories = try session.settings().directories
        let vault = directories.vault.path
        let found: String
        if try session.isThere(vault) {
            found = "its directory"
        } else if let source = try SecretSource.named(
            .masterKey, session.invocation, session.environment)
        {
            found =
                source.kind == .file
                ? "its master key, \(Path(bytes: source.value).description)"
                : "its master key, from \(source.name)"
        } else {
            guard try session.isThere(directories.masterKey.path) else {
                throw Failure(
                    .usage, vault.description, "there is no vault here, nor what is left of one",
                    advice: "name another place, or make one with strongroom init")
            }
            found = "its master key, \(directories.masterKey.path.description)"
        }
        let finding = CheckReport.Finding(
            kind: .missing, path: vault.description, key: nil,
            what: "there is no vault, but there is \(found)", repaired: false)
        return CheckReport(findings: [finding], entryCount: 0)
    }

    /// 6 if a byte is not as it was written or is missing, 1 if only modes and leftovers are wrong.
    private static func status(_ report: CheckReport) -> ExitStatus {
        var status = ExitStatus.done
        for finding in report.findings where !finding.repaired {
            switch finding.kind {
            case .damaged, .tampered, .missing, .rolledBack: return .damaged
            case .mode: status = .failed
            case .leftover, .unfinished: break
            }
        }
        return status
    }

    private static func line(_ finding: CheckReport.Finding) -> String {
        let subject = finding.key ?? finding.path
        let repaired = finding.repaired ? " (repaired)" : ""
        return "\(finding.kind.rawValue): \(Escaping.shown(subject)): "
            + Escaping.shown(finding.what) + repaired
    }

    private static func json(_ report: CheckReport) -> String {
        var json = JSONText()
        json.object { json in
            json.field("sound", report.isSound)
            json.field("entryCount", report.entryCount)
            json.name("findings")
            json.array { json in
                for finding in report.findings {
                    json.object { json in
                        json.field("kind", finding.kind.rawValue)
                        json.field("path", finding.path)
                        json.field("key", finding.key)
                        json.field("what", finding.what)
                        json.field("repaired", finding.repaired)
                    }
                }
            }
        }
        return json.text
    }

    private static func dropTarget(_ options: Invocation) throws(Failure) -> DropTarget? {
        guard let text = try options.text(.drop) else { return nil }
        // An entry of that name is given up by its id.
        guard text != "lost" else { return .lost }
        guard text.hasPrefix("id:") else { return .key(try Session.key(text)) }
        let id = text.dropFirst(3)
        let isHex = id.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
        guard isHex, id.utf8.count == 40 else {
            throw Failure(.usage, text, "an id is 40 hexadecimal digits after id:")
        }
        return .id(String(id))
    }
}

extension CheckReport {
    /// True if nothing is wrong, or all that was is set right; what a process that was killed leaves is no fault.
    var isSound: Bool {
        findings.allSatisfy { $0.repaired || $0.kind == .leftover || $0.kind == .unfinished }
    }
}
