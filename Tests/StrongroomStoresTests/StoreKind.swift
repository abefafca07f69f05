import StrongroomStores
import StrongroomSystem
import Testing

/// The stores that the contract suite runs over.
enum StoreKind: String, CaseIterable, CustomTestStringConvertible, Sendable {
    case memory
    case plainArea
    case areaWithoutSyncs
    case vault

    var testDescription: String { rawValue }

    /// The stores that live in a directory.
    static let onDisk: [StoreKind] = [.plainArea, .areaWithoutSyncs, .vault]

    /// The owner of a fresh store.
    var owner: OwnerID? {
        switch self {
        case .memory, .vault: OwnerID(Array("owner  1".utf8))
        case .plainArea, .areaWithoutSyncs: nil
        }
    }

    /// The owner of the next generation.
    var nextOwner: OwnerID? {
        owner == nil ? nil : OwnerID(Array("owner  2".utf8))
    }

    /// An empty store.
    func make(in temporary: TemporaryDirectory) throws -> any Store {
        if self == .memory { return MemoryStore(owner: owner) }
        return try make(at: temporary.path.appending("store"))
    }

    /// An empty store in a directory.
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
    ) throws -> DirectoryStore {
        try open(
            at: temporary.path.appending("store"), waitSeconds: waitSeconds, fileSystem: fileSystem)
    }

    /// The store in a directory.
    func open(
        at path: Path, waitSeconds: Double = 60, fileSystem: any FileSystem = RealFileSystem()
    ) throws -> DirectoryStore {
        switch self {
        case .memory, .plainArea:
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
