import StrongroomCrypto
import StrongroomStores

/// Opens every entry of a store, whole, and says which do not open.
struct EntryCheck {
    let opened: OpenVault

    func run(_ progress: ((Progress) -> Void)?) throws(VaultError) -> CheckReport {
        var report = CheckReport(findings: [], entryCount: 0)
        let ids = try opened.ids()
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
        let reader = try opened.open(id)
        let key = try reader.flatMap { (reader: any EntryReader) throws(VaultError) -> String? in
            try opened.carriedKey(id, reader, places: opened.keyring.dataKeys)
        }
        return CheckReport.Finding(
            kind: .damaged, path: VaultError.name(of: id), key: key,
            what: "this entry is not as it was written", repaired: false)
    }
}
