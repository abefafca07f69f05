import Foundation
import Strongroom
import Testing

/// What areas promise to several processes, and to one that dies.
@Suite struct `Areas in several processes` {
    static let permanent = [AreaCase.storage, .vault]

    @Test(
        "What was set is there in the next process, without any flush (C019, C058)",
        arguments: AreaCase.onDisk)
    func nextProcess(_ kind: AreaCase) throws {
        let root = try TemporaryDirectory()
        #expect(try Probe.run([root.path, "hold", kind.rawValue, "a/é 🔐", "kept"]).isEmpty)
        for _ in 0..<3 {
            #expect(
                try Probe.run([root.path, "get", kind.rawValue, "a/e\u{301} 🔐"])
                    == ["value kept", "done"])
            #expect(try Probe.run([root.path, "keys", kind.rawValue]) == ["keys a/é 🔐", "done"])
        }
    }

    @Test(
        "Two processes lose no entry and no count of each other's (C066)",
        arguments: AreaCase.onDisk)
    func lostUpdates(_ kind: AreaCase) throws {
        let root = try TemporaryDirectory()
        let commands = [
            ["many", kind.rawValue, "one", "100"], ["many", kind.rawValue, "two", "100"],
            ["count", kind.rawValue, "n", "20"], ["count", kind.rawValue, "n", "20"],
        ]
        let started = try commands.map { try Probe.start([root.path] + $0) }
        for (process, output) in started {
            #expect(String(decoding: output.readDataToEndOfFile(), as: UTF8.self) == "done\n")
            process.waitUntilExit()
        }
        let area = kind.area(of: try AppContainer("com.example.probe", root: root.path))
        #expect(try area.keys().count == 201)
        #expect(try area.get("n") == 40)
    }

    @Test("A reader in another process never sees a mixture (C065)", arguments: AreaCase.onDisk)
    func mixtures(_ kind: AreaCase) throws {
        let root = try TemporaryDirectory()
        try Probe.run([root.path, "alternate", kind.rawValue, "k", "1"])
        let writer = try Probe.start([root.path, "alternate", kind.rawValue, "k", "60"])
        #expect(try Probe.run([root.path, "watch", kind.rawValue, "k", "150"]) == ["done"])
        #expect(String(decoding: writer.output.readDataToEndOfFile(), as: UTF8.self) == "done\n")
        writer.process.waitUntilExit()
    }

    @Test(
        "Killed while it sets, a process leaves the old value or the new one (C059)",
        arguments: permanent)
    func killed(_ kind: AreaCase) throws {
        let root = try TemporaryDirectory()
        let app = try AppContainer("com.example.probe", root: root.path)
        let area = kind.area(of: app)
        for round in 0..<12 {
            let (process, output) = try Probe.start([root.path, "overwrite", kind.rawValue, "k"])
            // Some sets are waited for, so that the kill comes at another moment each time.
            var said: [UInt8] = []
            while said.count(where: { $0 == UInt8(ascii: "\n") }) < 1 + round % 3 {
                let more = output.availableData
                if more.isEmpty { break }
                said += more
            }
            for _ in 0..<(round * 997 % 4001) { _ = said.hashValue }
            kill(process.processIdentifier, SIGKILL)
            said += output.readDataToEndOfFile()
            process.waitUntilExit()
            let last = try #require(
                String(decoding: said, as: UTF8.self).split(separator: "\n").last?.split(
                    separator: " "
                ).last.flatMap { UInt8($0) })
            let value = try area.require("k", as: [UInt8].self)
            let first = try #require(value.first)
            #expect(value == [UInt8](repeating: first, count: 4 << 20))
            #expect(first == last || first == last &+ 1)
            #expect(try area.keys() == ["k"])
        }
        // The next writer clears away what the dead ones left.
        try area.set("after", forKey: "k")
        #expect(try area.get("k") == "after")
        let files = root.names().filter { !$0.hasSuffix("lock") && !$0.hasSuffix("gate") }
        #expect(!files.contains { $0.contains(".tmp") })
    }

    @Test(
        "A hundred MiB stream through a third of that memory, the program's own included (C033)",
        arguments: AreaCase.onDisk)
    func large(_ kind: AreaCase) throws {
        let root = try TemporaryDirectory()
        let answer = try Probe.run([root.path, "large", kind.rawValue, "big", "100"])
        let parts = try #require(answer.first).split(separator: " ")
        #expect(parts.first == "true")
        let kibibyteCount = try #require(parts.last.flatMap { Int($0) })
        #expect(kibibyteCount < 33 << 10, "\(kibibyteCount) KiB")
    }

    @Test("A container that is open goes on after another process rotated the key (D01)")
    func rotated() throws {
        let root = try TemporaryDirectory()
        let app = try AppContainer("com.example.probe", root: root.path)
        try app.vault.set("y", forKey: "y")
        #expect(try Probe.run([root.path, "rotate", "vault"]) == ["rotated 1", "done"])
        #expect(try app.vault.get("y", as: String.self) == "y")
        try app.vault.set("x", forKey: "x")
        try app.vault.write("w") { try $0.write([1]) }
        try app.vault.update("n", default: 0) { $0 += 1 }
        for (key, value) in [("x", "x"), ("y", "y"), ("n", "1")] {
            #expect(
                try Probe.run([root.path, "get", "vault", key]) == ["value \(value)", "done"])
        }
    }
}
