import StrongroomCrypto
import StrongroomStores
import StrongroomSystem
import Synchronization
import Testing

@testable import StrongroomVault

@Suite(.bothLayouts) struct RotationTests {
    @Test func `a rotation gives new keys, seals every entry anew and ends the old key`() throws {
        let place = try TemporaryVault()
        let vault = place.vault()
        for index in 0..<20 { try vault.set("k\(index)", "\(index)") }
        let oldKeyID = try vault.masterKeyID()
        let oldKey = try Tree.read(place.key)
        let before = try #require(try vault.opened())
        let sealed = try place.allSealed()
        let ids = try before.store.ids()
        let report = try vault.rotate(RotationOptions())
        #expect(report.entryCount == 20)
        #expect(report.oldKeyID == oldKeyID)
        #expect(report.newKeyID != oldKeyID)
        #expect(report.damaged == [])
        #expect(!report.wasResumed)
        #expect(try vault.masterKeyID() == report.newKeyID)

        let after = try #require(try place.vault().opened())
        #expect(after.keyring.state == .settled)
        #expect(after.keyring.vaultID == before.keyring.vaultID)
        #expect(after.keyring.generation == before.keyring.generation + 2)
        #expect(after.keyring.dataKeys.map { $0.id } == [after.current.id])
        #expect(after.current.id != before.current.id)
        let again = try place.allSealed()
        #expect(again.count == 20)
        #expect(Set(again).isDisjoint(with: sealed))
        #expect(Set(try after.store.ids()).isDisjoint(with: ids))
        // Of what was sealed before no byte is in any file.
        for bytes in try place.everything.values {
            for old in sealed { #expect(try TemporaryVault.place(of: old, in: bytes) == nil) }
        }

        let other = place.vault()
        for index in 0..<20 {
            #expect(try vault.get("k\(index)") == "\(index)")
            #expect(try other.get("k\(index)") == "\(index)")
        }
        let new = try Tree.read(place.key)
        try Tree.write(oldKey, to: place.key)
        #expect(
            failure { _ = try place.vault().get("k1") }
                == .wrongMasterKey(path: place.key.description))
        try Tree.write(new, to: place.key)
        #expect(try place.vault().status().rotation == .none)
    }

    @Test func `a store that somebody keeps to himself stops a rotation before its first step`()
        throws
    {
        let place = try TemporaryVault()
        let vault = place.vault { $0.waitSeconds = 0.05 }
        try vault.set("a", "1")
        let keyID = try vault.masterKeyID()
        let directory = try OpenFile.open(
            place.directory, [.read, .directory], fileSystem: RealFileSystem())
        let held = try FileLock(directory: directory, name: "lock", gate: nil)
            .acquire(waitSeconds: 10)
        guard case .busy = failure({ _ = try vault.rotate(RotationOptions()) }) else {
            Issue.record("it was not busy")
            return
        }
        #expect(try vault.status().rotation == .none)
        #expect(try place.vault().masterKeyID() == keyID)
        #expect(try !Tree.exists(place.nextKey))
        held.release()
        #expect(try vault.rotate(RotationOptions()).entryCount == 1)
        #expect(try vault.get("a") == "1")
    }

    @Test func `the steps come in their order, each durable before the next`() throws {
        let place = try TemporaryVault()
        try place.vault().set("a", "1")
        let calls = Mutex<[String]>([])
        let watching = WatchingFileSystem(after: { call in
            calls.withLock { $0.append("\(call.operation) \(call.path)") }
        })
        _ = try place.vault { $0.fileSystem = watching }.rotate(RotationOptions())
        let made = calls.withLock { $0 }
        func indices(_ call: String) -> [Int] { made.indices.filter { made[$0] == call } }
        let next = try #require(indices("create master.key.next").first)
        let keyrings = indices("rename keyring")
        let moved = try #require(indices("rename master.key").first)
        let switched = try #require(indices("rename \(place.storeName)").first)
        #expect(keyrings.count == 2)
        let order = [next, keyrings[0], moved, switched, keyrings[1]]
        #expect(order == order.sorted(), "\(made)")
        let root = "sync \(place.root)"
        let vault = "sync \(place.directory)"
        #expect(made[next..<keyrings[0]].contains("sync master.key.next"))
        #expect(made[next..<keyrings[0]].contains(root))
        #expect(made[keyrings[0]..<moved].contains(vault))
        #expect(made[moved..<switched].contains(root))
        #expect(made[switched..<keyrings[1]].contains(vault))
        #expect(made[keyrings[1]...].contains(vault))
    }

    @Test func `who goes on from a state that he finds syncs it first`() throws {
        // Killed after the keyring named the new key and before that was moved.
        let place = try TemporaryVault()
        try place.vault().set("a", "1")
        try RotationTests.interrupt(place, before: "rename", "master.key")
        #expect(try place.vault().status().rotation == .unfinished)
        let calls = Mutex<[String]>([])
        let watching = WatchingFileSystem(after: { call in
            calls.withLock { $0.append("\(call.operation) \(call.path)") }
        })
        let report = try place.vault { $0.fileSystem = watching }.rotate(RotationOptions())
        #expect(report.wasResumed)
        #expect(report.oldKeyID != nil)
        let made = calls.withLock { $0 }
        func index(_ call: String) throws -> Int {
            try #require(made.firstIndex(of: call), "\(made)")
        }
        let moved = try index("rename master.key")
        #expect(try index("sync keyring") < moved)
        #expect(try index("sync \(place.directory)") < moved)
        let switched = try index("rename \(place.storeName)")
        #expect(made[moved..<switched].contains("sync \(place.root)"))
        let settled = try index("rename keyring")
        #expect(made[switched..<settled].contains("sync \(place.storeName)"))
        #expect(try place.vault().status().rotation == .none)
    }

    @Test func `a killed rotation is finished, as far as the key, by whoever comes first`() throws {
        for use in ["passphrase", "rewrap", "import", "repair"] {
            let place = try TemporaryVault()
            try place.vault().set("a", "1")
            try RotationTests.interrupt(place, before: "rename", "master.key")
            let next = try Tree.read(place.nextKey)
            let vault = place.vault {
                $0.passphraseCost = .init(passes: 1, memoryByteCount: 8 << 20)
                $0.passphrase = { try .text("new") }
            }
            switch use {
            case "passphrase": try vault.setPassphrase(try SecretKey.text("new"))
            case "rewrap":
                guard case .exists = failure({ _ = try vault.rewrap(RotationOptions()) }) else {
                    Issue.record("a rewrap went over an unfinished rotation")
                    return
                }
                continue
            case "import": try vault.importKey(text: try SecretKey.of(next), force: true)
            default: _ = try vault.repair(drop: nil, progress: nil)
            }
            #expect(try place.vault { $0.passphrase = { try .text("new") } }.get("a") == "1")
            if use == "repair" { #expect(try vault.status().rotation == .none) }
            if use == "passphrase" { #expect(try !Tree.exists(place.nextKey)) }
            _ = try vault.rotate(RotationOptions())
            #expect(try vault.get("a") == "1")
        }
    }

    @Test func `what is left of step 1 is removed, and a key of another vault stops everything`()
        throws
    {
        let place = try TemporaryVault()
        try place.vault().set("a", "1")
        for text in [[], Array("strongroom".utf8), try Tree.read(place.key)] {
            try Tree.write(text, to: place.nextKey)
            #expect(try place.vault().get("a") == "1")
            _ = try place.vault().rotate(RotationOptions())
            #expect(try !Tree.exists(place.nextKey))
        }
        let other = try TemporaryVault()
        try other.vault().set("a", "2")
        try Tree.write(try Tree.read(other.key), to: place.nextKey)
        let before = try place.everything.filter { $0.key != "vault/job" }
        let copy = try Tree.read(place.key)
        let text = try SecretKey.of(copy)
        for use in [
            { _ = try place.vault().rotate(RotationOptions()) },
            { _ = try place.vault().rewrap(RotationOptions()) },
            { try place.vault().setPassphrase(text) },
            { try place.vault().importKey(text: text, force: true) },
            {
                try place.vault().beginRotation(
                    newKeyFile: place.root.appending("new"), RotationOptions())
            },
        ] {
            guard case .exists(let path, _) = failure(use) else {
                Issue.record("it was not refused")
                continue
            }
            #expect(path == place.nextKey.description)
        }
        #expect(try place.everything.filter { $0.key != "vault/job" } == before)
        #expect(try place.vault().get("a") == "1")
    }

    @Test func `a rotation stops between entries when that is wanted, and goes on later`() throws {
        let place = try TemporaryVault()
        let vault = place.vault()
        for index in 0..<10 { try vault.set("k\(index)", "\(index)") }
        let asked = Mutex(0)
        var options = RotationOptions()
        options.isCancelled = {
            asked.withLock { asked in
                asked += 1
                return asked > 5
            }
        }
        #expect(failure { _ = try vault.rotate(options) } == .cancelled)
        #expect(try vault.status().rotation == .unfinished)
        for index in 0..<10 { #expect(try vault.get("k\(index)") == "\(index)") }
        try vault.set("k3", "new")
        let seen = Mutex<[Progress]>([])
        options.isCancelled = nil
        options.progress = { progress in seen.withLock { $0.append(progress) } }
        let report = try place.vault().rotate(options)
        #expect(report.wasResumed)
        #expect(report.oldKeyID == nil)
        #expect(report.entryCount == 10)
        let progress = seen.withLock { $0 }
        #expect(progress.last?.done == 10)
        #expect(progress.allSatisfy { $0.total == 10 && $0.done <= 10 })
        #expect(try vault.get("k3") == "new")
        // Cancelled before anything was written, nothing is unfinished.
        options.isCancelled = { true }
        let before = try place.everything.filter { $0.key != "vault/job" }
        #expect(failure { _ = try vault.rotate(options) } == .cancelled)
        #expect(try place.everything.filter { $0.key != "vault/job" } == before)
    }

    @Test func `a key that is not written here is refused, naming the other way`() throws {
        let place = try TemporaryVault()
        try place.vault().set("a", "1")
        let text = try place.vault().exportKey(plain: false)
        let before = try place.everything.filter { $0.key != "vault/job" }
        for source in [
            MasterKeySource.text(text, name: "STRONGROOM_KEY"),
            .file(place.key, isCredential: true),
        ] {
            let vault = place.vault { $0.masterKey = source }
            #expect(try vault.get("a") == "1")
            for use in [
                { _ = try vault.rotate(RotationOptions()) },
                { _ = try vault.rewrap(RotationOptions()) },
            ] {
                guard case .notPossible(let what) = failure(use) else {
                    Issue.record("it was not refused")
                    continue
                }
                #expect(what.contains("--begin"))
            }
        }
        #expect(try place.everything.filter { $0.key != "vault/job" } == before)
    }

    @Test func `an entry of a newer version stops a rotation before it has begun`() throws {
        let place = try TemporaryVault()
        try place.vault().set("a", "1")
        try place.vault().set("b", "2")
        // `SRE1` becomes `SRE2`.
        try place.flipEntry("a", at: 3, bit: 3)
        let before = try place.everything.filter { $0.key != "vault/job" }
        for use in [
            { _ = try place.vault().rotate(RotationOptions()) },
            { _ = try place.vault().get("a") }, { try place.vault().set("a", "2") },
            { try place.vault().del("a") }, { _ = try place.vault().check(progress: nil) },
        ] {
            guard case .newerFormat = failure(use) else {
                Issue.record("it was called something else")
                continue
            }
        }
        #expect(try place.everything.filter { $0.key != "vault/job" } == before)
        #expect(try place.vault().get("b") == "2")
        let damaged = try place.vault().list().damaged
        #expect(damaged.count == 1)
        guard case .newerFormat = damaged.first?.error else {
            Issue.record("it was called something else")
            return
        }
    }

    /// Runs a rotation that is killed before a call.
    static func interrupt(
        _ place: TemporaryVault, before operation: String, _ path: Path,
        by run: (Vault) throws -> Void = { _ = try $0.rotate(RotationOptions()) }
    ) throws {
        let killing = KillingFileSystem(before: operation, path)
        _ = failure { try run(place.vault { $0.fileSystem = killing }) }
        #expect(killing.isKilled, "there is no such call")
    }
}
