import StrongroomSystem
import Testing

@testable import StrongroomVault

@Suite(.bothLayouts) struct RotationProcessTests {
    static let entryCount = 500

    @Test func `a rotation that is killed again and again loses nothing for readers and a writer`()
        throws
    {
        let place = try TemporaryVault()
        let first = place.vault()
        for start in stride(from: 0, to: Self.entryCount, by: 100) {
            try first.commit((start..<start + 100).map { .set("e/\($0)", "0") }, if: [:])
        }
        let oldKey = try Tree.read(place.key)
        let readers = try (0..<4).map { _ in
            try ProbeProcess("get-loop", place.root, "e", "\(Self.entryCount)")
        }
        let writer = try ProbeProcess("set-loop", place.root, "e", "\(Self.entryCount)")

        let seed = UInt64.random(in: 0...UInt64.max)
        var random = Seeded(seed)
        let comment: Comment = "seed \(seed)"
        for _ in 0..<TestLength.count(5, long: 100) {
            let rotating = try ProbeProcess("rotate", place.root)
            #expect(try rotating.readLine() == "rotating", comment)
            // The output tells the time better than a clock: so many lines are waited for, then so long.
            for _ in 0..<Int.random(in: 0...10, using: &random) { _ = try rotating.readLine() }
            _ = try rotating.readLine(seconds: Double.random(in: 0...0.2, using: &random))
            rotating.killNow()
        }
        let last = try ProbeProcess("rotate", place.root)
        #expect(try last.readToEnd().last == "rotated \(Self.entryCount) 0", comment)

        writer.closeInput()
        for reader in readers { reader.closeInput() }
        for reader in readers {
            let lines = try reader.readToEnd()
            #expect(lines.count == 1 && lines.first?.hasPrefix("done") == true, comment)
        }
        var acknowledged: [String: Int] = [:]
        let lines = try writer.readToEnd()
        #expect(lines.last?.hasPrefix("done") == true, comment)
        for line in lines where line.hasPrefix("set ") {
            let words = line.split(separator: " ")
            acknowledged[String(words[1])] = Int(words[2])
        }
        #expect(acknowledged.count > 0, comment)
        let vault = place.vault()
        for index in 0..<Self.entryCount {
            let key = "e/\(index)"
            #expect(try vault.get(key) == "\(acknowledged[key] ?? 0)", comment)
        }
        #expect(try vault.check(progress: nil).findings == [], comment)
        let old = place.root.appending("old.key")
        try Tree.write(oldKey, to: old)
        #expect(throws: VaultError.wrongMasterKey(path: old.description)) {
            try place.vault { $0.masterKey = .file(old, isCredential: false) }.get("e/0")
        }
    }

    @Test func `a process that has the vault open lives through the rotations of others`() throws {
        let place = try TemporaryVault()
        let follower = try ProbeProcess("follow", place.root, "k")
        #expect(try follower.readLine() == "ready")
        for number in 0..<5 {
            try follower.write("before \(number)\n")
            #expect(try follower.readLine() == "done")
            let rotating = try ProbeProcess(number % 2 == 0 ? "rotate" : "rewrap", place.root)
            #expect(try rotating.readToEnd().first == "rotating")
            #expect(try rotating.status() == 0)
            #expect(try place.vault().get("k") == "before \(number)")
            try follower.write("after \(number)\n")
            #expect(try follower.readLine() == "done")
            #expect(try place.vault().get("k") == "after \(number)")
        }
    }
}
