import StrongroomStores
import StrongroomSystem

// The store in the vault's directory.
extension DirectoryPlace {
    func traces() throws(VaultError) -> VaultTraces {
        if try has(Self.logFile) { return .entries }
        do {
            guard try DirectoryStore.exists(vaultAt: path, fileSystem: fileSystem) else {
                return .none
            }
            let store = try DirectoryStore.open(vaultAt: path, fileSystem: fileSystem)
            return try store.ids().isEmpty ? .emptyStore : .entries
        } catch {
            switch error {
            case .absent: return .none
            case .storeDamaged: return .entries
            default: throw VaultError(error)
            }
        }
    }

    func openStore() throws(VaultError) -> any Store {
        guard try !has(Self.logFile) else {
            throw .tampered(
                path: path.appending(Self.logFile).description,
                what: "a vault whose entries are files has no log")
        }
        let generationFile = path.appending(Self.generationFile).description
        guard try has(Self.generationFile) else {
            throw .tampered(path: generationFile, what: "it is gone")
        }
        do {
            return try DirectoryStore.open(
                vaultAt: path, waitSeconds: waitSeconds, fileSystem: fileSystem)
        } catch {
            throw VaultError(error)
        }
    }

    func createStore(owner: OwnerID) throws(VaultError) {
        do {
            _ = try DirectoryStore.create(
                vaultAt: path, owner: owner, waitSeconds: waitSeconds, fileSystem: fileSystem)
        } catch {
            throw VaultError(error)
        }
    }

    func syncStore() throws(VaultError) { try sync(Self.generationFile) }

    func sweepLeftovers(thoroughly: Bool) throws(VaultError) {
        try sweep()
        do {
            let store = try DirectoryStore.open(
                vaultAt: path, waitSeconds: waitSeconds, fileSystem: fileSystem)
            let isLeft = try hasGeneration(otherThan: try store.generation())
            if isLeft || thoroughly { try store.sweepLeftovers() }
        } catch {
            throw VaultError(error)
        }
    }

    /// True if a rewrite was killed, before the switch or after it: a look at a few names, however many entries.
    private func hasGeneration(otherThan current: UInt64) throws(StoreError) -> Bool {
        do {
            let directory = try OpenFile.open(
                path, [.read, .directory, .followLink], fileSystem: fileSystem)
            for item in try directory.list() {
                if Self.isGeneration(item.name), item.name != Path("entries.\(current)") {
                    return true
                }
            }
            return false
        } catch {
            throw .system(operation: error.operation, path: error.path, code: error.code)
        }
    }

    func leftovers() throws(VaultError) -> [String] {
        var found: [String] = []
        if try has(Self.temporaryFile) {
            found.append(path.appending(Self.temporaryFile).description)
        }
        do {
            let store = try DirectoryStore.open(vaultAt: path, fileSystem: fileSystem)
            for leftover in try store.leftovers() { found.append(leftover.description) }
        } catch {
            throw VaultError(error)
        }
        return found
    }

    /// True if something of that name is in the directory.
    private func has(_ name: Path) throws(VaultError) -> Bool {
        guard let directory = try directory() else { return false }
        do {
            return try directory.status(of: name) != nil
        } catch {
            throw VaultError(error)
        }
    }
}
