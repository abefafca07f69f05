package import StrongroomSystem

// Verification of every byte, for `check`.
extension LogStore {
    /// Verifies every sum, link, chain tag and payload of the log, both copies of block 0, and the index file.
    ///
    /// Nothing is written, and nobody is kept waiting. `onProgress` is called with the bytes done and the bytes in all.
    package func verify(
        onProgress: (Int64, Int64) -> Void = { _, _ in }
    ) throws(StoreError) -> LogReport {
        try Self.verify(place, onProgress: onProgress)
    }

    /// The same of the log in a vault's directory, also of one that does not open because it is tampered with or rolled
    /// back: that is in the report then.
    ///
    /// `.absent`, `.newerFormat`, `.storeDamaged` (no copy of block 0 is whole), `.unsuitable` and errors of the
    /// system are thrown.
    package static func verify(
        at path: Path, keys: any LogKeys, anchor: (any LogAnchor)? = nil,
        fileSystem: any FileSystem, onProgress: (Int64, Int64) -> Void = { _, _ in }
    ) throws(StoreError) -> LogReport {
        try verify(
            try LogPlace.at(
                path, keys: keys, anchor: anchor, acceptsRollback: false, fileSystem: fileSystem),
            onProgress: onProgress)
    }

    private static func verify(
        _ place: LogPlace, onProgress: (Int64, Int64) -> Void
    ) throws(StoreError) -> LogReport {
        var place = place
        place.acceptsRollback = false
        var reader = LogReader(place)
        reader.trustsIndex = false
        var findings: [LogFinding] = []
        var tampering: String?
        for _ in 0..<2 {
            do {
                try reader.look()
                break
            } catch {
                switch error {
                case .rolledBack(_, let what) where !reader.place.acceptsRollback:
                    findings.append(.rolledBack(what: what))
                    place.acceptsRollback = true
                    reader = LogReader(place)
                    reader.trustsIndex = false
                case .tampered(_, let what):
                    guard reader.view != nil else {
                        var report = LogReport()
                        report.findings = findings + [.tampered(at: 0, ids: [], what: what)]
                        return report
                    }
                    tampering = what
                default: throw error
                }
            }
            if tampering != nil { break }
        }
        guard let view = reader.view else { throw .busy(path: reader.path) }
        return try verify(view, &reader, findings, tampering, onProgress)
    }

    private static func verify(
        _ view: LogView, _ reader: inout LogReader, _ findings: [LogFinding], _ tampering: String?,
        _ onProgress: (Int64, Int64) -> Void
    ) throws(StoreError) -> LogReport {
        var end: Int64? = view.position.end
        if tampering != nil {
            let hint = try reader.readHint()
            end = hint.flatMap { reader.isOf(view.log, $0) ? $0.end : nil }
        }
        var verifier = try LogVerifier(view.log, keys: reader.place.keys)
        for finding in findings { verifier.add(finding) }
        try verifier.verifyBlock()
        var file: LogIndexFile?
        switch try reader.indexFile(view.log) {
        case .whole(let found) where found.start < end ?? .max: file = found
        case .broken: verifier.add(.index)
        case .whole, .none: break
        }
        try verifier.walk(upTo: end, comparing: file, onProgress: onProgress)
        if let tampering {
            verifier.noteTampering(tampering)
            return verifier.report
        }
        // What somebody writes now is no tail.
        try reader.look()
        if reader.view?.log.block.log == view.log.block.log, reader.view?.position == view.position
        {
            try verifier.verifyTail()
        }
        return verifier.report
    }
}

extension LogReader {
    /// What the file `index` is to a log.
    enum IndexFile {
        /// Of this log, all but its pages verified.
        case whole(LogIndexFile)
        /// Not what was written.
        case broken
        /// Not there, or another log's, as who was killed after a rewrite leaves it.
        case none
    }

    /// The file `index`, for who verifies it.
    func indexFile(_ log: LogFile) throws(StoreError) -> IndexFile {
        let bytes: [UInt8]
        do {
            bytes = try place.openDirectory().openFile(LogName.index, [.read, .nonBlocking])
                .readAll(limit: 1 << 40)
        } catch let error as SystemError where error.code == ErrorCode.noEntry {
            return .none
        } catch {
            return .broken
        }
        if let file = try LogIndexFile(decoding: bytes, block: log.block, keys: place.keys) {
            return .whole(file)
        }
        let isOther =
            bytes.starts(with: Array("SRX1".utf8)) && bytes.count >= LogIndexFile.fixedByteCount
            && Bytes16(bytes.span, at: 8) != log.block.log
        return isOther ? .none : .broken
    }
}
