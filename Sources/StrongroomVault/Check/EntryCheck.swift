import StrongroomCrypto
import StrongroomStores

/// Opens every entry of a store, whole, and says which do not open.
struct EntryCheck {
    let opened: OpenVault

    func run(_ progress: ((Progress) -> Void)?) throws(VaultError) -> CheckReport {
        var report = CheckReport(findings: [], entryCount: 0)
        let ids = try opened.knownIDs()
        for (index, id) in ids.enumerated() {
            if let isSound = try isSound(id) {
                report.entryCount += 1
                if !isSound { report.findings.append(try finding(id)) }
            }
            progress?(Progress(done: index + 1, total: ids.count))
        }
        return report
    }

    /// False if the entry does not open; nil if it was removed meanwhile.
    func isSound(_ id: EntryID) throws(VaultError) -> Bool? {
        do {
            guard let reader = try opened.open(id) else { return nil }
            var opening = try EntryOpening(
                ReaderSource(reader: reader, key: nil, id: id), id: id, with: opened.current)
            var byteCount: UInt64 = 0
            while let piece = try opening.next() { byteCount += UInt64(piece.byteCount) }
            return byteCount == opening.header.byteCount
        } catch {
            switch error {
            case .damaged, .vaultDamaged: return false
            default: throw error
            }
        }
    }

    private func finding(_ id: EntryID) throws(VaultError) -> CheckReport.Finding {
        let reader: (any EntryReader)?
        do {
            reader = try opened.open(id)
        } catch {
            guard case .damaged = error else { throw error }
            return CheckReport.Finding(
                kind: .damaged, path: VaultError.name(of: id), key: nil,
                what: "a part of the log is lost that may tell of it", repaired: false)
        }
        let key = try reader.flatMap { (reader: any EntryReader) throws(VaultError) -> String? in
            try opened.carriedKey(id, reader, places: opened.keyring.dataKeys)
        }
        let name = VaultError.name(of: id)
        let cause = try opened.cause(of: .damaged(key: name), id, name: name)
        if case .tampered(_, let what) = cause {
            return CheckReport.Finding(
                kind: .tampered, path: name, key: key, what: what, repaired: false)
        }
        return CheckReport.Finding(
            kind: .damaged, path: VaultError.name(of: id), key: key,
            what: "this entry is not as it was written", repaired: false)
    }
}
