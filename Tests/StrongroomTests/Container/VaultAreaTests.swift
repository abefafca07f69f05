import Foundation
import Strongroom
import Synchronization
import Testing

/// What a vault's area has beside the other areas'.
@Suite struct `Vault area` {
    @Test(
        "Details tell size, times and attributes, without the value",
        arguments: [AreaCase.vault, .vaultInMemory])
    func details(_ kind: AreaCase) throws {
        try kind.withArea { (area) throws in
            let vault = try #require(area as? VaultArea)
            #expect(try vault.details(of: "none") == nil)
            let before = Date()
            try vault.set(Secret("12345"), forKey: "k", attributes: ["user": "ann"])
            let first = try #require(try vault.details(of: "k"))
            #expect(first.key == "k")
            #expect(first.byteCount == 5)
            #expect(first.attributes == ["user": "ann"])
            #expect(first.created == first.modified)
            #expect(first.created.timeIntervalSince(before) > -1)
            #expect(Date().timeIntervalSince(first.created) > -1)
            try vault.set("123", forKey: "k")
            let second = try #require(try vault.details(of: "k"))
            #expect(second.byteCount == 3)
            #expect(second.attributes == [:])
            #expect(second.created == first.created)
            #expect(second.modified >= first.modified)
            try vault.set("1", forKey: "a")
            let contents = try vault.contents()
            #expect(contents.entries.map(\.key) == ["a", "k"])
            #expect(contents.damagedKeys.isEmpty && contents.unknownIDs.isEmpty)
            #expect(try vault.contents(under: "k").entries == [second])
            #expect(!"\(second)".contains("123"))
        }
    }

    @Test(
        "Attributes over 4 KiB are too large, and the old value stays",
        arguments: [AreaCase.vault, .vaultInMemory])
    func attributes(_ kind: AreaCase) throws {
        try kind.withArea { (area) throws in
            let vault = try #require(area as? VaultArea)
            try vault.set("old", forKey: "k")
            #expect(throws: StrongroomError.valueTooLarge(key: "k", limit: 4096)) {
                try vault.set(
                    Secret("new"), forKey: "k",
                    attributes: ["a": String(repeating: "x", count: 5000)])
            }
            #expect(try vault.get("k", as: String.self) == "old")
        }
    }

    @Test(
        "An app rotates its own vault, and reads and writes go on",
        arguments: [AreaCase.vault, .vaultInMemory])
    func rotation(_ kind: AreaCase) throws {
        try kind.withArea { (area) throws in
            let vault = try #require(area as? VaultArea)
            for index in 0..<20 { try vault.set(index, forKey: "\(index)") }
            let steps = Mutex<[Int]>([])
            let rotation = try vault.rotate(progress: { done, total in
                steps.withLock { $0 += [done, total] }
            })
            #expect(rotation.entryCount == 20)
            #expect(rotation.newKeyID != rotation.oldKeyID)
            #expect(rotation.newKeyID.count == 32)
            #expect(rotation.damaged.isEmpty && !rotation.wasResumed)
            #expect(steps.withLock { $0.last } == 20)
            for index in 0..<20 { #expect(try vault.get("\(index)") == index) }
            #expect(throws: StrongroomError.cancelled) { try vault.rotate(isCancelled: { true }) }
            for index in 0..<20 { #expect(try vault.get("\(index)") == index) }
            try vault.set("new", forKey: "new")
            try vault.rotate()
            #expect(try vault.keys().count == 21)
        }
    }

    @Test("The old key is kept in a file that was not there") func oldKey() throws {
        let root = try TemporaryDirectory()
        let vault = try AppContainer("com.example.tests", root: root.path).vault
        try vault.set("v", forKey: "k")
        let key = try root.read("master.key")
        try vault.rotate(keepingOldKeyAt: root.appending("old.key"))
        #expect(try root.read("old.key") == key)
        #expect(try root.mode("old.key") == 0o600)
        #expect {
            try vault.rotate(keepingOldKeyAt: root.appending("old.key"))
        } throws: { error in
            if case .exists = error as? StrongroomError { true } else { false }
        }
        let old = try AppContainer(
            "com.example.tests", root: root.path, masterKey: .file(root.appending("old.key")))
        #expect {
            try old.vault.get("k", as: String.self)
        } throws: { error in
            if case .wrongMasterKey = error as? StrongroomError { true } else { false }
        }
    }

    @Test("A vault that lost a part says so, rather than list fewer keys") func lost() throws {
        let root = try TemporaryDirectory()
        func vault() throws -> VaultArea {
            try AppContainer("com.example.tests", root: root.path).vault
        }
        try vault().set("1", forKey: "a")
        let before = try root.read("vault/log")
        try vault().set("2", forKey: "b")
        let after = try root.read("vault/log")
        try vault().set("3", forKey: "c")
        // Whatever the commit of b wrote behind the log's own head.
        var bytes = try root.read("vault/log")
        for index in 4096..<min(before.count, after.count) where before[index] != after[index] {
            bytes[index] ^= 0xFF
        }
        try root.write(bytes, to: "vault/log")
        #expect {
            try vault().keys()
        } throws: { error in
            guard case .storeDamaged(_, let what) = error as? StrongroomError else { return false }
            return what.contains("lost")
        }
        #expect(try vault().contents().entries.map(\.key) == ["c"])
        #expect(try vault().get("c", as: String.self) == "3")
        #expect(throws: StrongroomError.damaged(key: "a")) { try vault().get("a", as: String.self) }
    }
}
