import StrongroomCrypto
import StrongroomStores
import StrongroomSystem
import Testing

@testable import StrongroomVault

/// What a rotation does with entries that do not open.
@Suite(.bothLayouts) struct DamagedEntryTests {
    /// Where an entry of 190 bytes is altered.
    struct Spot: Sendable {
        let index: Int
        /// Whether the header still opens.
        let keepsKey: Bool
    }

    static let spots = [
        Named("the value", Spot(index: -1, keepsKey: true)),
        Named("the header", Spot(index: 40, keepsKey: false)),
        Named("the id of the data key", Spot(index: 5, keepsKey: false)),
        Named("N", Spot(index: 14, keepsKey: false)),
        Named("the size of the header", Spot(index: 28, keepsKey: false)),
        Named("the magic", Spot(index: 0, keepsKey: false)),
    ]

    static func damaged(_ spot: Spot) throws -> TemporaryVault { try damagedBytes(spot).place }

    /// A vault in which `c` is damaged, and what was made of its bytes.
    static func damagedBytes(_ spot: Spot) throws -> (place: TemporaryVault, bytes: [UInt8]) {
        let place = try TemporaryVault()
        for key in ["a", "b", "c", "d", "e"] { try place.vault().set(key, "value of \(key)") }
        return (place, try place.flipEntry("c", at: spot.index))
    }

    static func expectOthers(_ place: TemporaryVault) throws {
        for key in ["a", "b", "d", "e"] {
            #expect(try place.vault().get(key) == "value of \(key)")
        }
        #expect(try place.vault().keyList == ["a", "b", "d", "e"])
    }

    @Test(arguments: spots)
    func `a damaged entry is reported and kept, and the others are rotated`(
        _ spot: Named<Spot>
    ) throws {
        let (place, bytes) = try Self.damagedBytes(spot.value)
        if spot.testDescription == "the header" {
            // Which reading does not open: the value is there yet, but nothing says whose it is.
            #expect(try place.vault().get("c") == "value of c")
            #expect(failure { _ = try place.vault().info("c") } == .damaged(key: "c"))
        } else {
            #expect(failure { _ = try place.vault().get("c") } == .damaged(key: "c"))
        }
        let oldKey = try Tree.read(place.key)
        // Several rotations on: what could not be opened stays, and stays damaged.
        for _ in 0..<3 {
            let report = try place.vault().rotate(RotationOptions())
            #expect(report.entryCount == 4)
            #expect(report.damaged.count == 1)
            #expect(report.damaged.first?.key == (spot.value.keepsKey ? "c" : nil))
            try Self.expectOthers(place)
            #expect(try place.allSealed().count == 5)
            let kept = try place.everything.values.contains { file in
                try TemporaryVault.place(of: bytes, in: file) != nil
            }
            #expect(kept)
            #expect(try place.vault().opened()?.keyring.retired.count ?? 0 >= 1)
            #expect(failure { _ = try place.vault().get("c") } == .damaged(key: "c"))
            #expect(failure { _ = try place.vault().pieces("c") } == .damaged(key: "c"))
            // A listing opens nothing with a data key that is retired, a check does.
            let listing = try place.vault().list()
            #expect(listing.damaged.map { $0.key } == [nil])
            let findings = try place.vault().check(progress: nil).findings
            #expect(findings.map { $0.kind } == [.damaged])
            #expect(findings.map { $0.key } == [spot.value.keepsKey ? "c" : nil])
        }
        let stolen = place.root.appending("stolen")
        try Tree.write(oldKey, to: stolen)
        #expect(
            failure {
                _ = try place.vault { $0.masterKey = .file(stolen, isCredential: false) }.get("a")
            } == .wrongMasterKey(path: stolen.description))
    }

    @Test(arguments: spots)
    func `a set of the key takes the damaged bytes with it, and the next rotation their data key`(
        _ spot: Named<Spot>
    ) throws {
        let place = try Self.damaged(spot.value)
        _ = try place.vault().rotate(RotationOptions())
        #expect(
            failure { try place.vault().commit([.set("c", "x")], if: ["c": nil]) } != nil)
        try place.vault().set("c", "value of c")
        #expect(try place.vault().get("c") == "value of c")
        #expect(try place.allSealed().count == 5)
        #expect(try place.vault().list().damaged == [])
        #expect(try place.vault().rotate(RotationOptions()).damaged == [])
        #expect(try place.vault().opened()?.keyring.retired.count == 0)
        #expect(try place.vault().get("c") == "value of c")
    }

    @Test(arguments: spots)
    func `so does a streamed set`(_ spot: Named<Spot>) throws {
        let place = try Self.damaged(spot.value)
        _ = try place.vault().rotate(RotationOptions())
        try place.vault().write("c", attributes: [:], if: nil) { try $0.write([1].span) }
        #expect(try place.vault().bytes("c") == [1])
        #expect(try place.allSealed().count == 5)
    }

    @Test(arguments: spots)
    func `a del of the key removes the damaged bytes`(_ spot: Named<Spot>) throws {
        let place = try Self.damaged(spot.value)
        _ = try place.vault().rotate(RotationOptions())
        try place.vault().del("c")
        #expect(try place.vault().get("c") == nil)
        #expect(try place.allSealed().count == 4)
        try Self.expectOthers(place)
    }

    @Test(arguments: spots)
    func `a damaged entry is given up only when that is asked, and only if it is damaged`(
        _ spot: Named<Spot>
    ) throws {
        let place = try Self.damaged(spot.value)
        _ = try place.vault().rotate(RotationOptions())
        #expect(try place.vault().repair(drop: nil, progress: nil).findings.count == 1)
        #expect(try place.allSealed().count == 5)
        for target in [DropTarget.key("a"), .id("ff"), .id("zz")] {
            guard
                case .notPossible = failure({
                    _ = try place.vault().repair(drop: target, progress: nil)
                })
            else {
                Issue.record("\(target) was dropped")
                continue
            }
        }
        #expect(
            failure { _ = try place.vault().repair(drop: .key("nothing"), progress: nil) }
                == .noEntry(key: "nothing"))
        let id = try #require(try place.vault().list().damaged.first).id
        let target = spot.value.keepsKey ? DropTarget.key("c") : .id(id)
        #expect(try place.vault().repair(drop: target, progress: nil).findings == [])
        #expect(try place.vault().get("c") == nil)
        #expect(try place.vault().opened()?.keyring.retired.count == 0)
        try Self.expectOthers(place)
    }

    @Test func `the key of an entry that opens nowhere finds it all the same`() throws {
        let place = try Self.damaged(Spot(index: 40, keepsKey: false))
        _ = try place.vault().rotate(RotationOptions())
        // By its name under the data key that is retired.
        #expect(try place.vault().repair(drop: .key("c"), progress: nil).findings == [])
        #expect(try place.vault().get("c") == nil)
        #expect(try place.allSealed().count == 4)
    }

    @Test(.layout(.files)) func `an entry cut to nothing is damage, not absence`() throws {
        let place = try Self.damaged(Spot(index: -1, keepsKey: true))
        try Tree.write([], to: try place.entryFile("c"))
        #expect(failure { _ = try place.vault().get("c") } == .damaged(key: "c"))
        #expect(try place.vault().rotate(RotationOptions()).damaged.count == 1)
        #expect(failure { _ = try place.vault().get("c") } == .damaged(key: "c"))
        try Self.expectOthers(place)
    }

    @Test(.layout(.files))
    func `old bytes put back under their old name are never taken for the value`() throws {
        // They are kept under a retired data key's name only while that key is in the keyring.
        let place = try Self.damaged(Spot(index: -1, keepsKey: true))
        let stale = try place.entryFile("a")
        let bytes = try Tree.read(stale)
        _ = try place.vault().rotate(RotationOptions())
        let generation = try place.entryFile("a").parent
        try Tree.write(bytes, to: generation.appending(stale.lastComponent))
        #expect(try place.vault().get("a") == "value of a")
        try place.vault().set("a", "new")
        #expect(try place.vault().get("a") == "new")
        try Tree.write(bytes, to: generation.appending(stale.lastComponent))
        let unknown = Path(String(repeating: "a", count: 32))
        try Tree.write(try Tree.read(try place.entryFile("b")), to: generation.appending(unknown))
        // A rotation carries them over beside the new value, not over it.
        #expect(try place.vault().rotate(RotationOptions()).damaged.count == 3)
        #expect(try place.vault().get("a") == "new")
        try place.vault().del("a")
        #expect(try place.vault().get("a") == nil)
    }

    @Test(.layout(.files))
    func `a keyring full of data keys for damaged entries stops a rotation before it has begun`()
        throws
    {
        let place = try Self.damaged(Spot(index: -1, keepsKey: true))
        let vault = place.vault()
        var opened = try #require(try vault.opened())
        // As after as many rotations, each with another damaged entry.
        var keyring = opened.keyring
        while keyring.retired.count < Keyring.dataKeyCountLimit - 1 {
            keyring.retired.append(try DataKey.random())
        }
        keyring.generation += 1
        try vault.replaceKeyring(keyring, for: [opened.masterKey], anchor: opened.anchor)
        let before = try Tree.read(place.keyring)
        let refusal = failure { _ = try place.vault().rotate(RotationOptions()) }
        guard case .notPossible(let what)? = refusal, what.contains("--drop") else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        #expect(try Tree.read(place.keyring) == before)
        #expect(try place.vault().status().rotation == .none)
        // As it says, what is given up makes room.
        _ = try place.vault().repair(drop: .key("c"), progress: nil)
        opened = try #require(try place.vault().opened())
        #expect(opened.keyring.retired.isEmpty)
        #expect(try place.vault().rotate(RotationOptions()).damaged.isEmpty)
        try Self.expectOthers(place)
    }
}
