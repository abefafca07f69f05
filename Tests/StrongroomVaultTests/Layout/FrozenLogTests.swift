import StrongroomSystem
import Testing

@testable import StrongroomVault

/// The vault in one log that was kept when the format was settled.
@Suite struct FrozenLogTests {
    static let fixtures = "Tests/StrongroomVaultTests/Fixtures/log1"

    /// A copy of it.
    static func place(without missing: String? = nil) throws -> TemporaryVault {
        let place = try TemporaryVault(.log)
        _ = try DirectoryMaker.ensure(
            place.directory, syncs: false, fileSystem: RealFileSystem())
        let key = try Fixture.bytes("plain.key", in: fixtures)
        try Tree.write(key, to: place.key)
        for name in ["keyring", "log"] {
            let file = place.directory.appending(Path(name))
            try Tree.write(try Fixture.bytes(name, in: fixtures), to: file)
        }
        let id = try #require(try place.keyFile().vaultID)
        if missing != "anchor" {
            try Tree.write(
                try Fixture.bytes("anchor", in: fixtures),
                to: place.root.appending(AnchorPlaces.name(of: id)))
        }
        return place
    }

    @Test func `it opens, is sound, and can be gone on with`() throws {
        let place = try Self.place()
        let vault = place.vault { $0.app = "strongroom" }
        let large = (0..<70_000).map { UInt8($0 * 7 % 251) }
        #expect(try vault.list().keys == ["a", "empty", "large"])
        #expect(try vault.get("a") == "second")
        #expect(try vault.bytes("empty") == [])
        #expect(try vault.bytes("large") == large)
        #expect(try vault.get("gone") == nil)
        #expect(try vault.check(progress: nil).findings == [])
        let status = try vault.status()
        #expect(status.layout == "log")
        #expect(status.entryCount == 3)
        guard case .anchor = status.rollbackProtection else {
            Issue.record("its anchor is not its own")
            return
        }
        try vault.set("b", "new")
        _ = try vault.rotate(RotationOptions())
        #expect(try vault.get("b") == "new")
        #expect(try vault.bytes("large") == large)
        #expect(try vault.check(progress: nil).findings == [])
    }

    @Test func `a log without its last commit is known by the anchor, and only by that`() throws {
        for missing in ["", "anchor"] {
            let place = try Self.place(without: missing)
            let log = place.directory.appending("log")
            // The last commit is a removal: 80 bytes of head and a row of 44.
            let bytes = try Tree.read(log)
            try Tree.write(Array(bytes.dropLast(128)), to: log)
            let found = failure { _ = try place.vault { $0.app = "strongroom" }.get("a") }
            switch found {
            case .rolledBack: #expect(missing != "anchor")
            case let other: #expect(missing == "anchor" && other == nil)
            }
        }
    }
}
