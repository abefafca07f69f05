import StrongroomCrypto
import StrongroomSystem
import Testing

@testable import StrongroomVault

/// A first opening, or a commit, that is killed at every call.
@Suite(.bothLayouts) struct BeginningKillTests {
    struct Beginning: Sendable {
        var prepare: @Sendable (TemporaryVault) throws -> Void = { _ in }
        var run: @Sendable (Vault) throws -> Void
        var passphrase: String?
    }

    static let beginnings: [Named<Beginning>] = [
        Named("init", Beginning { _ = try $0.create(passphrase: nil) }),
        Named(
            "init with a passphrase",
            Beginning(
                run: { _ = try $0.create(passphrase: try SecretKey.text("secret")) },
                passphrase: "secret")),
        Named("a first set", Beginning { try $0.set("first", "1") }),
        Named(
            "a first set with a lone key",
            Beginning(
                prepare: {
                    _ = try Vault.newKeyFile(
                        at: $0.key, passphrase: nil, fileSystem: RealFileSystem())
                }, run: { try $0.set("first", "1") })),
    ]

    static func vault(_ place: TemporaryVault, _ fileSystem: any FileSystem) -> Vault {
        place.vault {
            $0.fileSystem = fileSystem
            $0.passphraseCost = .init(passes: 1, memoryByteCount: 8 << 20)
            $0.passphrase = { try .text("secret") }
        }
    }

    @Test(arguments: beginnings)
    func `a beginning that is killed at any call is gone on with, under the same key`(
        _ beginning: Named<Beginning>
    ) throws {
        var count = 0
        while true {
            var isKilled = false
            for tears in [false, true] {
                let place = try TemporaryVault()
                try beginning.value.prepare(place)
                let lone = try Tree.exists(place.key) ? try place.keyFile().keyID : nil
                let killing = KillingFileSystem(after: count, tears: tears)
                do {
                    try beginning.value.run(Self.vault(place, killing))
                } catch {
                    guard killing.isKilled else { throw error }
                }
                isKilled = killing.isKilled
                let comment: Comment = "killed after \(count) calls"
                let key = try Tree.exists(place.key) ? try place.keyFile().keyID : nil
                if lone != nil { #expect(key == lone, comment) }
                let vault = Self.vault(place, KillingFileSystem.unsynced)
                let first = try vault.get("first")
                #expect(first == nil || first == "1", comment)
                try vault.set("second", "2")
                #expect(
                    try Self.vault(place, KillingFileSystem.unsynced).get("second") == "2", comment)
                // A writer takes up what lies whole in the log, though nobody was told so.
                let after = try Self.vault(place, KillingFileSystem.unsynced).get("first")
                #expect(after == first || place.layout == .log && after == "1", comment)
                if let key { #expect(try place.keyFile().keyID == key, comment) }
                #expect(try vault.check(progress: nil).findings == [], comment)
                for path in try Tree.files(place.root).keys {
                    #expect(!path.bytes.contains(UInt8(ascii: "%")), comment)
                }
            }
            if !isKilled { break }
            count += 1
        }
        #expect(count > 10)
    }

    static let commits: [Named<@Sendable (Vault) throws -> Void>] = [
        Named("a new entry") { try $0.set("new", "x") },
        Named("a replaced entry") { try $0.set("a", "x") },
        Named("a removed entry") { try $0.del("a") },
        Named("several at once") {
            try $0.commit([.set("a", "x"), .del(key: "b"), .set("new", "x")], if: [:])
        },
        Named("a streamed entry") { vault in
            try vault.write("a", attributes: [:], if: nil) { try $0.write(Array("x".utf8).span) }
        },
    ]

    @Test(arguments: commits)
    func `a commit that is killed at any call is whole or absent`(
        _ commit: Named<@Sendable (Vault) throws -> Void>
    ) throws {
        let template = try TemporaryVault()
        for key in ["a", "b", "c"] { try template.vault().set(key, "old") }
        let tree = try template.everything
        try commit.value(template.vault())
        let new = try Self.contents(template.vault())
        let old = ["a": "old", "b": "old", "c": "old"]
        var count = 0
        while true {
            var isKilled = false
            for tears in [false, true] {
                let place = try TemporaryVault()
                try Tree.restore(tree, to: place.root)
                let killing = KillingFileSystem(after: count, tears: tears)
                do {
                    try commit.value(Self.vault(place, killing))
                } catch {
                    guard killing.isKilled else { throw error }
                }
                isKilled = killing.isKilled
                let comment: Comment = "killed after \(count) calls"
                let found = try Self.contents(place.vault())
                #expect(found == old || found == new, comment)
                if !isKilled { #expect(found == new, comment) }
                try place.vault().set("later", "1")
                // A writer takes up what lies whole in the log, though nobody was told so.
                let after = try Self.contents(place.vault()).filter { $0.key != "later" }
                #expect(after == found || place.layout == .log && after == new, comment)
                #expect(try place.vault().check(progress: nil).findings == [], comment)
            }
            if !isKilled { break }
            count += 1
        }
    }

    static func contents(_ vault: Vault) throws -> [String: String] {
        var contents: [String: String] = [:]
        let listing = try vault.list()
        #expect(listing.damaged == [])
        for entry in listing.entries { contents[entry.key] = try vault.get(entry.key) }
        return contents
    }
}
