import Glibc
import StrongroomCrypto
import StrongroomStores
import StrongroomSystem
import Synchronization
import Testing

@testable import StrongroomVault

@Suite(.bothLayouts) struct CheckTests {
    static func made() throws -> TemporaryVault {
        let place = try TemporaryVault()
        for key in ["a", "b", "c"] { try place.vault().set(key, "value of \(key)") }
        return place
    }

    @Test func `a sound vault has no findings, and checking it writes nothing`() throws {
        let place = try Self.made()
        let before = try place.everything
        let seen = Mutex<[Progress]>([])
        let report = try place.vault().check { progress in seen.withLock { $0.append(progress) } }
        #expect(report.findings == [])
        #expect(report.entryCount == 3)
        #expect(seen.withLock { $0.last?.done } == 3)
        #expect(try place.everything == before)
        #expect(try place.vault().repair(drop: nil, progress: nil).findings == [])
    }

    @Test func `each damaged entry is named, by its key where the header opens`() throws {
        let place = try Self.made()
        try place.flipEntry("a", at: -1)
        try place.flipEntry("b", at: 60)
        let report = try place.vault().check(progress: nil)
        #expect(report.entryCount == 3)
        #expect(report.findings.count == 2)
        #expect(report.findings.allSatisfy { $0.kind == .damaged && $0.path.hasPrefix("id:") })
        #expect(Set(report.findings.map { $0.key }) == ["a", nil])
    }

    @Test(.layout(.files)) func `modes are found and set right`() throws {
        let place = try Self.made()
        let entry = try place.entryFile("a")
        for (path, mode) in [
            (place.directory, 0o755), (place.keyring, 0o644), (entry, 0o660), (entry.parent, 0o750),
            (place.directory.appending("entries"), 0o400),
        ] as [(Path, mode_t)] {
            try #require(unsafe chmod(path.description, mode) == 0)
        }
        let findings = try place.vault().check(progress: nil).findings
        #expect(findings.count == 5)
        #expect(findings.allSatisfy { $0.kind == .mode && !$0.repaired })
        #expect(
            findings.contains { $0.path == place.directory.description && $0.what.contains("0755") }
        )
        let repaired = try place.vault().repair(drop: nil, progress: nil).findings
        #expect(repaired.count == 5)
        #expect(repaired.allSatisfy { $0.kind == .mode && $0.repaired })
        #expect(try place.vault().check(progress: nil).findings == [])
    }

    @Test(.layout(.files)) func `what a killed process left is no fault, and is swept`() throws {
        let place = try Self.made()
        let generation = try place.entryFile("a").parent
        let leftovers: [Path] = [
            place.directory.appending("keyring.%new"), place.directory.appending("%entries"),
            generation.appending("%new.x.0"), place.nextKey,
        ]
        for leftover in leftovers { try Tree.write([1, 2], to: leftover) }
        let findings = try place.vault().check(progress: nil).findings
        #expect(findings.allSatisfy { $0.kind == .leftover })
        #expect(findings.allSatisfy { $0.what == "left over; the next writer removes it" })
        #expect(Set(findings.map { $0.path }) == Set(leftovers.map { $0.description }))
        let repaired = try place.vault().repair(drop: nil, progress: nil).findings
        #expect(repaired.allSatisfy { $0.kind == .leftover && $0.repaired })
        for leftover in leftovers { #expect(try !Tree.exists(leftover)) }
        #expect(try place.vault().check(progress: nil).findings == [])
    }

    @Test func `an unfinished rotation is named, is no fault, and is finished by a repair`() throws
    {
        for step in ["master.key", "store", "keyring"] {
            let place = try Self.made()
            try RotationTests.interrupt(
                place, before: "rename", step == "store" ? place.storeName : Path(step))
            let kinds = Set(try place.vault().check(progress: nil).findings.map { $0.kind })
            #expect(kinds.isSubset(of: [.unfinished, .leftover]))
            if step != "keyring" { #expect(kinds.contains(.unfinished)) }
            let repaired = try place.vault().repair(drop: nil, progress: nil).findings
            #expect(repaired.allSatisfy { $0.repaired })
            #expect(try place.vault().check(progress: nil).findings == [])
            #expect(try place.vault().status().rotation == .none)
            #expect(try place.vault().get("a") == "value of a")
        }
    }

    @Test func `a damaged keyring is a finding, and no repair touches it`() throws {
        let place = try Self.made()
        try place.flip(place.keyring, at: -1)
        let before = try place.everything.filter { $0.key != "vault/job" }
        let findings = try place.vault().check(progress: nil).findings
        #expect(findings.map { $0.kind } == [.damaged])
        #expect(findings.first?.path == place.keyring.description)
        #expect(
            try place.vault().repair(drop: nil, progress: nil).findings.map { $0.kind } == [
                .damaged
            ])
        #expect(try place.everything.filter { $0.key != "vault/job" } == before)
    }

    @Test func `a large damaged value is found in its last piece`() throws {
        let place = try Self.made()
        let bytes = SecretBytes(
            SecretBuffer(copying: [UInt8](repeating: 7, count: 3_000_000).span))
        try place.vault().commit([.set(key: "large", value: bytes, attributes: [:])], if: [:])
        #expect(try place.vault().check(progress: nil).findings == [])
        for index in [200_000, -5] {
            try place.flipEntry("large", at: index)
            let findings = try place.vault().check(progress: nil).findings
            #expect(findings.map { $0.key } == ["large"])
            #expect(failure { _ = try place.vault().get("large") } == .damaged(key: "large"))
            try place.flipEntry("large", at: index)
        }
    }
}
