import Glibc
import StrongroomCrypto
import StrongroomSystem
import Testing

@testable import StrongroomVault

/// What lies in an entry's place and is no regular file, and what lies beside entries.
@Suite struct MisplacedEntryTests {
    enum Thing: String, CaseIterable, Sendable {
        case link, danglingLink, fifo, emptyDirectory, fullDirectory

        /// Puts it in the place of the file at `path`, which is moved away.
        func replace(_ path: Path, in place: TemporaryVault) throws {
            let away = place.root.appending("away")
            try Tree.move(path, to: away)
            let result: Int32 =
                switch self {
                case .link: unsafe symlink(away.description, path.description)
                case .danglingLink: unsafe symlink("nowhere", path.description)
                case .fifo: unsafe mkfifo(path.description, 0o600)
                case .emptyDirectory, .fullDirectory: unsafe mkdir(path.description, 0o700)
                }
            try #require(result == 0)
            if self == .fullDirectory { try Tree.write([1], to: path.appending("notes")) }
        }
    }

    static func made(_ thing: Thing) throws -> (place: TemporaryVault, path: Path) {
        let place = try TemporaryVault()
        for key in ["a", "b", "c"] { try place.vault().set(key, "value of \(key)") }
        let path = try place.entryFile("b")
        try thing.replace(path, in: place)
        return (place, path)
    }

    /// Only `b` is damaged, and every call says so.
    static func expectDamage(_ place: TemporaryVault) throws {
        let damaged = VaultError.damaged(key: "b")
        #expect(failure { _ = try place.vault().get("b") } == damaged)
        #expect(failure { _ = try place.vault().info("b") } == damaged)
        #expect(failure { _ = try place.vault().pieces("b") } == damaged)
        let listing = try place.vault().list()
        #expect(listing.entries.map { $0.key } == ["a", "c"])
        #expect(listing.damaged.count == 1)
        let report = try place.vault().check(progress: nil)
        #expect(report.findings.map { $0.kind } == [.damaged])
        #expect(report.entryCount == 3)
        #expect(try place.vault().status().entryCount == 3)
        #expect(failure { try place.vault().commit([.set("b", "x")], if: ["b": nil]) } == damaged)
        for key in ["a", "c"] { #expect(try place.vault().get(key) == "value of \(key)") }
    }

    @Test(arguments: Thing.allCases)
    func `it is one damaged entry for every call, and so after rotations`(_ thing: Thing) throws {
        let (place, path) = try Self.made(thing)
        try Self.expectDamage(place)
        let before = try RealFileSystem().status(path, at: nil, followLink: false)
        for _ in 0..<2 {
            let report = try place.vault().rotate(RotationOptions())
            #expect(report.damaged.count == 1)
            #expect(report.entryCount == 2)
            try Self.expectDamage(place)
        }
        // It is where it was, for who wants to know what it is.
        let after = try RealFileSystem().status(path, at: nil, followLink: false)
        #expect(after.inode == before.inode && after.kind == before.kind)
        try place.vault().set("b", "new")
        #expect(try place.vault().get("b") == "new")
        #expect(try place.vault().check(progress: nil).findings == [])
    }

    @Test(arguments: Thing.allCases, [true, false])
    func `a set or del of the key replaces it or takes it away`(
        _ thing: Thing, isSetting: Bool
    ) throws {
        let (place, path) = try Self.made(thing)
        let change = isSetting ? VaultChange.set("b", "new") : .del(key: "b")
        if thing == .fullDirectory {
            guard
                case .vaultDamaged(path.description, _) = failure({
                    try place.vault().commit([change], if: [:])
                })
            else {
                Issue.record("somebody's files are in the way, and nobody said so")
                return
            }
            #expect(try Tree.exists(path.appending("notes")))
            return try Self.expectDamage(place)
        }
        try place.vault().commit([change], if: [:])
        #expect(try place.vault().get("b") == (isSetting ? "new" : nil))
        #expect(try place.vault().check(progress: nil).findings == [])
        // What a link led to is somebody's.
        #expect(try Tree.exists(place.root.appending("away")))
    }

    @Test(arguments: Thing.allCases)
    func `a repair gives it up only when that is asked`(_ thing: Thing) throws {
        let (place, _) = try Self.made(thing)
        #expect(try place.vault().repair(drop: nil, progress: nil).findings.count == 1)
        try Self.expectDamage(place)
        guard thing != .fullDirectory else { return }
        #expect(try place.vault().repair(drop: .key("b"), progress: nil).findings == [])
        #expect(try place.vault().get("b") == nil)
    }

    @Test func `others' files beside entries are nobody's entries, whatever they are called`()
        throws
    {
        let place = try TemporaryVault()
        try place.vault().set("a", "1")
        let junk: [Path] = ["notes", "untitled", ".DS_Store", "k~", "README.md"]
        let generation = try place.entryFile("a").parent
        for name in junk { try Tree.write([9], to: generation.appending(name)) }
        #expect(try place.vault().check(progress: nil).findings == [])
        #expect(try place.vault().list().damaged == [])
        #expect(try place.vault().rotate(RotationOptions()).damaged == [])
        #expect(try place.vault().check(progress: nil).findings == [])
        #expect(try place.vault().repair(drop: nil, progress: nil).findings == [])
        for name in junk { #expect(try Tree.read(generation.appending(name)) == [9]) }
        #expect(try Tree.files(generation).count == junk.count)
        #expect(try place.vault().get("a") == "1")
    }

    @Test func `an entry's file cut at any length is damage, of that entry alone`() throws {
        let place = try TemporaryVault()
        for key in ["a", "b"] { try place.vault().set(key, "value of \(key)") }
        let path = try place.entryFile("b")
        let bytes = try Tree.read(path)
        // As a process would that runs all the time; what a fresh one sees is the same files.
        let vault = place.vault()
        for count in 0..<bytes.count {
            try Tree.write(Array(bytes.prefix(count)), to: path)
            #expect(failure { _ = try vault.get("b") } == .damaged(key: "b"), "\(count)")
            #expect(failure { _ = try vault.pieces("b") } == .damaged(key: "b"), "\(count)")
            let listing = try vault.list()
            // The header may be whole while the value is not.
            #expect(listing.entries.count + listing.damaged.count == 2, "\(count)")
            #expect(listing.entries.contains { $0.key == "a" }, "\(count)")
            let report = try vault.check(progress: nil)
            #expect(report.findings.map { $0.kind } == [.damaged], "\(count)")
            #expect(report.entryCount == 2, "\(count)")
            #expect(try vault.get("a") == "value of a")
        }
        try Tree.write(bytes, to: path)
        #expect(try vault.get("b") == "value of b")
        #expect(try vault.check(progress: nil).findings == [])
    }

    @Test func `a generation's directory that is gone is damage for a set too`() throws {
        let place = try TemporaryVault()
        try place.vault().set("a", "1")
        let generation = try place.entryFile("a").parent
        try Tree.move(generation, to: place.root.appending("away"))
        for use in [
            { _ = try place.vault().get("a") }, { try place.vault().set("a", "2") },
            { try place.vault().del("a") }, { _ = try place.vault().list() },
        ] {
            guard case .vaultDamaged(generation.description, _) = failure(use) else {
                Issue.record("\(String(describing: failure(use)))")
                continue
            }
        }
        try Tree.move(place.root.appending("away"), to: generation)
        #expect(try place.vault().get("a") == "1")
    }
}
