import Foundation
import Strongroom
import Testing

/// How a vault keeps its entries, as an app chooses it.
@Suite struct `Layouts` {
    private func files(_ directory: TemporaryDirectory) -> [String] {
        directory.names().filter { $0.hasPrefix("vault/") && !$0.contains("entries.") }
    }

    @Test func `A vault is made in the layout that is asked for, and keeps it`() throws {
        for (layout, own) in [(VaultLayout.log, "vault/log"), (.files, "vault/entries")] {
            let directory = try TemporaryDirectory()
            let app = try AppContainer("com.example.tests", root: directory.path, layout: layout)
            try app.vault.set("1", forKey: "k")
            #expect(files(directory).contains(own))
            let other = VaultLayout.allCases.first { $0 != layout }
            let again = try AppContainer(
                "com.example.tests", root: directory.path, layout: try #require(other))
            try again.vault.set("2", forKey: "l")
            #expect(try again.vault.get("k", as: String.self) == "1")
            #expect(files(directory).contains(own))
            #expect(files(directory).contains("vault/log") == (layout == .log))
        }
    }

    @Test func `Where nothing is said a vault is kept in a log`() throws {
        let directory = try TemporaryDirectory()
        try AppContainer("com.example.tests", root: directory.path).vault.set("1", forKey: "k")
        #expect(files(directory).contains("vault/log"))
    }

    @Test(arguments: VaultLayout.allCases)
    func `Compaction drops what was replaced and keeps every entry`(_ layout: VaultLayout) throws {
        let directory = try TemporaryDirectory()
        let app = try AppContainer("com.example.tests", root: directory.path, layout: layout)
        #expect(throws: StrongroomError.noVault(path: directory.appending("vault"))) {
            try app.vault.compact()
        }
        let bytes = [UInt8](repeating: 7, count: 10_000)
        let value = Secret(bytes)
        for _ in 0..<20 { try app.vault.set(value, forKey: "k") }
        try app.vault.set("other", forKey: "l")
        var last = (done: -1, total: -1)
        try app.vault.compact { done, total in last = (done, total) }
        #expect(last.done == last.total)
        let file = layout == .log ? try directory.read("vault/log") : []
        #expect(file.count < 100_000)
        let found = try #require(try app.vault.get("k", as: Secret.self))
        #expect(found.withBytes { $0.count } == bytes.count)
        #expect(try app.vault.get("l", as: String.self) == "other")
    }

    @Test func `An older copy of the vault is refused with an error of its own`() throws {
        let directory = try TemporaryDirectory()
        let app = try AppContainer("com.example.tests", root: directory.path)
        try app.vault.set("old", forKey: "k")
        let vault = directory.appending("vault")
        let copy = directory.appending("copy")
        try FileManager.default.copyItem(atPath: vault, toPath: copy)
        try app.vault.set("new", forKey: "k")
        try FileManager.default.removeItem(atPath: vault)
        try FileManager.default.copyItem(atPath: copy, toPath: vault)
        let later = try AppContainer("com.example.tests", root: directory.path)
        // One has seen the newer one, and for a moment may still read what it has open; the other knows only the anchor.
        for (container, hasSeen) in [(app, true), (later, false)] {
            do {
                let value = try container.vault.get("k", as: String.self)
                #expect(hasSeen && value == "new", "an older vault was read")
            } catch {
                guard case .rolledBack = error else { throw error }
            }
        }
        do {
            try app.vault.set("newer", forKey: "k")
            Issue.record("an older vault was written to")
        } catch {
            guard case .rolledBack = error else { throw error }
        }
    }
}
