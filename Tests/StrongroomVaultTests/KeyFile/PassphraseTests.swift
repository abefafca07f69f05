import StrongroomCrypto
import StrongroomSystem
import Synchronization
import Testing

@testable import StrongroomVault

@Suite(.bothLayouts) struct PassphraseTests {
    static func vault(_ place: TemporaryVault, _ passphrase: String?) -> Vault {
        place.vault {
            $0.passphraseCost = .init(passes: 1, memoryByteCount: 8 << 20)
            guard let passphrase else { return }
            $0.passphrase = { try .text(passphrase) }
        }
    }

    @Test func `a passphrase is set, changed and removed, and nothing else changes`() throws {
        let place = try TemporaryVault()
        try place.vault().set("a", "1")
        let id = try place.vault().masterKeyID()
        let before = try Tree.files(place.directory)
        try Self.vault(place, nil).setPassphrase(try SecretKey.text("one"))
        let path = place.key.description
        #expect(
            failure { _ = try Self.vault(place, nil).get("a") } == .passphraseMissing(path: path))
        #expect(failure { _ = try Self.vault(place, "x").get("a") } == .wrongPassphrase(path: path))
        #expect(try Self.vault(place, "one").get("a") == "1")
        #expect(try Self.vault(place, nil).masterKeyID() == id)
        try Self.vault(place, "one").setPassphrase(try SecretKey.text("two"))
        #expect(
            failure { _ = try Self.vault(place, "one").get("a") } == .wrongPassphrase(path: path))
        #expect(
            failure { try Self.vault(place, "one").removePassphrase() }
                == .wrongPassphrase(path: path))
        try Self.vault(place, "two").removePassphrase()
        #expect(try Self.vault(place, nil).get("a") == "1")
        #expect(try Self.vault(place, nil).masterKeyID() == id)
        #expect(try Tree.files(place.directory) == before)
        #expect(
            failure { try Self.vault(place, nil).setPassphrase(try SecretKey.of([])) }
                == .notPossible(what: "an empty passphrase protects nothing; give one"))
    }

    @Test func `a process asks once, and opens the successors of the key with what it was told`()
        throws
    {
        let place = try TemporaryVault()
        _ = try Self.vault(place, nil).create(passphrase: try SecretKey.text("secret"))
        let asked = Mutex(0)
        let vault = place.vault {
            $0.passphraseCost = .init(passes: 1, memoryByteCount: 8 << 20)
            $0.passphrase = {
                asked.withLock { $0 += 1 }
                return try .text("secret")
            }
        }
        try vault.set("a", "1")
        for _ in 0..<3 {
            _ = try Self.vault(place, "secret").rotate(RotationOptions())
            #expect(try vault.get("a") == "1")
            try vault.set("a", "1")
        }
        _ = try vault.rotate(RotationOptions())
        #expect(try vault.status().isSealed)
        #expect(asked.withLock { $0 } == 1)
        // Another passphrase has to be asked for.
        try Self.vault(place, "secret").setPassphrase(try SecretKey.text("other"))
        #expect(failure { _ = try vault.status() } == .wrongPassphrase(path: place.key.description))
        #expect(asked.withLock { $0 } == 2)
    }

    @Test func `a wrong passphrase is asked for again, by who calls again`() throws {
        let place = try TemporaryVault()
        _ = try Self.vault(place, nil).create(passphrase: try SecretKey.text("third"))
        let answers = Mutex(["first", "second", "third"])
        let vault = place.vault {
            $0.passphrase = { try .text(answers.withLock { $0.removeFirst() }) }
        }
        let wrong = VaultError.wrongPassphrase(path: place.key.description)
        #expect(failure { _ = try vault.get("a") } == wrong)
        #expect(failure { _ = try vault.get("a") } == wrong)
        #expect(try vault.get("a") == nil)
        #expect(answers.withLock { $0 } == [])
    }

    @Test func `a sealed key of another vault is a wrong key, and asked for once at most`() throws {
        let place = try TemporaryVault()
        _ = try Self.vault(place, nil).create(passphrase: nil)
        let other = try TemporaryVault()
        _ = try Self.vault(other, nil).create(passphrase: try SecretKey.text("secret"))
        try Tree.write(try Tree.read(other.key), to: place.key)
        let asked = Mutex(0)
        for passphrase in ["secret", "wrong"] {
            let vault = place.vault {
                $0.passphrase = {
                    asked.withLock { $0 += 1 }
                    return try .text(passphrase)
                }
            }
            #expect(
                failure { _ = try vault.get("a") }
                    == .wrongMasterKey(path: place.key.description))
        }
        #expect(asked.withLock { $0 } == 2)
    }

    @Test func `a source that is not written has no passphrase to set`() throws {
        let place = try TemporaryVault()
        try place.vault().set("a", "1")
        let text = try place.vault().exportKey(plain: false)
        for source in [MasterKeySource.text(text, name: "X"), .file(place.key, isCredential: true)]
        {
            let vault = place.vault { $0.masterKey = source }
            let new = try SecretKey.text("new")
            for use in [{ try vault.setPassphrase(new) }, { try vault.removePassphrase() }] {
                guard case .notPossible = failure(use) else {
                    Issue.record("it was not refused")
                    continue
                }
            }
        }
    }
}
