import StrongroomCrypto
import StrongroomSystem
import Testing

@testable import StrongroomVault

@Suite(.bothLayouts) struct KeyCopyTests {
    static func sealed(_ place: TemporaryVault, _ passphrase: String?) -> Vault {
        place.vault {
            $0.passphraseCost = .init(passes: 1, memoryByteCount: 8 << 20)
            if let passphrase { $0.passphrase = { try .text(passphrase) } }
        }
    }

    @Test func `a copy of the key put back opens the vault`() throws {
        let place = try TemporaryVault()
        try place.vault().set("a", "1")
        let text = try place.vault().exportKey(plain: false)
        try Tree.unlink(place.key)
        #expect(failure { _ = try place.vault().get("a") } != nil)
        try place.vault().importKey(text: text, force: false)
        #expect(try place.vault().get("a") == "1")
        // The same once more changes nothing.
        try place.vault().importKey(text: text, force: false)
        #expect(try place.vault().get("a") == "1")
    }

    @Test func `of a sealed key the copy is sealed, unless it is wanted plain`() throws {
        let place = try TemporaryVault()
        _ = try Self.sealed(place, nil).create(passphrase: try SecretKey.text("secret"))
        let text = try Self.sealed(place, nil).exportKey(plain: false)
        #expect(text.array == (try Tree.read(place.key)))
        #expect(
            failure { _ = try Self.sealed(place, nil).exportKey(plain: true) }
                == .passphraseMissing(path: place.key.description))
        let plain = try Self.sealed(place, "secret").exportKey(plain: true)
        let file = try MasterKeyFile(parsing: plain.bytes, path: "")
        #expect(!file.isSealed)
        #expect(file.vaultID == (try place.keyFile().vaultID))
        // Over the sealed one it would be weaker: only if that is said.
        guard
            case .exists = failure({
                try Self.sealed(place, nil).importKey(text: plain, force: false)
            })
        else {
            Issue.record("a sealed key was replaced by one in clear")
            return
        }
        try Self.sealed(place, nil).importKey(text: plain, force: true)
        #expect(try Self.sealed(place, nil).get("a") == nil)
        guard
            case .exists = failure({
                try Self.sealed(place, "secret").importKey(text: text, force: false)
            })
        else {
            Issue.record("it was taken for the same")
            return
        }
        try Self.sealed(place, "secret").importKey(text: text, force: true)
        #expect(try Self.sealed(place, "secret").status().isSealed)
    }

    @Test func `a key that does not open the vault is refused, whatever is said`() throws {
        let place = try TemporaryVault()
        try place.vault().set("a", "1")
        let old = try place.vault().exportKey(plain: false)
        _ = try place.vault().rotate(RotationOptions())
        let other = try TemporaryVault()
        try other.vault().set("a", "2")
        let foreign = try other.vault().exportKey(plain: false)
        let before = try Tree.read(place.key)
        for text in [old, foreign] {
            for force in [false, true] {
                guard
                    case .wrongMasterKey = failure({
                        try place.vault().importKey(text: text, force: force)
                    })
                else {
                    Issue.record("it was taken")
                    continue
                }
            }
        }
        guard
            case .masterKeyMalformed = failure({
                try place.vault().importKey(text: try SecretKey.text("nonsense"), force: true)
            })
        else {
            Issue.record("nonsense was taken")
            return
        }
        #expect(try Tree.read(place.key) == before)
    }

    @Test func `a key of another vault in the way is left alone`() throws {
        let place = try TemporaryVault()
        try place.vault().set("a", "1")
        let text = try place.vault().exportKey(plain: false)
        let other = try TemporaryVault()
        try other.vault().set("a", "2")
        let foreign = try Tree.read(other.key)
        try Tree.write(foreign, to: place.key)
        for force in [false, true] {
            #expect(
                failure { try place.vault().importKey(text: text, force: force) }
                    == .exists(path: place.key.description, what: "it is a key of another vault"))
        }
        #expect(try Tree.read(place.key) == foreign)
    }

    @Test func `what is no key is replaced only if that is said`() throws {
        let place = try TemporaryVault()
        try place.vault().set("a", "1")
        let text = try place.vault().exportKey(plain: false)
        try Tree.write([1, 2, 3], to: place.key)
        guard case .exists = failure({ try place.vault().importKey(text: text, force: false) })
        else {
            Issue.record("it was replaced")
            return
        }
        try place.vault().importKey(text: text, force: true)
        #expect(try place.vault().get("a") == "1")
    }

    @Test func `a key can be there before the vault's data are`() throws {
        let place = try TemporaryVault()
        try place.vault().set("a", "1")
        let text = try place.vault().exportKey(plain: false)
        let data = try Tree.files(place.directory)
        let fresh = try TemporaryVault()
        try fresh.vault().importKey(text: text, force: false)
        try Tree.restore(data, to: fresh.directory)
        #expect(try fresh.vault().get("a") == "1")
    }

    @Test func `a copy without the vault's id gets it`() throws {
        let place = try TemporaryVault()
        try place.vault().set("a", "1")
        let master = try place.keyFile().open(passphrase: nil, path: "")
        try Tree.unlink(place.key)
        let text = try MasterKeyFile.text(of: master, vaultID: nil)
        try place.vault().importKey(text: text, force: false)
        #expect(try place.keyFile().vaultID != nil)
        #expect(try place.vault().get("a") == "1")
    }

    @Test func `a new key file is 0600, whole, and never over another`() throws {
        let place = try TemporaryVault()
        let id = try Vault.newKeyFile(
            at: place.key, passphrase: nil, fileSystem: RealFileSystem())
        #expect(Hexadecimal.text(of: try place.keyFile().keyID) == id)
        let status = try RealFileSystem().status(place.key, at: nil, followLink: false)
        #expect(status.mode == 0o600)
        let before = try Tree.read(place.key)
        guard
            case .exists = failure({
                _ = try Vault.newKeyFile(
                    at: place.key, passphrase: nil, fileSystem: RealFileSystem())
            })
        else {
            Issue.record("it was written over")
            return
        }
        #expect(try Tree.read(place.key) == before)
        #expect(try Tree.files(place.root).count == 1)
    }

    @Test func `a key that comes from elsewhere is put in no place here`() throws {
        let place = try TemporaryVault()
        try place.vault().set("a", "1")
        let text = try place.vault().exportKey(plain: false)
        let before = try place.everything
        let vault = place.vault { $0.masterKey = .text(text, name: "STRONGROOM_KEY") }
        for force in [false, true] {
            let error = failure { try vault.importKey(text: text, force: force) }
            guard case .notPossible(let what)? = error, what.contains("STRONGROOM_KEY") else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        #expect(try place.everything == before)
        #expect(try vault.get("a") == "1")
    }
}
