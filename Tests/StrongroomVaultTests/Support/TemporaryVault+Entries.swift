import StrongroomCrypto
import StrongroomStores
import StrongroomSystem
import Testing

@testable import StrongroomVault

// The files of entries, for tests that alter them.
extension TemporaryVault {
    /// The file of the entry of `key` in the current generation.
    func entryFile(_ key: String) throws -> Path {
        let opened = try #require(try vault().opened())
        let store = try DirectoryStore.open(vaultAt: directory, fileSystem: RealFileSystem())
        let name = Path(bytes: Base32.encode(try opened.current.name(key).id.bytes))
        return directory.appending(Path("entries.\(try store.generation())")).appending(name)
    }

    /// The name that the next generation of the store gets in one step.
    var storeName: Path { layout == .log ? "log" : "entries" }

    /// The sealed bytes of the entry of `key`, damaged or not.
    func sealed(_ key: String) throws -> [UInt8] {
        let opened = try #require(try vault().opened())
        let reader = try #require(try opened.store.open(try opened.current.name(key).id))
        return try reader.read(at: 0, count: Int(reader.byteCount))
    }

    /// The sealed bytes of every entry, damaged or not.
    func allSealed() throws -> [[UInt8]] {
        let opened = try #require(try vault().opened())
        return try opened.store.ids().compactMap { id in
            guard let reader = try opened.store.open(id) else { return nil }
            do {
                return try reader.read(at: 0, count: Int(reader.byteCount))
            } catch {
                // Where its stamp is wrong no byte of it is handed out.
                return []
            }
        }
    }

    /// Flips one bit of a sealed entry where it lies, and returns what it is then; a negative index counts from its end.
    @discardableResult
    func flipEntry(_ key: String, at index: Int, bit: UInt8 = 1) throws -> [UInt8] {
        var bytes = try damagedSealed(key)
        let offset = index < 0 ? bytes.count + index : index
        if layout == .log {
            let log = directory.appending("log")
            let place = try #require(try Self.place(of: bytes, in: try Tree.read(log)))
            try flip(log, at: place + offset, bit: bit)
        } else {
            try flip(try entryFile(key), at: offset, bit: bit)
        }
        bytes[offset] ^= bit
        return bytes
    }

    /// The sealed bytes of the entry of `key`, damaged or not.
    private func damagedSealed(_ key: String) throws -> [UInt8] {
        layout == .log ? try sealed(key) : try Tree.read(try entryFile(key))
    }

    /// Where `bytes` lie in `file`: no two sealings begin alike.
    static func place(of bytes: [UInt8], in file: [UInt8]) throws -> Int? {
        let start = bytes[0]
        for place in file.indices where file[place] == start {
            if file[place...].starts(with: bytes) { return place }
        }
        return nil
    }

    /// The key file, taken apart.
    func keyFile() throws -> MasterKeyFile {
        // In two steps: the compiler breaks on a span of a temporary here.
        let text = try Tree.read(key)
        return try MasterKeyFile(parsing: text.span, path: key.description)
    }

    /// Every file of the current generation.
    func entryFiles() throws -> [Path] {
        let store = try DirectoryStore.open(vaultAt: directory, fileSystem: RealFileSystem())
        let generation = directory.appending(Path("entries.\(try store.generation())"))
        return try Tree.files(generation).keys.map { generation.appending($0) }
    }

    /// Flips one bit of a file; a negative index counts from its end.
    func flip(_ path: Path, at index: Int, bit: UInt8 = 1) throws {
        var bytes = try Tree.read(path)
        bytes[index < 0 ? bytes.count + index : index] ^= bit
        try Tree.write(bytes, to: path)
    }

    /// Everything below the root.
    var everything: [Path: [UInt8]] {
        get throws { try Tree.files(root) }
    }
}

/// What a call threw, or nil.
func failure(_ body: () throws -> Void) -> VaultError? {
    do {
        try body()
        return nil
    } catch {
        return error as? VaultError
    }
}
