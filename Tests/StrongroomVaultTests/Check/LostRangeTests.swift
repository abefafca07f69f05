import StrongroomStores
import StrongroomSystem
import Testing

@testable import StrongroomVault

/// A vault whose log has lost what one commit held: nobody can say any more which entries that was about.
@Suite(.layout(.log)) struct LostRangeTests {
    /// `a`, `b` and `c` were set in this order, and the commit of `b` is lost.
    static func made() throws -> TemporaryVault {
        let place = try TemporaryVault()
        for key in ["a", "b", "c"] { try place.vault().set(key, "value of \(key)") }
        let log = place.directory.appending("log")
        var bytes = try Tree.read(log)
        let first = try place.sealed("a")
        let start = try #require(try TemporaryVault.place(of: first, in: bytes)) + first.count
        let end = try #require(try TemporaryVault.place(of: try place.sealed("b"), in: bytes))
        try #require(start < end)
        for index in start..<end { bytes[index] ^= 0xFF }
        try Tree.write(bytes, to: log)
        return place
    }

    /// Set before what is lost, or in it.
    static func expectDamaged(_ place: TemporaryVault, _ keys: [String]) {
        for key in keys {
            #expect(failure { _ = try place.vault().get(key) } == .damaged(key: key))
        }
    }

    @Test func `what may have changed in it is damaged, and what was set since is there`() throws {
        let place = try Self.made()
        Self.expectDamaged(place, ["a", "b", "never"])
        #expect(try place.vault().get("c") == "value of c")
        let listing = try place.vault().list()
        #expect(listing.entries.map(\.key) == ["c"])
        #expect(listing.isIncomplete)
        #expect(!listing.damaged.isEmpty)
        let findings = try place.vault().check(progress: nil).findings
        #expect(findings.contains { $0.kind == .damaged && $0.what.contains("--drop lost") })
        try place.vault().set("a", "new")
        #expect(try place.vault().get("a") == "new")
    }

    @Test func `a rotation keeps that in mind, and tells of it`() throws {
        let place = try Self.made()
        let report = try place.vault().rotate(RotationOptions())
        #expect(!report.damaged.isEmpty)
        Self.expectDamaged(place, ["a", "b"])
        #expect(try place.vault().get("c") == "value of c")
    }

    @Test func `only who says so gives it up, and then what is known counts again`() throws {
        let place = try Self.made()
        _ = try place.vault().repair(drop: nil, progress: nil)
        Self.expectDamaged(place, ["a", "b"])
        _ = try place.vault().repair(drop: .lost, progress: nil)
        #expect(try place.vault().get("a") == "value of a")
        #expect(try place.vault().get("b") == nil)
        #expect(try place.vault().get("c") == "value of c")
        #expect(try place.vault().check(progress: nil).findings == [])
        guard
            case .notPossible = failure({
                _ = try place.vault().repair(drop: .lost, progress: nil)
            })
        else {
            Issue.record("nothing was given up twice")
            return
        }
    }
}
