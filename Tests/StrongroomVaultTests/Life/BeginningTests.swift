import StrongroomCrypto
import StrongroomStores
import StrongroomSystem
import Synchronization
import Testing

@testable import StrongroomVault

@Suite(.bothLayouts) struct BeginningTests {
    @Test func `reading an untouched place finds nothing and makes nothing`() throws {
        let place = try TemporaryVault()
        let vault = place.vault()
        #expect(try vault.get("a") == nil)
        #expect(try vault.info("a") == nil)
        #expect(try vault.contains("a") == false)
        #expect(try vault.pieces("a") == nil)
        #expect(try vault.list().entries == [])
        try vault.del("a")
        try vault.commit([], if: ["a": nil])
        #expect(
            failure { try vault.commit([], if: ["a": Version(number: 1)]) } == .changed(key: "a"))
        let nothing = VaultError.noVault(path: place.directory.description)
        #expect(failure { _ = try vault.status() } == nothing)
        #expect(failure { _ = try vault.check(progress: nil) } == nothing)
        #expect(failure { _ = try vault.rotate(RotationOptions()) } == nothing)
        #expect(try place.everything == [:])
        #expect(try !Tree.exists(place.directory))
    }

    @Test func `the first set makes key, store and keyring, which later processes open`() throws {
        let place = try TemporaryVault()
        try place.vault().set("a", "1")
        let other = place.vault()
        #expect(try other.get("a") == "1")
        let status = try other.status()
        #expect(status.entryCount == 1)
        // In a log with the row that tells of it.
        #expect(status.byteCount == (place.layout == .log ? 234 : 190))
        #expect(status.keyringGeneration == 1)
        #expect(status.rotation == .none)
        #expect(status.layout == place.layout.rawValue)
        #expect(!status.isSealed)
        #expect(status.keySource == place.key.description)
        let key = try place.keyFile()
        #expect(key.vaultID.map { Hexadecimal.text(of: $0) } == status.vaultID)
        #expect(Hexadecimal.text(of: key.keyID) == status.keyID)
        #expect(try place.vault().masterKeyID() == status.keyID)
    }

    @Test func `key file, store and keyring are made in this order, each synced`() throws {
        let place = try TemporaryVault()
        let calls = Mutex<[String]>([])
        let watching = WatchingFileSystem(after: { call in
            calls.withLock { $0.append("\(call.operation) \(call.path)") }
        })
        _ = try place.vault { $0.fileSystem = watching }.create(passphrase: nil)
        let made = calls.withLock { $0 }
        func index(_ call: String) throws -> Int {
            try #require(made.firstIndex(of: call), "\(made)")
        }
        let key = try index("rename master.key")
        let store = try index("rename \(place.storeName)")
        let keyring = try index("rename keyring")
        #expect(key < store && store < keyring)
        // The directory's sync comes before the next is made, the file's before it gets its name.
        let root = "sync \(place.root)"
        #expect(made[key...store].contains(root))
        #expect(made[..<key].contains("sync master.key.%new"))
        #expect(made[store...keyring].contains("sync \(place.directory)"))
        #expect(made[..<keyring].contains("sync keyring.%new"))
        #expect(made[keyring...].contains("sync \(place.directory)"))
    }

    @Test func `a vault is not made where that is forbidden`() throws {
        let place = try TemporaryVault()
        let vault = place.vault { $0.createsVault = false }
        let nothing = VaultError.noVault(path: place.directory.description)
        #expect(failure { try vault.set("a", "1") } == nothing)
        #expect(failure { try vault.write("a", attributes: [:], if: nil) { _ in } } == nothing)
        #expect(try place.everything == [:])
    }

    @Test func `a key that lies there alone is used and gets the vault's id`() throws {
        let place = try TemporaryVault()
        let id = try Vault.newKeyFile(
            at: place.key, passphrase: nil, fileSystem: RealFileSystem())
        #expect(try place.keyFile().vaultID == nil)
        #expect(try place.vault().get("a") == nil)
        try place.vault().set("a", "1")
        let status = try place.vault().status()
        #expect(status.keyID == id)
        let file = try place.keyFile()
        #expect(file.vaultID.map { Hexadecimal.text(of: $0) } == status.vaultID)
    }

    @Test func `a sealed key that lies there alone is used and stays sealed`() throws {
        let place = try TemporaryVault()
        let old = try SecretKey.text("old")
        _ = try Vault.newKeyFile(
            at: place.key, passphrase: old, fileSystem: RealFileSystem())
        #expect(
            failure { try place.vault().set("a", "1") }
                == .passphraseMissing(path: place.key.description))
        let vault = place.vault {
            $0.passphrase = { try .text("old") }
            $0.passphraseCost = .init(passes: 1, memoryByteCount: 8 << 20)
        }
        try vault.set("a", "1")
        #expect(try vault.status().isSealed)
        #expect(try vault.get("a") == "1")
    }

    @Test func `the vault takes the id that the lone key names`() throws {
        let place = try TemporaryVault()
        let key = try MasterKey.random()
        let vaultID = [UInt8](repeating: 7, count: 16)
        let text = try MasterKeyFile.text(of: key, vaultID: vaultID)
        try Tree.write(text.array, to: place.key)
        try place.vault().set("a", "1")
        #expect(try place.vault().status().vaultID == Hexadecimal.text(of: vaultID))
        #expect(try Tree.read(place.key) == text.array)
    }

    @Test(.layout(.files))
    func `a key and an empty store are an unfinished beginning, begun again`() throws {
        let place = try TemporaryVault()
        try place.vault().set("a", "1")
        let key = try Tree.read(place.key)
        try place.vault().del("a")
        try Tree.unlink(place.keyring)
        #expect(try place.vault().get("a") == nil)
        try place.vault().set("b", "2")
        #expect(try Tree.read(place.key) == key)
        #expect(try place.vault().keyList == ["b"])
    }

    @Test(.layout(.files)) func `where an empty store is there was a key, and no other is made`()
        throws
    {
        let place = try TemporaryVault()
        try place.vault().set("a", "1")
        try place.vault().del("a")
        try Tree.unlink(place.keyring)
        try Tree.unlink(place.key)
        let missing = VaultError.masterKeyMissing(path: place.key.description)
        #expect(failure { try place.vault().set("a", "1") } == missing)
        #expect(failure { _ = try place.vault().create(passphrase: nil) } == missing)
        #expect(try !Tree.exists(place.key))
    }

    @Test func `a lone key that cannot be written does without the vault's id`() throws {
        let place = try TemporaryVault()
        let id = try Vault.newKeyFile(
            at: place.key, passphrase: nil, fileSystem: RealFileSystem())
        let text = try Tree.read(place.key)
        let refusing = WatchingFileSystem(refusing: { call in
            call.path == "master.key.%new" ? ErrorCode.readOnly : nil
        })
        let vault = place.vault { $0.fileSystem = refusing }
        let passphrase = try SecretKey.text("new")
        guard case .system = failure({ _ = try vault.create(passphrase: passphrase) }) else {
            Issue.record("the key is not sealed, and nothing was said")
            return
        }
        try vault.set("a", "1")
        #expect(try Tree.read(place.key) == text)
        #expect(try place.vault().masterKeyID() == id)
        #expect(try place.vault().get("a") == "1")
    }

    @Test func `a store with entries but no keyring is damaged, and stays as it is`() throws {
        let place = try TemporaryVault()
        try place.vault().set("a", "1")
        let keyring = try Tree.read(place.keyring)
        try Tree.unlink(place.keyring)
        let before = try place.everything
        let damaged = VaultError.vaultDamaged(
            path: place.directory.description, what: "there are entries but no keyring")
        #expect(failure { _ = try place.vault().get("a") } == damaged)
        #expect(failure { try place.vault().set("b", "2") } == damaged)
        #expect(failure { _ = try place.vault().list() } == damaged)
        #expect(failure { _ = try place.vault().create(passphrase: nil) } == damaged)
        #expect(failure { _ = try place.vault().rotate(RotationOptions()) } == damaged)
        #expect(try place.everything == before)
        try Tree.write(keyring, to: place.keyring)
        #expect(try place.vault().get("a") == "1")
    }

    @Test func `one that fails at any call is made when it is run again`() throws {
        var number = 0
        var existsCount = 0
        while true {
            let place = try TemporaryVault()
            let failing = FailingCall(number: number, code: ErrorCode.noSpace)
            let fileSystem = WatchingFileSystem(refusing: { failing.refuse($0) })
            let thrown = failure {
                _ = try place.vault { $0.fileSystem = fileSystem }.create(passphrase: nil)
            }
            guard failing.hasFailed else { break }
            if let thrown {
                let again = failure { _ = try place.vault().create(passphrase: nil) }
                // Where only the last sync failed the vault stands, and says so.
                if case .exists? = again {
                    existsCount += 1
                } else {
                    #expect(again == nil, "call \(number): \(thrown)")
                }
            }
            try place.vault().set("a", "1")
            #expect(try place.vault().get("a") == "1")
            number += 1
        }
        #expect(number > 5)
        #expect(existsCount < 2)
    }

    @Test func `init refuses where a vault is, and says so`() throws {
        let place = try TemporaryVault()
        _ = try place.vault().create(passphrase: nil)
        let before = try place.everything
        let there = VaultError.exists(
            path: place.directory.description, what: "there is a vault already")
        #expect(failure { _ = try place.vault().create(passphrase: nil) } == there)
        try Tree.unlink(place.key)
        #expect(failure { _ = try place.vault().create(passphrase: nil) } == there)
        #expect(
            try place.everything.filter { $0.key != "master.key" }
                == before.filter { $0.key != "master.key" })
    }

    @Test func `init refuses beside the successor of a key, and touches neither`() throws {
        let place = try TemporaryVault()
        _ = try Vault.newKeyFile(
            at: place.nextKey, passphrase: nil, fileSystem: RealFileSystem())
        let text = try Tree.read(place.nextKey)
        guard case .exists(let path, _) = failure({ try place.vault().set("a", "1") }) else {
            Issue.record("it was not refused")
            return
        }
        #expect(path == place.nextKey.description)
        #expect(try Tree.read(place.nextKey) == text)
        #expect(try !Tree.exists(place.key))
        #expect(try !Tree.exists(place.keyring))
    }

    @Test func `init waits for the lock only so long`() throws {
        let place = try TemporaryVault()
        let directory = try DirectoryMaker.ensure(
            place.directory, fileSystem: RealFileSystem())
        let held = try FileLock(directory: directory, name: "job", gate: nil)
            .acquire(waitSeconds: 5)
        defer { held.release() }
        #expect(
            failure { try place.vault { $0.waitSeconds = 0 }.set("a", "1") }
                == .busy(path: place.directory.appending("job").description))
        #expect(try !Tree.exists(place.key))
    }

    @Test func `init with a passphrase seals the key, also one that lay there alone`() throws {
        for isThere in [false, true] {
            let place = try TemporaryVault()
            if isThere {
                _ = try Vault.newKeyFile(
                    at: place.key, passphrase: nil, fileSystem: RealFileSystem())
            }
            let vault = place.vault {
                $0.passphraseCost = .init(passes: 1, memoryByteCount: 8 << 20)
            }
            let new = try SecretKey.text("new")
            #expect(try vault.create(passphrase: new).isSealed)
            #expect(
                failure { _ = try place.vault().get("a") }
                    == .passphraseMissing(path: place.key.description))
            #expect(
                failure { _ = try place.vault { $0.passphrase = { try .text("x") } }.get("a") }
                    == .wrongPassphrase(path: place.key.description))
            try place.vault { $0.passphrase = { try .text("new") } }.set("a", "1")
        }
        let place = try TemporaryVault()
        let empty = try SecretKey.of([])
        #expect(
            failure { _ = try place.vault().create(passphrase: empty) }
                == .notPossible(what: "an empty passphrase protects nothing; give one"))
    }

    @Test func `a vault in memory does all that and touches no disk`() throws {
        let untouchable = KillingFileSystem(after: 0)
        let vault = Vault(
            .inMemory(app: "com.example.app", fileSystem: untouchable, now: { 1 }))
        #expect(try vault.get("a") == nil)
        try vault.set("a", "1")
        _ = try vault.rotate(RotationOptions())
        _ = try vault.rewrap(RotationOptions())
        #expect(try vault.get("a") == "1")
        #expect(try vault.check(progress: nil).findings == [])
        #expect(try vault.status().keyringGeneration == 4)
        #expect(!untouchable.isKilled)
        #expect(untouchable.changeCount == 0)
    }
}
