import StrongroomSystem

/// Where anchors may be: beside the file that the key's path ends at, and in the app's own directory of state.
struct AnchorPlaces: Sendable {
    /// What stands after the vault's id in the name of its anchor.
    static let suffix = Path(".anchor")

    /// The key file; nil for a key that is in none.
    let key: Path?
    /// The app's directory of state; nil if there is none.
    let state: Path?
    /// Directories in which every anchor is that of a vault in this place.
    let own: [Path]
    let fileSystem: any FileSystem

    /// The name of a vault's anchor.
    static func name(of vaultID: [UInt8]) -> Path {
        Path(Hexadecimal.text(of: vaultID)).with(suffix)
    }

    /// The directories, the one that is written first.
    func directories() throws(VaultError) -> [Path] {
        var found: [Path] = []
        if let key, let end = try keyEnd(key) { found.append(end.parent) }
        if let state, !found.contains(state) { found.append(state) }
        return found
    }

    /// Where the key's path ends; nil if it leads nowhere.
    private func keyEnd(_ key: Path) throws(VaultError) -> Path? {
        do {
            return try KeyFileLink.end(of: key, fileSystem: fileSystem)
        } catch {
            guard case .masterKeyMalformed = error else { throw error }
            return nil
        }
    }

    /// Every anchor in directories that are the vault's own, of whatever vault.
    func all() throws(VaultError) -> [Path] {
        var found: [Path] = []
        for directory in own {
            do throws(SystemError) {
                let open = try OpenFile.open(
                    directory, [.read, .directory, .followLink], fileSystem: fileSystem)
                for item in try open.list() where Self.isAnchor(item.name) {
                    found.append(directory.appending(item.name))
                }
            } catch {
                guard error.code == ErrorCode.noEntry || error.code == ErrorCode.accessDenied
                else { throw VaultError(error) }
            }
        }
        return found
    }

    private static func isAnchor(_ name: Path) -> Bool {
        let digits = name.bytes.dropLast(suffix.bytes.count)
        return name.bytes.suffix(suffix.bytes.count) == suffix.bytes[...]
            && digits.count == 2 * MasterKeyFile.vaultIDByteCount
            && digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
