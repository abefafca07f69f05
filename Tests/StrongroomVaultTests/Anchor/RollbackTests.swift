import StrongroomStores
import StrongroomSystem
import Synchronization
import Testing

@testable import StrongroomVault

/// Somebody puts an older copy of the vault back, all of it or a part.
@Suite struct RollbackTests {
    /// A vault that went on after it was copied.
    struct Place {
        let vault: TemporaryVault
        let old: [Path: [UInt8]]
        let oldKey: [UInt8]

        init(_ change: (Vault) throws -> Void = { try $0.set("a", "2") }) throws {
            vault = try TemporaryVault(.log)
            try vault.vault().set("a", "1")
            try vault.vault().set("b", "1")
            old = try Tree.files(vault.directory)
            oldKey = try Tree.read(vault.key)
            try change(vault.vault())
        }

        var anchor: Path {
            get throws {
                let names = try Tree.files(vault.root).keys
                return vault.root.appending(
                    try #require(names.first { $0.bytes.suffix(7) == Array(".anchor".utf8)[...] }))
            }
        }
    }

    typealias Change = @Sendable (Vault) throws -> Void
    static let changes: [Named<Change>] = [
        Named("a set") { try $0.set("a", "2") },
        Named("a del") { try $0.del("b") },
        Named("a compaction alone") { try $0.compact() },
        Named("a set and a compaction") {
            try $0.set("a", "2")
            try $0.compact()
        },
        Named("a rotation") { _ = try $0.rotate(RotationOptions()) },
    ]

    static func expectRolledBack(_ place: TemporaryVault, _ comment: Comment? = nil) throws {
        for use in [
            { _ = try place.vault().get("a") }, { _ = try place.vault().info("a") },
            { _ = try place.vault().contains("b") }, { try place.vault().set("c", "3") },
            { try place.vault().del("a") }, { try place.vault().compact() },
            { try place.vault().write("a", attributes: [:], if: nil) { _ in } },
            { _ = try place.vault().rotate(RotationOptions()) },
            { _ = try place.vault().rewrap(RotationOptions()) },
        ] {
            guard case .rolledBack = failure(use) else {
                Issue.record("it was not noticed")
                continue
            }
        }
    }

    @Test(arguments: changes)
    func `an older vault is known for one, is listed and copied, and not written`(
        _ change: Named<Change>
    ) throws {
        let place = try Place(change.value)
        try Tree.restore(place.old, to: place.vault.directory)
        try Tree.write(place.oldKey, to: place.vault.key)
        try Self.expectRolledBack(place.vault)
        let before = try place.vault.everything.filter { $0.key != "vault/job" }
        let status = try place.vault.vault().status()
        #expect(status.isRolledBack)
        #expect(status.entryCount == 2)
        #expect(status.rollbackProtection == .anchor(path: try place.anchor.description))
        #expect(try place.vault.vault().keyList == ["a", "b"])
        let findings = try place.vault.vault().check(progress: nil).findings
        #expect(findings.map(\.kind) == [.rolledBack])
        let copying = place.vault.vault { $0.readsRolledBack = true }
        #expect(try copying.get("a") == "1")
        guard case .rolledBack = failure({ try copying.set("a", "3") }) else {
            Issue.record("it was written")
            return
        }
        #expect(try place.vault.everything.filter { $0.key != "vault/job" } == before)
        #expect(try place.vault.vault().acceptRollback())
        #expect(try place.vault.vault().get("a") == "1")
        try place.vault.vault().set("a", "3")
        #expect(try place.vault.vault().get("a") == "3")
        #expect(try !place.vault.vault().status().isRolledBack)
        #expect(try place.vault.vault().check(progress: nil).findings == [])
        #expect(try !place.vault.vault().acceptRollback())
    }

    @Test func `an older log with the newest keyring is known for one`() throws {
        let place = try Place()
        for name in ["log", "index", "lock"] as [Path] {
            if let bytes = place.old[name] {
                try Tree.write(bytes, to: place.vault.directory.appending(name))
            }
        }
        try Self.expectRolledBack(place.vault)
    }

    @Test func `an older keyring with the newest log is known for one`() throws {
        let place = try Place { _ = try $0.rewrap(RotationOptions()) }
        try Tree.write(try #require(place.old["keyring"]), to: place.vault.keyring)
        try Tree.write(place.oldKey, to: place.vault.key)
        try Self.expectRolledBack(place.vault)
        #expect(try place.vault.vault().acceptRollback())
        #expect(try place.vault.vault().get("a") == "1")
    }

    @Test func `a process knows an older log without any anchor`() throws {
        let place = try Place()
        let vault = place.vault.vault()
        #expect(try vault.get("a") == "2")
        try Tree.unlink(try place.anchor)
        // In their places: of files that were replaced it would go on reading the newest.
        for (name, bytes) in place.old {
            try Tree.write(bytes, to: place.vault.directory.appending(name))
        }
        // Where the end it knows of is not there any more that is damage, or a rollback.
        switch failure({ _ = try vault.get("a") }) {
        case .rolledBack, .damaged, .tampered: break
        case let other: Issue.record("\(String(describing: other))")
        }
        // Another one has nothing to know it by.
        #expect(try place.vault.vault().get("a") == "1")
    }

    @Test func `an anchor that is gone or broken is none, and the next writer makes it`() throws {
        for alter in [
            { (path: Path) in try Tree.unlink(path) }, { try Tree.write([], to: $0) },
            { try Tree.write([UInt8](repeating: 7, count: 3000), to: $0) },
        ] {
            let place = try Place()
            let path = try place.anchor
            let writer = place.vault.vault()
            #expect(try writer.get("a") == "2")
            try alter(path)
            #expect(try place.vault.vault().get("a") == "2")
            let findings = try place.vault.vault().check(progress: nil).findings
            #expect(findings.map(\.kind) == [.leftover])
            try writer.set("a", "3")
            #expect(try Tree.read(path).count >= AnchorSlot.fileByteCount)
            try Tree.restore(place.old, to: place.vault.directory)
            try Self.expectRolledBack(place.vault)
        }
    }

    @Test func `where there is an anchor and no keyring no vault is made`() throws {
        for isKeyThere in [true, false] {
            let place = try Place()
            let anchor = try place.anchor
            Tree.remove(place.vault.directory)
            if !isKeyThere { try Tree.unlink(place.vault.key) }
            for use in [
                { _ = try place.vault.vault().get("a") }, { try place.vault.vault().set("a", "1") },
                { _ = try place.vault.vault().create(passphrase: nil) },
            ] {
                #expect(
                    failure(use)
                        == .rolledBack(
                            path: anchor.description, what: "there is an anchor and no keyring"))
            }
            #expect(try !Tree.exists(place.vault.directory))
            #expect(try place.vault.vault().acceptRollback())
            #expect(try place.vault.vault().get("a") == nil)
            try place.vault.vault().set("a", "new")
            #expect(try place.vault.vault().get("a") == "new")
        }
    }

    @Test func `what could not be noted is told, and noted with the next write that can`() throws {
        let place = try Place()
        let anchor = try place.anchor.description
        let isBroken = Mutex(true)
        let disk = WatchingFileSystem(refusing: { call in
            guard isBroken.withLock({ $0 }), call.operation == "write",
                call.path.bytes.suffix(7) == Array(".anchor".utf8)[...]
            else { return nil }
            return ErrorCode.io
        })
        let vault = place.vault.vault { $0.fileSystem = disk }
        try vault.set("a", "3")
        #expect(try vault.get("a") == "3")
        let failure = try #require(vault.anchorFailure)
        #expect(failure.contains(".anchor: "))
        #expect(try place.vault.vault().status().rollbackProtection == .behind(path: anchor))
        isBroken.withLock { $0 = false }
        try vault.set("b", "3")
        #expect(vault.anchorFailure == nil)
        #expect(try place.vault.vault().status().rollbackProtection == .anchor(path: anchor))
    }

    @Test func `without a place beside the key it is noted in the directory of state`() throws {
        let place = try TemporaryVault(.log)
        let state = place.root.appending("state/app")
        try place.vault().set("a", "1")
        let text = try place.vault().exportKey(plain: false)
        for (name, _) in try place.everything where name.bytes.contains(UInt8(ascii: "a")) {
            if name.bytes.suffix(7) == Array(".anchor".utf8)[...] {
                try Tree.unlink(place.root.appending(name))
            }
        }
        let vault = place.vault {
            $0.masterKey = .text(text, name: "STRONGROOM_KEY")
            $0.stateDirectory = state
        }
        try vault.set("a", "2")
        let old = try Tree.files(place.directory)
        try vault.set("a", "3")
        let id = try vault.status().vaultID
        let anchor = state.appending(Path(id + ".anchor"))
        #expect(try vault.status().rollbackProtection == .anchor(path: anchor.description))
        try Tree.restore(old, to: place.directory)
        // Whoever reads takes the higher of the two.
        guard
            case .rolledBack = failure({
                _ = try place.vault { $0.stateDirectory = state }.get("a")
            })
        else {
            Issue.record("it was not noticed")
            return
        }
        let nowhere = place.vault { $0.masterKey = .text(text, name: "STRONGROOM_KEY") }
        try nowhere.set("b", "1")
        guard case .none = try nowhere.status().rollbackProtection else {
            Issue.record("it is noted somewhere")
            return
        }
    }
}
