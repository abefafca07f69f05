import StrongroomCrypto
import StrongroomStores
import StrongroomSystem
import Synchronization
import Testing

@testable import StrongroomVault

@Suite(.bothLayouts) struct OpeningTests {
    /// A vault with one value, `a`.
    static func made() throws -> TemporaryVault {
        let place = try TemporaryVault()
        try place.vault().set("a", "1")
        return place
    }

    @Test func `a missing key is said to be missing, and nothing is made`() throws {
        let place = try Self.made()
        try place.vault().set("b", "2")
        let aside = place.root.appending("aside")
        try Tree.move(place.key, to: aside)
        let missing = VaultError.masterKeyMissing(path: place.key.description)
        let before = try place.everything
        #expect(failure { _ = try place.vault().get("a") } == missing)
        #expect(failure { _ = try place.vault().list() } == missing)
        #expect(failure { try place.vault().set("c", "3") } == missing)
        #expect(failure { try place.vault().del("a") } == missing)
        #expect(failure { _ = try place.vault().rotate(RotationOptions()) } == missing)
        #expect(failure { _ = try place.vault().rewrap(RotationOptions()) } == missing)
        #expect(failure { _ = try place.vault().status() } == missing)
        #expect(failure { _ = try place.vault().masterKeyID() } == missing)
        #expect(failure { _ = try place.vault().exportKey(plain: false) } == missing)
        #expect(failure { _ = try place.vault().check(progress: nil) } == missing)
        #expect(try place.everything == before)
        try Tree.move(aside, to: place.key)
        #expect(try place.vault().get("a") == "1")
        #expect(try place.vault().get("b") == "2")
    }

    @Test func `a wrong key is told from a damaged keyring and from a damaged entry`() throws {
        let place = try Self.made()
        let other = try Self.made()
        let right = try Tree.read(place.key)
        try Tree.write(try Tree.read(other.key), to: place.key)
        let wrong = VaultError.wrongMasterKey(path: place.key.description)
        #expect(failure { _ = try place.vault().get("a") } == wrong)
        #expect(failure { try place.vault().set("a", "2") } == wrong)
        #expect(failure { _ = try place.vault().rotate(RotationOptions()) } == wrong)
        try Tree.write(right, to: place.key)
        try place.flipEntry("a", at: -1)
        #expect(failure { _ = try place.vault().get("a") } == .damaged(key: "a"))
        // The id of the master key in the only wrap, which then no key has: that is no wrong key.
        try place.flip(place.keyring, at: 33)
        guard case .vaultDamaged(let path, _) = failure({ _ = try place.vault().get("a") }) else {
            Issue.record("a damaged wrap was called something else")
            return
        }
        #expect(path == place.keyring.description)
    }

    static let exchanges: [Named<@Sendable (TemporaryVault) throws -> Void>] = [
        Named("no entries") { try Tree.unlink($0.directory.appending("entries")) },
        Named("a log") { try Tree.write([1], to: $0.directory.appending("log")) },
        Named("entries of an owner that nobody knows") { place in
            let file = GenerationFile(generation: 1, owner: OwnerID([1, 2, 3, 4, 5, 6, 7, 8]))
            try Tree.write(try file.encoded(), to: place.directory.appending("entries"))
        },
        Named("the store of another vault") { place in
            let other = try made()
            for (name, bytes) in try Tree.files(other.directory) where name != "keyring" {
                try Tree.write(bytes, to: place.directory.appending(name))
            }
        },
        Named("a key file that names another vault") { place in
            let file = try place.keyFile()
            let key = try file.open(passphrase: nil, path: "")
            let text = try MasterKeyFile.text(of: key, vaultID: [UInt8](repeating: 9, count: 16))
            try Tree.write(text.array, to: place.key)
        },
    ]

    @Test(.layout(.files), arguments: exchanges)
    func `what is whole and does not belong together is tampered, never an empty vault`(
        _ exchange: Named<@Sendable (TemporaryVault) throws -> Void>
    ) throws {
        let place = try Self.made()
        try exchange.value(place)
        let before = try place.everything
        for use in [
            { _ = try place.vault().get("a") }, { _ = try place.vault().list() },
            { try place.vault().set("b", "2") },
            { _ = try place.vault().rotate(RotationOptions()) },
            { _ = try place.vault().create(passphrase: nil) },
        ] {
            switch failure(use) {
            case .tampered, .exists: break
            case let other: Issue.record("\(String(describing: other))")
            }
        }
        let report = failure { _ = try place.vault().check(progress: nil) }
        #expect(report == nil)
        #expect(try place.vault().check(progress: nil).findings.map { $0.kind } == [.tampered])
        #expect(
            try place.everything.filter { $0.key != "vault/job" }
                == before.filter { $0.key != "vault/job" })
    }

    @Test func `a vault of another app is refused, unless only the root counts`() throws {
        let place = try Self.made()
        let other = place.vault { $0.app = "com.example.other" }
        let refusal = VaultError.wrongApp(
            expected: "com.example.other", found: "com.example.app")
        #expect(failure { _ = try other.get("a") } == refusal)
        #expect(failure { try other.set("a", "2") } == refusal)
        let any = place.vault {
            $0.app = "com.example.other"
            $0.checksApp = false
        }
        #expect(try any.get("a") == "1")
        #expect(try any.status().app == "com.example.app")
    }

    @Test func `a keyring of a newer version is called that`() throws {
        let place = try Self.made()
        var bytes = try Tree.read(place.keyring)
        bytes[3] = UInt8(ascii: "2")
        try Tree.write(bytes, to: place.keyring)
        let newer = VaultError.newerFormat(path: place.keyring.description)
        #expect(failure { _ = try place.vault().get("a") } == newer)
        #expect(failure { try place.vault().set("a", "2") } == newer)
        #expect(failure { _ = try place.vault().check(progress: nil) } == newer)
    }

    @Test func `an older keyring than the process has seen is rolled back`() throws {
        let place = try Self.made()
        let vault = place.vault()
        let keyring = try Tree.read(place.keyring)
        let key = try Tree.read(place.key)
        _ = try vault.rewrap(RotationOptions())
        #expect(try vault.get("a") == "1")
        try Tree.write(keyring, to: place.keyring)
        try Tree.write(key, to: place.key)
        guard case .rolledBack(let path, _) = failure({ _ = try vault.openedForChange() }) else {
            Issue.record("it was not noticed")
            return
        }
        #expect(path == place.keyring.description)
    }

    @Test func `a verdict is given only after all was read again`() throws {
        // Between the reading of keyring and key somebody moves the key: each reading but the last is wrong.
        let place = try Self.made()
        let other = try Self.made()
        let wrong = try Tree.read(other.key)
        let right = try Tree.read(place.key)
        let reads = Mutex(0)
        let watching = WatchingFileSystem(opening: { path in
            guard path == place.key else { return }
            let number = reads.withLock { reads in
                reads += 1
                return reads
            }
            do {
                try Tree.write(number < 4 ? wrong : right, to: place.key)
            } catch {
                Issue.record(error)
            }
        })
        #expect(try place.vault { $0.fileSystem = watching }.get("a") == "1")
        #expect(reads.withLock { $0 } == 4)
    }

    @Test(.layout(.files)) func `a generation that is gone is damage, for every call`() throws {
        let place = try Self.made()
        Tree.remove(place.directory.appending("entries.1"))
        for use in [
            { _ = try place.vault().get("a") }, { _ = try place.vault().list() },
            { _ = try place.vault().contains("a") }, { try place.vault().set("b", "2") },
            { try place.vault().write("b", attributes: [:], if: nil) { _ in } },
            { _ = try place.vault().rotate(RotationOptions()) },
            { _ = try place.vault().status() },
        ] {
            guard case .vaultDamaged(let path, _) = failure(use) else {
                Issue.record("it was called something else")
                continue
            }
            #expect(path == place.directory.appending("entries.1").description)
        }
    }

    @Test func `what another process may have left undurable is synced before a first set returns`()
        throws
    {
        let place = try Self.made()
        let calls = Mutex<[String]>([])
        let watching = WatchingFileSystem(after: { call in
            calls.withLock { $0.append("\(call.operation) \(call.path)") }
        })
        let vault = place.vault { $0.fileSystem = watching }
        try vault.set("b", "2")
        let first = calls.withLock { calls in
            defer { calls = [] }
            return calls
        }
        let keyring = try #require(first.firstIndex(of: "sync keyring"))
        #expect(first[keyring...].contains("sync \(place.directory)"))
        try vault.set("c", "3")
        #expect(!calls.withLock { $0 }.contains("sync keyring"))
    }
}
