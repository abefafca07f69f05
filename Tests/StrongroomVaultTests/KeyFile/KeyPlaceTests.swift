import Glibc
import StrongroomCrypto
import StrongroomSystem
import Testing

@testable import StrongroomVault

/// Files that a user names for keys, and the places of the key in use, which they must not be.
@Suite(.bothLayouts) struct KeyPlaceTests {
    /// Ways to name a place of the key in use, and what is refused.
    static let names: [Named<Path>] = [
        Named("the key", "master.key"), Named("its successor", "master.key.next"),
        Named("its temporary file", "master.key.%new"),
        Named("a link to the key", "link"), Named("a link to its directory", "there/master.key"),
        Named("its successor through a link", "there/master.key.next"),
        Named("a link to where its successor goes", "dangling"),
    ]

    static func made() throws -> TemporaryVault {
        let place = try TemporaryVault()
        try place.vault().set("a", "1")
        for (name, target) in [
            ("link", "master.key"), ("there", "."), ("dangling", "master.key.next"),
        ] {
            let path = place.root.appending(Path(name)).description
            try #require(unsafe symlink(target, path) == 0)
        }
        return place
    }

    @Test(arguments: names)
    func `an old key is never kept in a place of the key in use`(_ name: Named<Path>) throws {
        let place = try Self.made()
        let before = try place.everything
        var options = RotationOptions()
        options.keepOldKey = place.root.appending(name.value)
        let wish = options
        let new = place.root.appending("new.key")
        for use in [
            { _ = try place.vault().rotate(wish) }, { _ = try place.vault().rewrap(wish) },
            { try place.vault().beginRotation(newKeyFile: new, wish) },
        ] {
            let error = failure(use)
            switch error {
            case .notPossible: break
            case .exists: #expect(name.value == "dangling")
            default: Issue.record("\(String(describing: error))")
            }
            #expect(try place.everything == before)
        }
        #expect(try place.vault().get("a") == "1")
    }

    @Test(arguments: names)
    func `nor does a new or exported one go there`(_ name: Named<Path>) throws {
        let place = try Self.made()
        let before = try place.everything.filter { $0.key != "vault/job" }
        let path = place.root.appending(name.value)
        #expect(
            failure { try place.vault().beginRotation(newKeyFile: path, RotationOptions()) } != nil)
        #expect(failure { try place.vault().refuseKeyInUse(at: path) } != nil)
        #expect(
            failure {
                _ = try Vault.newKeyFile(
                    at: path, passphrase: nil, fileSystem: RealFileSystem())
            } != nil)
        #expect(try place.everything.filter { $0.key != "vault/job" } == before)
        try place.vault().refuseKeyInUse(at: place.root.appending("other.key"))
    }

    @Test func `the old key does not go into the new one's file, and nothing is made`() throws {
        let place = try Self.made()
        let before = try place.everything
        var options = RotationOptions()
        options.keepOldKey = place.root.appending("there/new.key")
        let wish = options
        guard
            case .notPossible = failure({
                try place.vault().beginRotation(
                    newKeyFile: place.root.appending("new.key"), wish)
            })
        else {
            Issue.record("one file for two keys")
            return
        }
        #expect(try place.everything == before)
    }

    @Test func `a file that is there stops a begun rotation before a new key is made`() throws {
        let place = try Self.made()
        var options = RotationOptions()
        options.keepOldKey = place.root.appending("kept.key")
        try Tree.write([1], to: place.root.appending("kept.key"))
        let before = try place.everything.filter { $0.key != "vault/job" }
        let wish = options
        #expect(
            failure {
                try place.vault().beginRotation(
                    newKeyFile: place.root.appending("new.key"), wish)
            }
                == .exists(
                    path: place.root.appending("kept.key").description,
                    what: "a file is there already"))
        #expect(try place.everything.filter { $0.key != "vault/job" } == before)
    }

    @Test func `of a sealed key the id and the sealed text are told without its passphrase`() throws
    {
        for step in ["master.key", "store"] {
            let place = try TemporaryVault()
            let name = step == "store" ? place.storeName : Path(step)
            let sealed: @Sendable (String?) -> Vault = { KeyCopyTests.sealed(place, $0) }
            _ = try sealed(nil).create(passphrase: try SecretKey.text("secret"))
            let oldID = try sealed(nil).masterKeyID()
            #expect(oldID == Hexadecimal.text(of: try place.keyFile().keyID))
            // Stopped before the key moved, or after: the one that the keyring names is the key in use.
            let passphrase: @Sendable () throws -> SecretKey? = { try .text("secret") }
            let failing = WatchingFileSystem(refusing: { call in
                call.operation == "rename" && call.path == name ? ErrorCode.io : nil
            })
            let vault = place.vault {
                $0.fileSystem = failing
                $0.passphrase = passphrase
                $0.passphraseCost = .init(passes: 1, memoryByteCount: 8 << 20)
            }
            #expect(failure { _ = try vault.rotate(RotationOptions()) } != nil)
            let inUse = step == "master.key" ? place.nextKey : place.key
            let text = try Tree.read(inUse)
            #expect(try sealed(nil).exportKey(plain: false).array == text)
            #expect(try sealed(nil).masterKeyID() != oldID)
        }
    }

    @Test func `whether there is a vault is known without a key`() throws {
        let place = try TemporaryVault()
        #expect(try !place.vault().exists())
        #expect(try !Tree.exists(place.directory))
        _ = try Vault.newKeyFile(at: place.key, passphrase: nil, fileSystem: RealFileSystem())
        #expect(try !place.vault().exists())
        try place.vault().set("a", "1")
        try Tree.unlink(place.key)
        #expect(try place.vault().exists())
        try Tree.unlink(place.keyring)
        #expect(try place.vault().exists())
    }
}
