import StrongroomCrypto
import StrongroomStores
import StrongroomSystem
import Testing

@testable import StrongroomVault

@Suite(.bothLayouts) struct BegunRotationTests {
    static func made() throws -> (place: TemporaryVault, new: Path) {
        let place = try TemporaryVault()
        try place.vault().set("a", "1")
        return (place, place.root.appending("new.key"))
    }

    static func vault(_ place: TemporaryVault, _ key: Path) -> Vault {
        place.vault { $0.masterKey = .file(key, isCredential: false) }
    }

    @Test func `in between both keys open, and afterwards the new one alone`() throws {
        let (place, new) = try Self.made()
        let old = place.vault()
        let sealed = try place.sealed("a")
        try old.beginRotation(newKeyFile: new, RotationOptions())
        #expect(try old.status().rotation == .begun)
        #expect(try Self.vault(place, new).get("a") == "1")
        try old.set("b", "2")
        #expect(try Self.vault(place, new).get("b") == "2")
        try Self.vault(place, new).set("c", "3")
        #expect(try old.get("c") == "3")
        #expect(try place.sealed("a") == sealed)
        #expect(try place.vault().check(progress: nil).findings == [])
        let status = try RealFileSystem().status(new, at: nil, followLink: false)
        #expect(status.mode == 0o600)

        #expect(
            failure { _ = try old.finishRotation(RotationOptions()) }
                == .wrongMasterKey(path: place.key.description))
        let report = try Self.vault(place, new).finishRotation(RotationOptions())
        #expect(report.entryCount == 3)
        #expect(report.oldKeyID != nil && report.oldKeyID != report.newKeyID)
        #expect(!report.wasResumed)
        for (key, value) in ["a": "1", "b": "2", "c": "3"] {
            #expect(try Self.vault(place, new).get(key) == value)
        }
        #expect(try Self.vault(place, new).status().rotation == .none)
        let wrong = VaultError.wrongMasterKey(path: place.key.description)
        #expect(failure { _ = try place.vault().get("a") } == wrong)
        // A process that had it open with the old key finds out with its next write or look.
        #expect(failure { try old.set("d", "4") } == wrong)
        #expect(failure { _ = try old.get("a") } == wrong)
    }

    @Test func `an abort takes the second key out again`() throws {
        let (place, new) = try Self.made()
        try place.vault().beginRotation(newKeyFile: new, RotationOptions())
        #expect(
            failure { try Self.vault(place, new).abortRotation() }
                == .wrongMasterKey(path: new.description))
        try place.vault().abortRotation()
        #expect(try place.vault().status().rotation == .none)
        #expect(
            failure { _ = try Self.vault(place, new).get("a") }
                == .wrongMasterKey(path: new.description))
        #expect(try place.vault().get("a") == "1")
        // It was a key of this vault, and is none for a second time.
        guard
            case .exists = failure({
                try place.vault().beginRotation(newKeyFile: new, RotationOptions())
            })
        else {
            Issue.record("it was taken again")
            return
        }
    }

    @Test func `while one is begun nothing else is, and without one nothing is finished`() throws {
        let (place, new) = try Self.made()
        for use in [
            { try place.vault().abortRotation() },
            { _ = try place.vault().finishRotation(RotationOptions()) },
        ] {
            guard case .notPossible = failure(use) else {
                Issue.record("it was not refused")
                continue
            }
        }
        try place.vault().beginRotation(newKeyFile: new, RotationOptions())
        let before = try place.everything.filter { $0.key != "vault/job" }
        let third = place.root.appending("third.key")
        for use in [
            { _ = try place.vault().rotate(RotationOptions()) },
            { _ = try place.vault().rewrap(RotationOptions()) },
            { try place.vault().beginRotation(newKeyFile: third, RotationOptions()) },
        ] {
            guard case .exists = failure(use) else {
                Issue.record("it was not refused")
                continue
            }
        }
        #expect(try place.everything.filter { $0.key != "vault/job" } == before)
    }

    @Test func `one that fails at any call is begun when it is run again`() throws {
        var number = 0
        while true {
            let (place, new) = try Self.made()
            let failing = FailingCall(number: number, code: ErrorCode.noSpace)
            let fileSystem = WatchingFileSystem(refusing: { failing.refuse($0) })
            let thrown = failure {
                try place.vault { $0.fileSystem = fileSystem }
                    .beginRotation(newKeyFile: new, RotationOptions())
            }
            guard failing.hasFailed else { break }
            if thrown != nil {
                try place.vault().beginRotation(newKeyFile: new, RotationOptions())
            }
            _ = try Self.vault(place, new).finishRotation(RotationOptions())
            #expect(try Self.vault(place, new).status().rotation == .none, "call \(number)")
            number += 1
        }
        #expect(number > 5)
    }

    @Test func `once finishing has begun it can only be finished`() throws {
        let (place, new) = try Self.made()
        try place.vault().beginRotation(newKeyFile: new, RotationOptions())
        var options = RotationOptions()
        let entries = place.directory.appending(place.layout == .log ? "new" : "entries.2")
        options.isCancelled = { (try? Tree.exists(entries)) == true }
        #expect(failure { _ = try Self.vault(place, new).finishRotation(options) } == .cancelled)
        #expect(try Self.vault(place, new).status().rotation == .unfinished)
        for use in [
            { try Self.vault(place, new).abortRotation() },
            { _ = try Self.vault(place, new).rotate(RotationOptions()) },
            { _ = try Self.vault(place, new).rewrap(RotationOptions()) },
        ] {
            guard case .exists = failure(use) else {
                Issue.record("it was not refused")
                continue
            }
        }
        #expect(try Self.vault(place, new).get("a") == "1")
        let report = try Self.vault(place, new).finishRotation(RotationOptions())
        #expect(report.wasResumed)
        #expect(try Self.vault(place, new).get("a") == "1")
        #expect(try Self.vault(place, new).check(progress: nil).findings == [])
    }

    @Test func `a key from a variable rotates in two calls`() throws {
        let (place, new) = try Self.made()
        let text = try place.vault().exportKey(plain: false)
        let old = place.vault { $0.masterKey = .text(text, name: "STRONGROOM_KEY") }
        try old.beginRotation(newKeyFile: new, RotationOptions())
        let newText = try SecretKey.of(try Tree.read(new))
        let later = place.vault { $0.masterKey = .text(newText, name: "STRONGROOM_KEY") }
        _ = try later.finishRotation(RotationOptions())
        #expect(try later.get("a") == "1")
        #expect(
            failure { _ = try place.vault { $0.masterKey = .text(text, name: "X") }.get("a") }
                == .wrongMasterKey(path: "X"))
    }

    @Test func `the new key is another file than the one in use`() throws {
        let (place, _) = try Self.made()
        let same = place.root.appending("vault/../master.key")
        let copy = place.root.appending("copy.key")
        try Tree.write(try Tree.read(place.key), to: copy)
        for path in [place.key, place.nextKey, same, copy] {
            guard
                case .notPossible = failure({
                    try place.vault().beginRotation(newKeyFile: path, RotationOptions())
                })
            else {
                Issue.record("\(path) was taken")
                continue
            }
        }
        #expect(try !Tree.exists(place.nextKey))
    }

    @Test func `no key of the past, and none of another vault, is begun with`() throws {
        let (place, new) = try Self.made()
        let old = try Tree.read(place.key)
        _ = try place.vault().rotate(RotationOptions())
        try Tree.write(old, to: new)
        let other = try TemporaryVault()
        try other.vault().set("a", "2")
        for path in [new, other.key] {
            let bytes = try Tree.read(path)
            guard
                case .exists(let named, _) = failure({
                    try place.vault().beginRotation(newKeyFile: path, RotationOptions())
                })
            else {
                Issue.record("it was taken")
                continue
            }
            #expect(named == path.description)
            #expect(try Tree.read(path) == bytes)
        }
        #expect(try place.vault().status().rotation == .none)
    }

    @Test func `a fresh key that is there is used, and names the vault then`() throws {
        let (place, new) = try Self.made()
        let id = try Vault.newKeyFile(at: new, passphrase: nil, fileSystem: RealFileSystem())
        try place.vault().beginRotation(newKeyFile: new, RotationOptions())
        let vault = Self.vault(place, new)
        #expect(try vault.masterKeyID() == id)
        let bytes = try Tree.read(new)
        let file = try MasterKeyFile(parsing: bytes.span, path: "")
        #expect(file.vaultID.map { Hexadecimal.text(of: $0) } == (try vault.status().vaultID))
    }

    @Test func `a sealed key is followed by a sealed key`() throws {
        let (place, new) = try Self.made()
        func vault(_ key: Path) -> Vault {
            place.vault {
                $0.masterKey = .file(key, isCredential: false)
                $0.passphraseCost = .init(passes: 1, memoryByteCount: 8 << 20)
                $0.passphrase = { try .text("secret") }
            }
        }
        try vault(place.key).setPassphrase(try SecretKey.text("secret"))
        let plain = place.root.appending("plain.key")
        _ = try Vault.newKeyFile(at: plain, passphrase: nil, fileSystem: RealFileSystem())
        guard
            case .notPossible = failure({
                try vault(place.key).beginRotation(newKeyFile: plain, RotationOptions())
            })
        else {
            Issue.record("a key in clear was taken")
            return
        }
        try vault(place.key).beginRotation(newKeyFile: new, RotationOptions())
        let bytes = try Tree.read(new)
        #expect(try MasterKeyFile(parsing: bytes.span, path: "").isSealed)
        _ = try vault(new).finishRotation(RotationOptions())
        #expect(try vault(new).get("a") == "1")
        #expect(try vault(new).status().isSealed)
    }
}
