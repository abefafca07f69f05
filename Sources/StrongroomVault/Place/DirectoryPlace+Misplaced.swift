import StrongroomSystem

// What is no file and stands where a lock does, or the index: nothing is lost with it.
extension DirectoryPlace {
    private static let indexFile: Path = "index"

    func misplaced(repairing: Bool) throws(VaultError) -> [CheckReport.Finding] {
        guard let directory = try directory() else { return [] }
        var findings: [CheckReport.Finding] = []
        for name in Self.lockFiles + [Self.indexFile] {
            do throws(SystemError) {
                guard let status = try directory.status(of: name), status.kind != .regular else {
                    continue
                }
                var isRepaired = false
                if repairing { isRepaired = try remove(name, status, from: directory) }
                findings.append(
                    CheckReport.Finding(
                        kind: name == Self.indexFile ? .leftover : .damaged,
                        path: path.appending(name).description, key: nil,
                        what: name == Self.indexFile
                            ? "it is no regular file, and nothing is lost with it; move it away"
                            : "it is no regular file, and only a lock; move it away",
                        repaired: isRepaired))
            } catch {
                throw VaultError(error)
            }
        }
        return findings
    }

    /// Removes a link, a FIFO and their like, which hold nothing, and an empty directory; false if it holds something.
    private func remove(
        _ name: Path, _ status: FileStatus, from directory: OpenFile
    ) throws(SystemError) -> Bool {
        guard status.kind == .directory else {
            try directory.unlink(name)
            return true
        }
        do {
            try directory.removeDirectory(name)
            return true
        } catch {
            guard error.code == ErrorCode.notEmpty || error.code == ErrorCode.exists else {
                throw error
            }
            return false
        }
    }
}
