import StrongroomStores
import StrongroomSystem
import Testing

@testable import StrongroomVault

/// What is particular of a vault whose entries are in a log.
@Suite struct LogVaultTests {
    static func made() throws -> TemporaryVault {
        let place = try TemporaryVault(.log)
        for key in ["a", "b", "c"] { try place.vault().set(key, "value of \(key)") }
        return place
    }

    typealias Exchange = @Sendable (TemporaryVault) throws -> Void
    static let exchanges: [Named<Exchange>] = [
        Named("no log") { try Tree.unlink($0.directory.appending("log")) },
        Named("the log of another vault") { place in
            let other = try made()
            for name in ["log", "lock"] as [Path] {
                try Tree.write(
                    try Tree.read(other.directory.appending(name)),
                    to: place.directory.appending(name))
            }
        },
        Named("files in the place of the log") { place in
            try Tree.unlink(place.directory.appending("log"))
            let other = try TemporaryVault(.files)
            try other.vault().set("a", "forged")
            for (name, bytes) in try Tree.files(other.directory) where name != "keyring" {
                let file = place.directory.appending(name)
                _ = try DirectoryMaker.ensure(
                    file.parent, syncs: false, fileSystem: RealFileSystem())
                try Tree.write(bytes, to: file)
            }
        },
        Named("the log of another vault under the same data key") { place in
            // As who holds the keyring's key could make it, but not the vault's id in its tags.
            let opened = try #require(try place.vault().opened())
            let foreign = Keyring(
                vaultID: [UInt8](repeating: 9, count: 16), app: "com.example.app", layout: .log,
                current: opened.current)
            try Tree.unlink(place.directory.appending("log"))
            _ = try LogStore.create(
                at: place.directory, owner: opened.current.owner, keys: VaultLogKeys(foreign),
                isSealed: true, fileSystem: RealFileSystem())
        },
    ]

    @Test(arguments: exchanges)
    func `what is whole and does not belong together is tampered, never an empty vault`(
        _ exchange: Named<Exchange>
    ) throws {
        let place = try Self.made()
        try exchange.value(place)
        for use in [
            { _ = try place.vault().get("a") }, { _ = try place.vault().list() },
            { try place.vault().set("b", "2") }, { _ = try place.vault().contains("nothing") },
            { _ = try place.vault().rotate(RotationOptions()) },
            { _ = try place.vault().create(passphrase: nil) },
        ] {
            switch failure(use) {
            case .tampered, .exists: break
            case let other: Issue.record("\(String(describing: other))")
            }
        }
        let findings = try place.vault().check(progress: nil).findings
        #expect(!findings.isEmpty && findings.allSatisfy { $0.kind == .tampered })
    }

    @Test func `a beginning that stopped at an empty log is begun again`() throws {
        let place = try TemporaryVault(.log)
        _ = try place.vault().create(passphrase: nil)
        let key = try Tree.read(place.key)
        for name in try place.everything.keys
        where name.bytes.suffix(7) == Array(".anchor".utf8)[...] {
            try Tree.unlink(place.root.appending(name))
        }
        try Tree.unlink(place.keyring)
        #expect(try place.vault().get("a") == nil)
        try place.vault().set("b", "2")
        #expect(try Tree.read(place.key) == key)
        #expect(try place.vault().keyList == ["b"])
    }

    @Test func `of replaced, removed and rotated entries no byte is left after a compaction`()
        throws
    {
        let place = try Self.made()
        var gone = [try place.sealed("a"), try place.sealed("b")]
        try place.vault().set("a", "new")
        try place.vault().del("b")
        let log = try Tree.read(place.directory.appending("log"))
        for bytes in gone { #expect(try TemporaryVault.place(of: bytes, in: log) != nil) }
        let garbage = try place.vault().status().garbageByteCount
        try place.vault().compact()
        // What heads take and what lies between commits is left.
        #expect(try place.vault().status().garbageByteCount < garbage - 380)
        try Self.expectGone(gone, place)
        gone += try place.allSealed()
        _ = try place.vault().rotate(RotationOptions())
        try Self.expectGone(gone, place)
        #expect(try place.vault().get("a") == "new")
        #expect(try place.vault().get("b") == nil)
        #expect(try place.vault().get("c") == "value of c")
    }

    static func expectGone(_ gone: [[UInt8]], _ place: TemporaryVault) throws {
        for (name, file) in try place.everything {
            for bytes in gone {
                // Not the whole sealing, nor its nonce.
                #expect(try TemporaryVault.place(of: bytes, in: file) == nil, "\(name)")
                #expect(
                    try TemporaryVault.place(of: Array(bytes[12..<28]), in: file) == nil, "\(name)")
            }
        }
    }

    @Test func `a flipped byte is damage, and another sealing in its place is tampering`() throws {
        let place = try Self.made()
        try place.flipEntry("a", at: -1)
        #expect(failure { _ = try place.vault().get("a") } == .damaged(key: "a"))
        #expect(try place.vault().get("b") == "value of b")
        let findings = try place.vault().check(progress: nil).findings
        #expect(findings.map(\.kind) == [.damaged])
        #expect(findings.map(\.key) == ["a"])
        // Who holds the keys commits what is no sealing of that entry.
        let opened = try #require(try place.vault().opened())
        var forged = try place.sealed("c")
        forged[forged.count - 1] ^= 1
        try opened.store.commit(
            [.put(try opened.current.name("c").id, .bytes(forged))], if: [:],
            owner: opened.current.owner)
        guard case .tampered = failure({ _ = try place.vault().get("c") }) else {
            Issue.record("it was called something else")
            return
        }
        let kinds = try place.vault().check(progress: nil).findings.map(\.kind)
        #expect(Set(kinds) == [.damaged, .tampered])
    }

    @Test func `where a log cannot be kept nothing is made, and files are the advice`() throws {
        let place = try TemporaryVault(
            .log, fileSystem: WatchingFileSystem(isOnNetwork: true))
        for use in [
            { try place.vault().set("a", "1") }, { _ = try place.vault().create(passphrase: nil) },
        ] {
            guard case .notPossible(let what) = failure(use) else {
                Issue.record("it was not refused")
                continue
            }
            #expect(what.contains("files"))
            #expect(try place.everything == [:])
            #expect(try !Tree.exists(place.directory))
        }
        try place.vault { $0.layout = .files }.set("a", "1")
        #expect(try place.vault().get("a") == "1")
    }

    @Test func `a listing follows what others change, and is sorted by bytes`() throws {
        let place = try TemporaryVault(.log)
        let lister = place.vault()
        let writer = place.vault()
        try writer.set("a", "first")
        var expected = ["a": "first"]
        var random = Seeded(UInt64.random(in: 0...UInt64.max))
        let letters = ["a", "B", "é", "e\u{301}x", "\u{FFFD}", "😀", "~", "/", "zz", "ﬀ"]
        for round in 0..<60 {
            let key = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                letters.randomElement(using: &random) ?? ""
            }.joined()
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                try writer.del(key)
                expected[KeyText(key)?.text ?? key] = nil
            case 1 where round % 5 == 0: try writer.compact()
            case 2 where round % 10 == 0: _ = try writer.rotate(RotationOptions())
            case 3:
                var changes: [VaultChange] = []
                for index in 0..<40 {
                    changes.append(
                        .set("\(key)\(index)", "\(round)"))
                    expected[KeyText("\(key)\(index)")?.text ?? key] = "\(round)"
                }
                try writer.commit(changes, if: [:])
            default:
                try writer.set(key, "\(round)")
                expected[KeyText(key)?.text ?? key] = "\(round)"
            }
            let sorted = expected.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            let listing = try lister.list()
            #expect(listing.keys.map { Array($0.utf8) } == sorted.map { Array($0.utf8) })
            #expect(listing.entries.map(\.key) == listing.keys)
            #expect(listing.damaged == [])
        }
    }
}
