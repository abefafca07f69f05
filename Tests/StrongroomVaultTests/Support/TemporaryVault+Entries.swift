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
