import StrongroomCrypto
import StrongroomStores
import StrongroomSystem
import Synchronization
import Testing

@testable import StrongroomVault

@Suite(.bothLayouts) struct EntryTests {
    /// A vault over files and one in memory, with a clock that goes up by one.
    static func vaults() throws -> [(name: String, vault: Vault, place: TemporaryVault)] {
        let place = try TemporaryVault()
        let time = Mutex<Int64>(1000)
        let now: @Sendable () -> Int64 = {
            time.withLock { time in
                time += 1
                return time
            }
        }
        let memory = VaultConfiguration.inMemory(
            app: "com.example.app", fileSystem: RealFileSystem(), now: now)
        return [
            ("files", place.vault { $0.now = now }, place), ("memory", Vault(memory), place),
        ]
    }

    @Test func `a value comes back as it was set, until it is replaced or removed`() throws {
        for (_, vault, _) in try Self.vaults() {
            for value in ["", "x", String(repeating: "é", count: 50_000)] {
                try vault.set("k", value)
                #expect(try vault.get("k") == value)
                #expect(try vault.info("k")?.byteCount == UInt64(value.utf8.count))
            }
            #expect(try vault.contains("k"))
            try vault.del("k")
            #expect(try vault.get("k") == nil)
            #expect(try !vault.contains("k"))
            #expect(try vault.info("k") == nil)
            #expect(try vault.pieces("k") == nil)
        }
    }

    @Test func `keys that are the same in normal form name one entry`() throws {
        for (_, vault, _) in try Self.vaults() {
            try vault.set("cafe\u{301}", "1")
            try vault.set("caf\u{e9}", "2")
            #expect(try vault.get("cafe\u{301}") == "2")
            #expect(try vault.list().entries.count == 1)
            let key = try #require(try vault.keyList.first)
            #expect(Array(key.utf8) == Array("caf\u{e9}".utf8))
        }
    }

    @Test func `what is no key is refused everywhere`() throws {
        for (_, vault, _) in try Self.vaults() {
            try vault.set("k", "1")
            for key in ["", "a\0b", String(repeating: "k", count: 1025)] {
                let refusal = VaultError.invalidKey(key: key)
                #expect(failure { _ = try vault.get(key) } == refusal)
                #expect(failure { _ = try vault.info(key) } == refusal)
                #expect(failure { _ = try vault.contains(key) } == refusal)
                #expect(failure { _ = try vault.pieces(key) } == refusal)
                #expect(failure { try vault.set(key, "1") } == refusal)
                #expect(failure { try vault.del(key) } == refusal)
                #expect(failure { try vault.commit([], if: [key: nil]) } == refusal)
                #expect(
                    failure { try vault.write(key, attributes: [:], if: nil) { _ in } } == refusal)
            }
            #expect(try vault.keyList == ["k"])
        }
    }

    @Test func `names of our own files are keys like others`() throws {
        for (_, vault, _) in try Self.vaults() {
            let keys = [
                "keyring", "master.key", "job", "lock", "gate", "entries", "entries.1", "log", "..",
                "../../etc/passwd", "/", "a", "a/b", "%", "\n", String(repeating: "k", count: 1024),
            ]
            for key in keys { try vault.set(key, "value of \(key)") }
            for key in keys { #expect(try vault.get(key) == "value of \(key)") }
            let listed = try vault.keyList
            #expect(
                listed == keys.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) })
        }
    }

    @Test func `created stays and modified moves when an entry is replaced`() throws {
        for (_, vault, _) in try Self.vaults() {
            try vault.set("k", "1")
            let first = try #require(try vault.info("k"))
            #expect(first.created == first.modified)
            let bytes = SecretBytes(SecretBuffer(copying: [1].span))
            try vault.commit(
                [.set(key: "k", value: bytes, attributes: ["user": "me"])], if: [:])
            let second = try #require(try vault.info("k"))
            #expect(second.created == first.created)
            #expect(second.modified > first.modified)
            #expect(second.attributes == ["user": "me"])
            #expect(second.version != first.version)
            #expect(try vault.list().entries == [second])
            try vault.write("k", attributes: [:], if: nil) { try $0.write([2, 3].span) }
            #expect(try vault.info("k")?.created == first.created)
            _ = try vault.rotate(RotationOptions())
            let rotated = try #require(try vault.info("k"))
            #expect(rotated.created == first.created)
            #expect(rotated.modified > second.modified)
            try vault.del("k")
            try vault.set("k", "2")
            #expect(try #require(try vault.info("k")).created > first.created)
        }
    }

    @Test func `a commit is whole, and stands only if its conditions hold`() throws {
        for (_, vault, _) in try Self.vaults() {
            try vault.commit([.set("a", "1"), .set("b", "1")], if: ["a": nil, "b": nil])
            let version = try #require(try vault.info("a")).version
            let refusal = VaultError.changed(key: "b")
            #expect(
                failure {
                    try vault.commit(
                        [.set("a", "2"), .set("c", "2")], if: ["a": version, "b": nil])
                } == refusal)
            #expect(try vault.get("a") == "1")
            #expect(try vault.get("c") == nil)
            try vault.commit([.set("a", "2"), .del(key: "b"), .set("c", "2")], if: ["a": version])
            #expect(try vault.keyList == ["a", "c"])
            #expect(
                failure { try vault.commit([.del(key: "a")], if: ["a": version]) }
                    == .changed(key: "a"))
            try vault.commit(
                [.set("a", "3"), .set("a", "4"), .del(key: "c"), .set("c", "5")], if: [:])
            #expect(try vault.get("a") == "4")
            #expect(try vault.get("c") == "5")
            #expect(failure { try vault.commit([], if: ["a": nil]) } == .changed(key: "a"))
        }
    }

    @Test func `the version that was read is the one that a condition takes`() throws {
        for (_, vault, _) in try Self.vaults() {
            try vault.set("k", "1")
            let version = try #require(try vault.readVersion("k"))
            #expect(try vault.info("k")?.version == version)
            #expect(try vault.pieces("k")?.info.version == version)
            try vault.commit([.set("k", "1")], if: ["k": version])
            #expect(
                failure { try vault.commit([.set("k", "1")], if: ["k": version]) }
                    == .changed(key: "k"))
        }
    }

    @Test func `attributes over 4 KiB are refused and change nothing`() throws {
        for (_, vault, _) in try Self.vaults() {
            try vault.set("k", "1")
            let attributes = ["a": String(repeating: "x", count: 4096)]
            let bytes = SecretBytes(SecretBuffer(copying: [1].span))
            let refusal = VaultError.valueTooLarge(key: "k", limit: 4096)
            #expect(
                failure {
                    try vault.commit(
                        [.set(key: "k", value: bytes, attributes: attributes)], if: [:])
                } == refusal)
            #expect(
                failure { try vault.write("k", attributes: attributes, if: nil) { _ in } }
                    == refusal)
            #expect(try vault.get("k") == "1")
        }
    }

    @Test func `files are 0600 and directories 0700, whatever was replaced, under any umask`()
        throws
    {
        let place = try TemporaryVault()
        let vault = place.vault()
        try vault.set("a", "1")
        try vault.set("a", "2")
        try vault.commit([.set("b", "1"), .set("c", "1")], if: [:])
        _ = try vault.rotate(RotationOptions())
        #expect(try vault.check(progress: nil).findings == [])
        let status = try RealFileSystem().status(place.key, at: nil, followLink: false)
        #expect(status.mode == 0o600)
    }

    @Test(.layout(.files)) func `other people's files in our directories are no entries and stay`()
        throws
    {
        let place = try TemporaryVault()
        try place.vault().set("a", "1")
        let junk: [Path] = [".DS_Store", "README.md", ".k.swp", "k~", "#k#"]
        let generation = try place.entryFile("a").parent
        for name in junk {
            try Tree.write([1, 2], to: place.directory.appending(name))
            try Tree.write([1, 2], to: generation.appending(name))
        }
        try RealFileSystem().makeDirectory(
            place.directory.appending("empty"), at: nil, mode: 0o755)
        #expect(try place.vault().keyList == ["a"])
        #expect(try place.vault().rotate(RotationOptions()).damaged == [])
        #expect(try place.vault().check(progress: nil).findings == [])
        for name in junk {
            #expect(try Tree.read(place.directory.appending(name)) == [1, 2])
            #expect(try Tree.read(generation.appending(name)) == [1, 2])
        }
        #expect(try Tree.exists(place.directory.appending("empty")))
        #expect(try place.vault().get("a") == "1")
    }

    @Test func `no value and no key stands in any file, nor in an error`() throws {
        let place = try TemporaryVault()
        let vault = place.vault()
        try vault.set("NEEDLE-key", "NEEDLE-value")
        try vault.set("NEEDLE-key", "NEEDLE-second")
        try vault.write("NEEDLE-large", attributes: ["NEEDLE-name": "NEEDLE-text"], if: nil) {
            try $0.write(Array("NEEDLE-third".utf8).span)
        }
        _ = try vault.rotate(RotationOptions())
        try vault.del("NEEDLE-key")
        for (name, bytes) in try place.everything {
            #expect(!String(decoding: bytes, as: UTF8.self).contains("NEEDLE"), "\(name)")
            #expect(!name.description.contains("NEEDLE"))
        }
    }
}
