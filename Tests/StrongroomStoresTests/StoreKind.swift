import StrongroomStores
import StrongroomSystem
import Testing

/// The stores that the contract suite runs over.
enum StoreKind: String, CaseIterable, CustomTestStringConvertible, Sendable {
    case memory
    case plainArea
    case areaWithoutSyncs
    case vault
    case log
    case sealedLog

    var testDescription: String { rawValue }

    /// The stores that live on a disk.
    static let onDisk: [StoreKind] = inDirectories + [.log, .sealedLog]
    /// Those that keep an entry in a file.
    static let inDirectories: [StoreKind] = [.plainArea, .areaWithoutSyncs, .vault]
    /// Those that are one log.
    static let logs: [StoreKind] = [.log, .sealedLog]

    /// The owner of a fresh store.
    var owner: OwnerID? {
        switch self {
        case .memory, .vault, .log, .sealedLog: OwnerID(Array("owner  1".utf8))
        case .plainArea, .areaWithoutSyncs: nil
        }
    }

    /// The owner of the next generation.
    var nextOwner: OwnerID? {
        owner == nil ? nil : OwnerID(Array("owner  2".utf8))
    }

    /// An empty store.
    func make(
        in temporary: TemporaryDirectory, fileSystem: any FileSystem = RealFileSystem()
    ) throws -> any Store {
        let path = temporary.path.appending("store")
        switch self {
        case .memory: return MemoryStore(owner: owner)
        case .plainArea, .areaWithoutSyncs, .vault:
            return try make(at: path, fileSystem: fileSystem)
        case .log, .sealedLog:
            let log = try LogStore.create(
                at: path, owner: Self.owner1, keys: TestLogKeys(), isSealed: self == .sealedLog,
                fileSystem: fileSystem)
            return self == .log ? log : SealedShape(log: log)
        }
    }

    /// An empty store of one of the kinds ``inDirectories``.
    func make(
        at path: Path, fileSystem: any FileSystem = RealFileSystem()
    ) throws -> DirectoryStore {
        guard self == .vault else { return try open(at: path, fileSystem: fileSystem) }
        return try DirectoryStore.create(
            vaultAt: path, owner: Self.owner1, fileSystem: fileSystem,
            idByteCounts: Self.idByteCounts)
    }

    /// Another object on the store that `make` made on the disk.
    func reopen(
        in temporary: TemporaryDirectory, waitSeconds: Double = 60,
        fileSystem: any FileSystem = RealFileSystem()
    ) throws -> any Store {
        guard Self.logs.contains(self) else {
            return try reopenDirectory(
                in: temporary, waitSeconds: waitSeconds, fileSystem: fileSystem)
        }
        let log = try reopenLog(
            in: temporary, waitSeconds: waitSeconds, fileSystem: fileSystem)
        return self == .log ? log : SealedShape(log: log)
    }

    /// The same as a log.
    func reopenLog(
        in temporary: TemporaryDirectory, waitSeconds: Double = 60,
        fileSystem: any FileSystem = RealFileSystem()
    ) throws -> LogStore {
        try LogStore.open(
            at: temporary.path.appending("store"), keys: TestLogKeys(), waitSeconds: waitSeconds,
            fileSystem: fileSystem)
    }

    /// The same as a directory of files.
    func reopenDirectory(
        in temporary: TemporaryDirectory, waitSeconds: Double = 60,
        fileSystem: any FileSystem = RealFileSystem()
    ) throws -> DirectoryStore {
        try open(
            at: temporary.path.appending("store"), waitSeconds: waitSeconds, fileSystem: fileSystem)
    }

    /// The store in a directory.
    func open(
        at path: Path, waitSeconds: Double = 60, fileSystem: any FileSystem = RealFileSystem()
    ) throws -> DirectoryStore {
        switch self {
        case .memory, .plainArea, .log, .sealedLog:
            return DirectoryStore(
                areaAt: path, waitSeconds: waitSeconds, fileSystem: fileSystem)
        case .areaWithoutSyncs:
            return DirectoryStore(
                areaAt: path, durable: false, waitSeconds: waitSeconds, fileSystem: fileSystem)
        case .vault:
            return try DirectoryStore.open(
                vaultAt: path, waitSeconds: waitSeconds, fileSystem: fileSystem,
                idByteCounts: Self.idByteCounts)
        }
    }

    /// Ids that make legible tests; a vault's own are longer.
    static let idByteCounts = 1...150

    private static let owner1 = OwnerID(Array("owner  1".utf8))
}

extension EntryID {
    /// The id of a key.
    init(_ text: String) { self.init(Array(text.utf8)) }
}

extension Store {
    /// Puts one value, as the store's current owner.
    func put(_ text: String, _ id: String) throws {
        try commit([.put(EntryID(id), .bytes(Array(text.utf8)))], if: [:], owner: try owner())
    }

    /// Removes one entry, as the store's current owner.
    func remove(_ id: String) throws {
        try commit([.remove(EntryID(id))], if: [:], owner: try owner())
    }

    /// A value as text.
    func text(_ id: String) throws -> String? {
        try read(EntryID(id)).map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    /// Every id as text, in the store's order.
    func names() throws -> [String] {
        try ids().map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    /// Every entry as text.
    func contents() throws -> [String: String] {
        var contents: [String: String] = [:]
        for name in try names() { contents[name] = try text(name) }
        return contents
    }
}
