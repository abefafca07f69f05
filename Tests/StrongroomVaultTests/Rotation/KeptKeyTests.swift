import StrongroomCrypto
import StrongroomSystem
import Testing

@testable import StrongroomVault

/// `--keep-old-key`.
@Suite(.bothLayouts) struct KeptKeyTests {
    @Test func `the old key's text goes to a new file, which opens copies from before`() throws {
        let place = try TemporaryVault()
        try place.vault().set("a", "1")
        let backup = try Tree.files(place.directory)
        var options = RotationOptions()
        let kept = place.root.appending("kept.key")
        options.keepOldKey = kept
        let report = try place.vault().rotate(options)
        let status = try RealFileSystem().status(kept, at: nil, followLink: false)
        #expect(status.mode == 0o600)
        let bytes = try Tree.read(kept)
        let file = try MasterKeyFile(parsing: bytes.span, path: "")
        #expect(Hexadecimal.text(of: file.keyID) == report.oldKeyID)
        let other = try TemporaryVault()
        try Tree.restore(backup, to: other.directory)
        // Beside the key of the vault it would be known for an older copy.
        try Tree.move(kept, to: other.key)
        #expect(try other.vault().get("a") == "1")
    }

    @Test func `a file that is there is not written over, and the rotation does not start`() throws
    {
        let place = try TemporaryVault()
        try place.vault().set("a", "1")
        var options = RotationOptions()
        let kept = place.root.appending("kept.key")
        options.keepOldKey = kept
        try Tree.write([1, 2, 3], to: kept)
        let before = try place.everything.filter { $0.key != "vault/job" }
        for use in [
            { _ = try place.vault().rotate(options) }, { _ = try place.vault().rewrap(options) },
        ] {
            #expect(
                failure(use)
                    == .exists(path: kept.description, what: "a file is there already"))
        }
        #expect(try place.everything.filter { $0.key != "vault/job" } == before)
    }

    @Test
    func `a rotation that is run again with the same wish finds it fulfilled, or says why not`()
        throws
    {
        for (step, isKept) in [("master.key.next", true), ("master.key", true), ("store", true)] {
            let place = try TemporaryVault()
            let step = step == "store" ? place.storeName.description : step
            try place.vault().set("a", "1")
            var options = RotationOptions()
            options.keepOldKey = place.root.appending("kept.key")
            let wish = options
            let operation = step == "master.key.next" ? "create" : "rename"
            try RotationTests.interrupt(place, before: operation, Path(step)) {
                _ = try $0.rotate(wish)
            }
            #expect(try Tree.exists(place.root.appending("kept.key")) == isKept)
            _ = try place.vault().rotate(wish)
            #expect(try place.vault().get("a") == "1")
        }
        // Interrupted without the wish after the old key was gone, it cannot be fulfilled any more.
        let place = try TemporaryVault()
        try place.vault().set("a", "1")
        try RotationTests.interrupt(place, before: "rename", place.storeName)
        var options = RotationOptions()
        options.keepOldKey = place.root.appending("kept.key")
        guard case .notPossible = failure({ _ = try place.vault().rotate(options) }) else {
            Issue.record("it was not said")
            return
        }
        _ = try place.vault().rotate(RotationOptions())
        #expect(try place.vault().get("a") == "1")
    }

    @Test func `of a sealed key the sealed text is kept`() throws {
        let place = try TemporaryVault()
        let vault = place.vault {
            $0.passphraseCost = .init(passes: 1, memoryByteCount: 8 << 20)
        }
        _ = try vault.create(passphrase: try SecretKey.text("secret"))
        let old = try Tree.read(place.key)
        var options = RotationOptions()
        options.keepOldKey = place.root.appending("kept.key")
        _ = try vault.rotate(options)
        #expect(try Tree.read(place.root.appending("kept.key")) == old)
    }
}
