import StrongroomSystem

@testable import StrongroomStores

/// A plain area, and a vault of files, that somebody left in the middle of a commit: with a record, a lock file and
/// files of any names.
///
/// | bytes | what |
/// |---|---|
/// | 1 | 1: the record's sum is right; 2: there is a record; 4: the lock file's sums are right; 8: there is one; 16: a vault; 32: nothing has to last |
/// | 1 | number of files, of 4 |
/// | 1 + … each | byte count of its path, of 64, and the path |
/// | 1 | byte count of the lock file, of 192; then these |
/// | … | the record |
struct AreaTarget {
    private static let directory: Path = "/area"
    private static let owner = OwnerID([UInt8](repeating: 1, count: 8))

    private let disk = LimitedDisk()
    private let isVault: Bool
    private let isDurable: Bool

    static func run(_ input: [UInt8]) throws {
        try AreaTarget(input).run()
    }

    private init(_ input: [UInt8]) throws {
        var recipe = Recipe(input)
        let flags = recipe.byte()
        isVault = flags & 16 != 0
        isDurable = flags & 32 == 0
        var root = Self.directory
        if isVault {
            _ = try DirectoryStore.create(vaultAt: root, owner: Self.owner, fileSystem: disk)
            root = root.appending(StoreName.generation(1))
        }
        _ = try DirectoryMaker.ensure(root, fileSystem: disk)
        for _ in 0..<Int(recipe.byte() % 4) {
            try putFile(recipe.bytes(Int(recipe.byte() % 64)), below: root)
        }
        var lock = recipe.bytes(Int(recipe.byte() % 192))
        if flags & 4 != 0 { lock = try Self.mended(lock, disk) }
        let name = isVault ? StoreName.vaultLock : StoreName.lock
        if flags & 8 != 0 { try disk.put(lock, at: Self.directory.appending(name)) }
        if flags & 2 != 0 {
            let record = try StoreFileTargets.summed([flags & 1] + recipe.all())
            try disk.put(record, at: root.appending(StoreName.record))
        }
    }

    /// A file of somebody's, where its path can be.
    private func putFile(_ path: [UInt8], below root: Path) throws {
        let names = path.split(separator: UInt8(ascii: "/")).map { Path(bytes: Array($0)) }
        guard let last = names.last, !names.contains(where: { $0 == "." || $0 == ".." }),
            names.allSatisfy({ !$0.isInvalid && $0 != StoreName.record })
        else { return }
        var folder = root
        do {
            for name in names.dropLast() {
                folder = folder.appending(name)
                _ = try DirectoryMaker.ensure(folder, fileSystem: disk)
            }
            try disk.put(path, at: folder.appending(last))
        } catch is SystemError {
            // A file is where a folder was to be, or the reverse.
        }
    }

    /// A lock file of this boot with right sums.
    private static func mended(_ bytes: [UInt8], _ disk: LimitedDisk) throws -> [UInt8] {
        guard bytes.count >= StoreMark.byteCount else { return bytes }
        var bytes = bytes
        bytes.replaceSubrange(0..<4, with: "SRL1".utf8)
        bytes.replaceSubrange(16..<52, with: try StoreMark.bootID(disk))
        bytes.set(try ContentHash.sum(bytes.span.extracting(0..<56)), at: 56)
        let note = Array(bytes[StoreMark.byteCount...])
        let noted = note.prefix(Int(bytes.span.number(at: 6, byteCount: 2)))
        bytes.removeLast(note.count - noted.count)
        bytes.appendLittleEndian(try ContentHash.sum(Array(noted).span))
        return bytes
    }

    private func run() throws {
        guard let store = try open() else { return }
        let before = try read(store)
        let id = EntryID(isVault ? [UInt8](repeating: 5, count: 20) : Array("new/key".utf8))
        let isDone = try allowed {
            try store.commit([.put(id, .bytes([7]))], if: [:], owner: isVault ? Self.owner : nil)
            return true
        }
        guard isDone == true, let before, let reader = try open() else { return }
        // What a reader answers from a record is what is there when it was carried out.
        var expected = before
        expected[id] = [7]
        expect(try read(reader) == expected, "carrying out a record changes what is read")
        let leftovers = try disk.names(below: Self.directory).filter {
            StoreName.isTemporary($0.lastComponent) || $0.lastComponent == StoreName.record
        }
        expect(
            !leftovers.contains { $0.lastComponent == StoreName.record }, "a record is left behind")
    }

    private func open() throws -> DirectoryStore? {
        if isVault {
            return try allowed {
                try DirectoryStore.open(vaultAt: Self.directory, waitSeconds: 0, fileSystem: disk)
            }
        }
        return DirectoryStore(
            areaAt: Self.directory, durable: isDurable, waitSeconds: 0, fileSystem: disk)
    }

    /// All entries; nil if the store is refused.
    private func read(_ store: DirectoryStore) throws -> [EntryID: [UInt8]]? {
        guard let ids = try allowed({ try store.ids() }) else { return nil }
        var found: [EntryID: [UInt8]] = [:]
        for id in ids {
            if !isVault {
                let text = String(validating: id.bytes, as: UTF8.self)
                expect(
                    text.flatMap { KeyText($0) }?.bytes == id.bytes, "what is no key is listed")
            }
            if let entry = try allowed({ try store.read(id) }), let entry {
                found[id] = entry.bytes
            }
        }
        return found
    }

    private func allowed<Answer>(_ body: () throws -> Answer) throws -> Answer? {
        try allowing(
            { (error: StoreError) in
                switch error {
                case .damaged, .storeDamaged, .newerFormat, .conflict, .obstructed: true
                default: false
                }
            }, body)
    }
}

extension LimitedDisk {
    /// The path of everything below a directory.
    fileprivate func names(below path: Path) throws -> [Path] {
        var found: [Path] = []
        var pending = [path]
        while let path = pending.popLast() {
            let folder = try OpenFile.open(path, [.read, .directory], fileSystem: self)
            for item in try folder.list() {
                found.append(path.appending(item.name))
                if item.kind == .directory { pending.append(path.appending(item.name)) }
            }
        }
        return found
    }
}
