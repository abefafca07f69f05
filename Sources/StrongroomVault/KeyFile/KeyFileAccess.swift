import StrongroomCrypto
import StrongroomSystem

/// Who may read a key file (ARCHITECTURE section 5), judged on the open file: a regular one of at most 64 KiB,
/// owned by us, root or the container's owner, closed to group and others.
struct KeyFileAccess: Sendable {
    let isCredential: Bool
    /// The directory whose owner may own the key too, or its parent's where it is absent.
    let container: Path?
    let fileSystem: any FileSystem

    /// The key file at `path`, which is no link; nil if there is none.
    func read(_ path: Path, slot: KeyCandidate.Slot) throws(VaultError) -> KeyCandidate? {
        do throws(VaultError) {
            guard let text = try read(path) else { return nil }
            return KeyCandidate(slot: slot, name: path.description, text: text)
        } catch {
            return KeyCandidate(slot: slot, name: path.description, failure: error)
        }
    }

    /// The text of the key file at `path`, or nil if there is none.
    func read(_ path: Path) throws(VaultError) -> SecretBytes? {
        guard let file = try open(path) else { return nil }
        let status: FileStatus
        do {
            status = try file.status()
        } catch {
            throw VaultError(error)
        }
        try judge(status, at: path)
        do throws(SystemError) {
            // One byte more than there should be: a file that grew meanwhile is not cut.
            var buffer = SecretBuffer(byteCount: Int(status.byteCount) + 1)
            var span = buffer.mutableBytes
            let count = try file.read(into: &span, at: 0)
            buffer.shorten(to: count)
            return SecretBytes(buffer)
        } catch {
            throw VaultError(error)
        }
    }

    private func open(_ path: Path) throws(VaultError) -> OpenFile? {
        do {
            // Without waiting: the other end of a FIFO may never come.
            return try OpenFile.open(path, [.read, .nonBlocking], fileSystem: fileSystem)
        } catch {
            switch error.code {
            case ErrorCode.noEntry: return nil
            case ErrorCode.link, ErrorCode.noDevice: throw noRegularFile(path)
            default: throw VaultError(error)
            }
        }
    }

    /// Throws unless the file may be taken.
    private func judge(_ status: FileStatus, at path: Path) throws(VaultError) {
        guard status.kind == .regular else { throw noRegularFile(path) }
        // Root could read what its owner has closed even to himself.
        guard status.mode & 0o400 != 0 else {
            throw .system(
                operation: "open", path: path.description, code: ErrorCode.accessDenied)
        }
        let others: UInt16 = isCredential ? 0o004 : 0o044
        guard status.mode & others == 0 else {
            throw .masterKeyExposed(
                path: path.description,
                reason: "its mode \(status.mode.octal) lets others than its owner read it")
        }
        guard try isAllowedOwner(status.owner) else {
            throw .masterKeyExposed(
                path: path.description, reason: "it belongs to user \(status.owner)")
        }
        guard status.byteCount <= Int64(MasterKeyFile.byteCountLimit) else {
            throw .masterKeyMalformed(path: path.description, reason: "it is larger than 64 KiB")
        }
    }

    private func isAllowedOwner(_ owner: UInt32) throws(VaultError) -> Bool {
        if owner == 0 || owner == Identity.effectiveUser { return true }
        guard let container else { return false }
        for directory in [container, container.parent] {
            do {
                return try fileSystem.status(ofPath: directory, followLink: true).owner == owner
            } catch {
                guard error.code == ErrorCode.noEntry else { throw VaultError(error) }
            }
        }
        return false
    }

    private func noRegularFile(_ path: Path) -> VaultError {
        .masterKeyMalformed(path: path.description, reason: "it is no regular file")
    }
}
