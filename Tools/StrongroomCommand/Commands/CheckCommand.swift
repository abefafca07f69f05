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
        let bar = ProgressBar(session.console, title: "checking")
        let report: CheckReport
        do throws(VaultError) {
            report =
                session.invocation.has(.repair)
                ? try vault.repair(drop: drop, progress: bar.report)
                : try vault.check(progress: bar.report)
        } catch {
            bar.clear()
            throw session.failure(error)
        }
        bar.clear()
        if session.invocation.has(.json) {
            try session.console.writeLine(json(report))
        } else {
            for finding in report.findings { try session.console.writeLine(line(finding)) }
            if report.isSound {
                session.console.note("sound: \(Counted.entries(report.entryCount))")
            }
        }
        session.end(with: status(report))
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
    /// True if nothing is wrong, or all that was is set right.
    var isSound: Bool { findings.allSatisfy { $0.repaired || $0.kind == .leftover } }
}
