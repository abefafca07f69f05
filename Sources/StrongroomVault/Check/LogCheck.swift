import StrongroomStores
import StrongroomSystem

/// Verifies a vault's log, every byte, and says in a vault's words what is wrong.
struct LogCheck {
    let place: DirectoryPlace
    let keyring: Keyring
    let anchor: VaultAnchor?
    /// The vault, if it opens: then the keys of what is wrong can be told.
    let opened: OpenVault?

    /// True if something is wrong that a compaction sets right for good.
    private(set) var needsCompaction = false

    init(place: DirectoryPlace, keyring: Keyring, anchor: VaultAnchor?, opened: OpenVault?) {
        self.place = place
        self.keyring = keyring
        self.anchor = anchor
        self.opened = opened
    }

    private var logName: String { place.path.appending(DirectoryPlace.logFile).description }

    /// What is wrong; entries of `known` were found to be damaged already.
    mutating func run(known: Set<String>) throws(VaultError) -> [CheckReport.Finding] {
        let report: LogReport
        do {
            report = try LogStore.verify(
                at: place.path, keys: VaultLogKeys(keyring), anchor: anchor,
                fileSystem: place.fileSystem)
        } catch {
            switch error {
            case .storeDamaged(let path, let what): return [finding(.damaged, path, what)]
            case .tampered(let path, let what): return [finding(.tampered, path, what)]
            case .ownerChanged:
                return [
                    finding(
                        .tampered, logName,
                        "the entries belong to a data key that the keyring does not hold")
                ]
            case .absent: return [finding(.tampered, logName, "it is gone")]
            default: throw VaultError(error)
            }
        }
        var findings: [CheckReport.Finding] = []
        for finding in report.findings {
            findings += try self.findings(finding, known: known)
        }
        return findings
    }

    private mutating func findings(
        _ finding: LogFinding, known: Set<String>
    ) throws(VaultError) -> [CheckReport.Finding] {
        switch finding {
        case .damaged(let id):
            guard !known.contains(VaultError.name(of: id)) else { return [] }
            return [try self.finding(.damaged, id, "this entry is not as it was written")]
        case .lost(let offset, let byteCount):
            return [
                self.finding(
                    .damaged, logName,
                    "\(byteCount) bytes at \(offset) are lost; entries that were not set since may "
                        + "have been set or removed there (--repair --drop lost gives them up)")
            ]
        case .tampered(let offset, let ids, let what):
            guard !ids.isEmpty else { return [self.finding(.tampered, logName, what)] }
            var findings: [CheckReport.Finding] = []
            for id in ids {
                findings.append(
                    try self.finding(.tampered, id, what + " (at \(offset) in the log)"))
            }
            return findings
        case .rolledBack(let what):
            return [self.finding(.rolledBack, logName, what)]
        case .corrected(let offset):
            needsCompaction = true
            return [
                self.finding(
                    .damaged, logName,
                    "one bit at \(offset) is wrong and is set right whenever it is read")
            ]
        case .spare(let offset):
            needsCompaction = true
            return [
                self.finding(
                    .damaged, logName, "bytes at \(offset) that nobody needs are not as written")
            ]
        case .tail(let offset, let byteCount):
            return [
                self.finding(
                    .leftover, logName,
                    "\(byteCount) bytes at \(offset), behind the end, are of no commit; "
                        + "later writes overwrite them")
            ]
        case .index:
            return [
                self.finding(
                    .leftover, place.path.appending("index").description,
                    "it is not what the log says; the next writer replaces it")
            ]
        }
    }

    private func finding(
        _ kind: CheckReport.Finding.Kind, _ path: String, _ what: String
    ) -> CheckReport.Finding {
        CheckReport.Finding(kind: kind, path: path, key: nil, what: what, repaired: false)
    }

    /// The same of one entry, by its key if its header still opens.
    private func finding(
        _ kind: CheckReport.Finding.Kind, _ id: EntryID, _ what: String
    ) throws(VaultError) -> CheckReport.Finding {
        var finding = finding(kind, VaultError.name(of: id), what)
        guard let opened else { return finding }
        do {
            if let reader = try opened.open(id) {
                finding.key = try opened.carriedKey(
                    id, reader, places: opened.keyring.dataKeys)
            }
        } catch {
            // Its key cannot be known: what is wrong with it is said all the same.
        }
        return finding
    }
}
