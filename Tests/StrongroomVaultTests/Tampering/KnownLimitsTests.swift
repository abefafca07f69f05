import StrongroomSystem
import Testing

@testable import StrongroomVault

/// What SECURITY.md says that this layout does not defend, and what ends it: pinned, so that its words stay true.
@Suite struct KnownLimitsTests {
    @Test func `an older copy of an entry opens, and a removed one is absent, until a rotation`()
        throws
    {
        let place = try TemporaryVault()
        try place.vault().set("a", "old")
        let file = try place.entryFile("a")
        let old = try Tree.read(file)
        try place.vault().set("a", "new")
        try Tree.write(old, to: file)
        #expect(try place.vault().get("a") == "old")
        try Tree.unlink(file)
        #expect(try place.vault().get("a") == nil)

        try place.vault().set("a", "new")
        _ = try place.vault().rotate(RotationOptions())
        try Tree.write(old, to: try place.entryFile("a"))
        #expect(failure { _ = try place.vault().get("a") } == .damaged(key: "a"))
    }

    @Test func `a whole directory put back opens under its own master key alone`() throws {
        let place = try TemporaryVault()
        try place.vault().set("a", "old")
        let copy = try Tree.files(place.directory)
        try place.vault().set("a", "new")
        try Tree.restore(copy, to: place.directory)
        #expect(try place.vault().get("a") == "old")

        _ = try place.vault().rotate(RotationOptions())
        try Tree.restore(copy, to: place.directory)
        #expect(
            failure { _ = try place.vault().get("a") }
                == .wrongMasterKey(path: place.key.description))
    }
}
