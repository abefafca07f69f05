import Glibc
import StrongroomCrypto
import StrongroomSystem
import Testing

@testable import StrongroomVault

@Suite struct KeyFileLinkTests {
    static let targets: [Named<String>] = [
        Named("absolute", "ROOT/keys/real.key"), Named("relative", "keys/real.key"),
        Named("through another link", "second.key"),
    ]

    @Test(arguments: targets)
    func `a key may be reached through links, and what is made beside it lies where the path ends`(
        _ target: Named<String>
    ) throws {
        let place = try TemporaryVault()
        let keys = place.root.appending("keys")
        try RealFileSystem().makeDirectory(keys, at: nil, mode: 0o700)
        let real = keys.appending("real.key")
        _ = try Vault.newKeyFile(at: real, passphrase: nil, fileSystem: RealFileSystem())
        let link = target.value.replacing("ROOT", with: place.root.description)
        try #require(unsafe symlink(link, place.key.description) == 0)
        let second = place.root.appending("second.key").description
        try #require(unsafe symlink("keys/real.key", second) == 0)
        try place.vault().set("a", "1")
        let before = try Tree.read(real)
        // Killed before the successor is moved, which lies beside the real file then.
        for count in 0..<100 {
            let killing = KillingFileSystem(after: count)
            _ = failure {
                _ = try place.vault { $0.fileSystem = killing }.rotate(RotationOptions())
            }
            let next = keys.appending("real.key.next")
            if try Tree.exists(next) { break }
            #expect(killing.isKilled, "the successor was never there")
        }
        #expect(try !Tree.exists(place.nextKey))
        _ = try place.vault().rotate(RotationOptions())
        #expect(try Tree.read(real) != before)
        #expect(try place.vault().get("a") == "1")
        let status = try RealFileSystem().status(place.key, at: nil, followLink: false)
        #expect(status.kind == .symbolicLink)
        #expect(try Set(Tree.files(keys).keys) == ["real.key"])
    }

    @Test func `a vault directory that is a link stays one`() throws {
        let place = try TemporaryVault()
        let disk = place.root.appending("other disk")
        try RealFileSystem().makeDirectory(disk, at: nil, mode: 0o700)
        try #require(unsafe symlink("other disk", place.directory.description) == 0)
        let vault = place.vault()
        try vault.set("a", "1")
        try vault.set("b", "1")
        _ = try vault.rotate(RotationOptions())
        try vault.del("b")
        #expect(try place.vault().get("a") == "1")
        let status = try RealFileSystem().status(place.directory, at: nil, followLink: false)
        #expect(status.kind == .symbolicLink)
        #expect(try Tree.exists(disk.appending("keyring")))
    }

    @Test func `below the vault's directory no link is followed`() throws {
        let place = try TemporaryVault()
        try place.vault().set("a", "1")
        let aside = place.root.appending("aside")
        for file in [place.keyring, try place.entryFile("a")] {
            try Tree.move(file, to: aside)
            try #require(unsafe symlink(aside.description, file.description) == 0)
            var value: String?
            switch failure({ value = try place.vault().get("a") }) {
            case .vaultDamaged, .damaged: break
            case let other: Issue.record("\(String(describing: other)), \(value ?? "nothing")")
            }
            try Tree.move(aside, to: file)
        }
        #expect(try place.vault().get("a") == "1")
    }
}
