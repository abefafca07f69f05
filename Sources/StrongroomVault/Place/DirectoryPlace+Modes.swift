import StrongroomSystem

// Directories are 0700 and files 0600 from the moment they exist; what was changed since is found here.
extension DirectoryPlace {
    private static let files: Set<Path> = [
        keyringFile, temporaryFile, jobFile, generationFile, logFile, "lock", "gate", "index",
        "new",
    ]

    func modes(repairing: Bool) throws(VaultError) -> [CheckReport.Finding] {
        guard let directory = try directory() else { return [] }
        var findings: [CheckReport.Finding] = []
        do {
            try look(at: directory, mode: 0o700, repairing, &findings)
            for item in try directory.list() {
                if Self.files.contains(item.name) {
                    try look(at: item.name, in: directory, repairing, &findings)
                } else if Self.isGeneration(item.name) {
                    try lookInside(item.name, of: directory, repairing, &findings)
                }
            }
        } catch {
            throw VaultError(error)
        }
        return findings
    }

    /// A generation's directory and the entries in it.
    private func lookInside(
        _ name: Path, of directory: OpenFile, _ repairing: Bool,
        _ findings: inout [CheckReport.Finding]
    ) throws(SystemError) {
        guard try directory.status(of: name)?.kind == .directory else { return }
        let generation = try directory.openFile(name, [.read, .directory])
        try look(at: generation, mode: 0o700, repairing, &findings)
        for item in try generation.list() where Self.isEntry(item.name) {
            try look(at: item.name, in: generation, repairing, &findings)
        }
    }

    private func look(
        at name: Path, in directory: OpenFile, _ repairing: Bool,
        _ findings: inout [CheckReport.Finding]
    ) throws(SystemError) {
        guard let status = try directory.status(of: name), status.kind == .regular,
            status.mode & 0o777 != 0o600
        else { return }
        if repairing, let file = try opened(name, in: directory) {
            try look(at: file, mode: 0o600, repairing, &findings)
        } else {
            findings.append(
                finding(directory.path.appending(name), status.mode, isRepaired: false))
        }
    }

    /// The file, or nil if it was removed, or closed even to us.
    private func opened(
        _ name: Path, in directory: OpenFile
    ) throws(SystemError) -> OpenFile? {
        do {
            return try directory.openFile(name, [.read, .nonBlocking])
        } catch {
            switch error.code {
            case ErrorCode.noEntry, ErrorCode.accessDenied: return nil
            default: throw error
            }
        }
    }

    private func look(
        at file: OpenFile, mode: UInt16, _ repairing: Bool,
        _ findings: inout [CheckReport.Finding]
    ) throws(SystemError) {
        let found = try file.status().mode
        guard found & 0o777 != mode else { return }
        if repairing { try file.changeMode(to: mode) }
        findings.append(finding(file.path, found, isRepaired: repairing))
    }

    private func finding(
        _ path: Path, _ mode: UInt16, isRepaired: Bool
    ) -> CheckReport.Finding {
        CheckReport.Finding(
            kind: .mode, path: path.description, key: nil,
            what: "its mode is \(mode.octal)", repaired: isRepaired)
    }

    /// True for `entries.` and a number.
    static func isGeneration(_ name: Path) -> Bool {
        let prefix = Path("entries.").bytes
        let digits = name.bytes.dropFirst(prefix.count)
        return name.bytes.starts(with: prefix) && !digits.isEmpty
            && digits.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// True for the 32 letters of an id in base32.
    private static func isEntry(_ name: Path) -> Bool {
        name.bytes.count == 32
            && name.bytes.allSatisfy {
                (0x61...0x7A).contains($0) || (0x32...0x37).contains($0)
            }
    }
}

extension UInt16 {
    /// Permission bits as people write them.
    var octal: String {
        let digits = String(self & 0o7777, radix: 8)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}
