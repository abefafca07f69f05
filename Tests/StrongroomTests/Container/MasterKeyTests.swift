import Foundation
import Strongroom
import Synchronization
import Testing

/// How a container's vault comes by its master key, and what it says if it does not.
@Suite struct `Master key of a container` {
    /// A root with a vault of one entry.
    private static func root() throws -> TemporaryDirectory {
        let root = try TemporaryDirectory()
        try AppContainer("com.example.tests", root: root.path).vault.set("v", forKey: "k")
        return root
    }

    private static func open(
        _ root: TemporaryDirectory, app: String = "com.example.tests",
        masterKey: MasterKeyChoice = .standard,
        passphrase: (@Sendable () throws -> Secret?)? = nil
    ) throws(StrongroomError) -> VaultArea {
        try AppContainer(app, root: root.path, masterKey: masterKey, passphrase: passphrase).vault
    }

    @Test("A key file somewhere else, and a key's text, open the same vault") func choices() throws
    {
        let root = try Self.root()
        let text = String(decoding: try root.read("master.key"), as: UTF8.self)
        let elsewhere = root.appending("elsewhere.key")
        try FileManager.default.moveItem(atPath: root.appending("master.key"), toPath: elsewhere)
        #expect(try Self.open(root, masterKey: .file(elsewhere)).get("k", as: String.self) == "v")
        let byText = try Self.open(root, masterKey: .text(Secret(text)))
        #expect(try byText.get("k", as: String.self) == "v")
        try byText.set("w", forKey: "l")
        #expect {
            try byText.rotate()
        } throws: { error in
            if case .notPossible = error as? StrongroomError { true } else { false }
        }
        #expect(try Self.open(root, masterKey: .file(elsewhere)).get("l", as: String.self) == "w")
    }

    @Test(
        "A key that is missing, malformed, exposed or another's: each says so, and nothing changes (C074, C088)"
    ) func faults()
        throws
    {
        let root = try Self.root()
        let key = root.appending("master.key")
        let text = try root.read("master.key")
        let before = root.names().filter { $0 != "master.key" }
        func check(_ name: String, _ isMeant: (StrongroomError) -> Bool) throws {
            let vault = try Self.open(root)
            let calls: [() throws -> Void] = [
                { _ = try vault.get("k", as: String.self) }, { try vault.set("n", forKey: "n") },
                { _ = try vault.keys() }, { try vault.rotate() }, { try vault.del("k") },
                { _ = try vault.details(of: "k") }, { try vault.write("w") { try $0.write([1]) } },
                { _ = try vault.read("k") { (_: Span<UInt8>) in } },
            ]
            for call in calls {
                #expect(throws: StrongroomError.self, "\(name)") {
                    do { try call() } catch let error as StrongroomError {
                        #expect(isMeant(error), "\(name): \(error)")
                        throw error
                    }
                }
            }
            #expect(root.names().filter { $0 != "master.key" } == before, "\(name)")
        }
        try FileManager.default.removeItem(atPath: key)
        try check("missing") { if case .masterKeyMissing = $0 { true } else { false } }
        #expect(!FileManager.default.fileExists(atPath: key))
        for (name, bytes) in [
            ("empty", []), ("short", Array(text.prefix(120))), ("other", [1, 2, 3]),
        ] {
            try root.write(bytes, to: "master.key")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
            try check(name) { if case .masterKeyMalformed = $0 { true } else { false } }
        }
        try root.write(text, to: "master.key")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: key)
        try check("exposed") {
            if case .masterKeyExposed(_, let reason) = $0 { reason.contains("640") } else { false }
        }
        let other = try Self.root()
        try root.write(try other.read("master.key"), to: "master.key")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
        try check("another's") { if case .wrongMasterKey = $0 { true } else { false } }
        try root.write(text, to: "master.key")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
        #expect(try Self.open(root).get("k", as: String.self) == "v")
    }

    @Test("A vault opens for its app alone") func wrongApp() throws {
        let root = try Self.root()
        let vault = try Self.open(root, app: "com.example.other")
        #expect(
            throws: StrongroomError.wrongApp(
                expected: "com.example.other", found: "com.example.tests")
        ) { try vault.get("k", as: String.self) }
    }

    @Test("A sealed key asks for its passphrase, once") func passphrase() throws {
        let root = try Self.root()
        try AppContainer("com.example.tests", root: root.path).vault.seal(with: "correct horse")
        let askCount = Mutex(0)
        let vault = try Self.open(
            root,
            passphrase: {
                askCount.withLock { $0 += 1 }
                return Secret("correct horse")
            })
        #expect(try vault.get("k", as: String.self) == "v")
        try vault.set("w", forKey: "k")
        try vault.rotate()
        #expect(try vault.get("k", as: String.self) == "w")
        #expect(askCount.withLock { $0 } == 1)
        func refusal(_ passphrase: (@Sendable () throws -> Secret?)?) throws -> StrongroomError? {
            do throws(StrongroomError) {
                _ = try Self.open(root, passphrase: passphrase).get("k", as: String.self)
                return nil
            } catch { return error }
        }
        let key = root.appending("master.key")
        #expect(try refusal { Secret("wrong") } == .wrongPassphrase(path: key))
        #expect(try refusal(nil) == .passphraseMissing(path: key))
        #expect(try refusal { nil } == .passphraseMissing(path: key))
        #expect(try refusal { throw Boom() } == .passphraseMissing(path: key))
    }
}
