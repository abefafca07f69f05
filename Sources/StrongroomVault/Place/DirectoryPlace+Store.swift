import StrongroomStores
import StrongroomSystem

// The store in the vault's directory.
extension DirectoryPlace {
    func layout(_ wanted: VaultLayout) -> Keyring.Layout { wanted.inKeyring }

    func checkSuitable(_ layout: Keyring.Layout) throws(VaultError) {
        guard layout == .log else { return }
        do {
            try LogStore.checkSuitable(at: path, fileSystem: fileSystem)
        } catch {
            throw VaultError(error)
        }
    }

    func traces() throws(VaultError) -> VaultTraces {
        var isThereAStore = false
        if let log = try status(Self.logFile) {
            // A log without a commit ends with its first block.
            guard log.kind == .regular, log.byteCount <= Int64(LogStore.emptyByteCount) else {
                return .entries
            }
            isThereAStore = true
        }
        do {
            guard try DirectoryStore.exists(vaultAt: path, fileSystem: fileSystem) else {
                return isThereAStore ? .emptyStore : .none
            }
            let store = try DirectoryStore.open(vaultAt: path, fileSystem: fileSystem)
            return try store.ids().isEmpty ? .emptyStore : .entries
        } catch {
            switch error {
            case .absent: return isThereAStore ? .emptyStore : .none
            case .storeDamaged: return .entries
            default: throw VaultError(error)
            }
        }
    }

    func openStore(_ opening: StoreOpening) throws(VaultError) -> any Store {
        let log = path.appending(Self.logFile).description
        let isThereALog = try status(Self.logFile) != nil
        switch opening.layout {
        case .log:
            guard isThereALog else { throw .tampered(path: log, what: "it is gone") }
        case .files:
            guard !isThereALog else {
                throw .tampered(path: log, what: "a vault whose entries are files has no log")
            }
            let generationFile = path.appending(Self.generationFile).description
            guard try status(Self.generationFile) != nil else {
                throw .tampered(path: generationFile, what: "it is gone")
            }
        }
        do {
            switch opening.layout {
            case .log:
                let store = try LogStore.open(
                    at: path, keys: opening.keys, anchor: opening.anchor,
                    waitSeconds: waitSeconds, acceptsRollback: opening.acceptsRollback,
                    fileSystem: fileSystem)
                try store.remember(opening.seen)
                return store
            case .files:
                return try DirectoryStore.open(
                    vaultAt: path, waitSeconds: waitSeconds, fileSystem: fileSystem)
            }
        } catch {
            guard case .ownerChanged = error else { throw VaultError(error) }
            throw .tampered(
                path: log,
                what: "the entries belong to a data key that the keyring does not hold")
        }
    }

    func createStore(_ opening: StoreOpening, owner: OwnerID) throws(VaultError) {
        do {
            switch opening.layout {
            case .log:
                _ = try LogStore.create(
                    at: path, owner: owner, keys: opening.keys, isSealed: true,
                    waitSeconds: waitSeconds, fileSystem: fileSystem)
            case .files:
                _ = try DirectoryStore.create(
                    vaultAt: path, owner: owner, waitSeconds: waitSeconds, fileSystem: fileSystem)
            }
        } catch {
            throw VaultError(error)
        }
        // An unfinished beginning of the other layout, which is empty.
        try removeBeginning(opening.layout == .log ? Self.generationFile : Self.logFile)
    }

    /// Removes what names an empty store of another layout.
    private func removeBeginning(_ name: Path) throws(VaultError) {
        guard let directory = try directory(), try status(name) != nil else { return }
        do {
            try directory.unlink(name)
            try directory.sync()
        } catch {
            throw VaultError(error)
        }
    }

    func syncStore(_ layout: Keyring.Layout) throws(VaultError) {
        try sync(layout == .log ? Self.logFile : Self.generationFile)
    }

    func sweepLeftovers(_ store: any Store, thoroughly: Bool) throws(VaultError) {
        try sweep()
        do {
            if let log = store as? LogStore { return try log.sweepLeftovers() }
            guard let files = store as? DirectoryStore else { return }
            let isLeft = try hasGeneration(otherThan: try files.generation())
            if isLeft || thoroughly { try files.sweepLeftovers() }
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

    func leftovers(_ store: any Store) throws(VaultError) -> [String] {
        var found: [String] = []
        if try status(Self.temporaryFile) != nil {
            found.append(path.appending(Self.temporaryFile).description)
        }
        do {
            if let log = store as? LogStore {
                for name in try log.leftovers() {
                    found.append(path.appending(Path(name)).description)
                }
            } else if let files = store as? DirectoryStore {
                for leftover in try files.leftovers() { found.append(leftover.description) }
            }
        } catch {
            throw VaultError(error)
        }
        return found
    }

    /// What is called that in the directory, nil if nothing is.
    private func status(_ name: Path) throws(VaultError) -> FileStatus? {
        guard let directory = try directory() else { return nil }
        do {
            return try directory.status(of: name)
        } catch {
            throw VaultError(error)
        }
    }
}
