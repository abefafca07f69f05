import StrongroomCrypto
import StrongroomStores
import StrongroomVault
import Testing

struct KeyringTests {
    @Test(
        "a keyring of every state comes back, under each of its master keys",
        arguments: [Keyring.State.settled, .rotating, .begun, .finishing], [0, 1, 5])
    func roundTrip(state: Keyring.State, retired: Int) throws {
        let keys = try KeyringSample.masterKeys(for: state)
        var keyring = try KeyringSample.keyring(state, retired: retired)
        keyring.generation = .max
        let file = try keyring.sealed(for: keys)
        #expect(try Keyring.wrapIDs(of: file.span, path: "keyring") == keys.map(\.id))
        for key in keys {
            let opened = try KeyringSample.open(file, key)
            #expect(opened.vaultID == KeyringSample.vaultID)
            #expect(opened.app == "com.example.notes")
            #expect(opened.layout == .files)
            #expect(opened.generation == .max)
            #expect(opened.state == state)
            #expect(opened.current.key.array == keyring.current.key.array)
            #expect(opened.next?.key.array == keyring.next?.key.array)
            #expect(opened.retired.map(\.key.array) == keyring.retired.map(\.key.array))
            #expect(opened.dataKeys.map(\.id) == keyring.dataKeys.map(\.id))
            #expect(opened.wrapIDs == keys.map(\.id))
        }
    }

    @Test("a new keyring is settled and of generation 1")
    func new() throws {
        let keyring = Keyring(
            vaultID: KeyringSample.vaultID, app: "a", layout: .log, current: try DataKey.random())
        let key = try MasterKey.random()
        let opened = try KeyringSample.open(keyring.sealed(for: [key]), key)
        #expect(opened.generation == 1)
        #expect(opened.state == .settled)
        #expect(opened.layout == .log)
        #expect(opened.dataKeys.count == 1)
        #expect(keyring.wrapIDs.isEmpty)
    }

    @Test("the data key of an owner is the current or the next one, never a retired one")
    func owners() throws {
        let keyring = try KeyringSample.keyring(.rotating, retired: 2)
        #expect(keyring.dataKey(of: keyring.current.owner)?.id == keyring.current.id)
        #expect(keyring.dataKey(of: keyring.next?.owner)?.id == keyring.next?.id)
        #expect(keyring.dataKey(of: keyring.retired[0].owner) == nil)
        #expect(keyring.dataKey(of: nil) == nil)
        #expect(try KeyringSample.keyring(.settled).dataKey(of: nil) == nil)
    }

    @Test("the frozen keyrings open")
    func fixtures() throws {
        let (plain, next) = (try Fixture.masterKey("plain"), try Fixture.masterKey("next"))
        let data = try DataKey(key: .of(Fixture.vector("data")))
        let settled = try Fixture.keyring("settled", plain)
        #expect(settled.current.id == data.id)
        #expect(settled.app == "com.example.notes")
        #expect(Hexadecimal.text(of: settled.vaultID) == "1401307cca2784a946a034d4974ce2bd")
        #expect(settled.layout == .files && settled.generation == 1)
        for key in [plain, next] {
            let begun = try Fixture.keyring("begun", key)
            #expect(begun.state == .begun && begun.generation == 2)
            #expect(begun.wrapIDs == [plain.id, next.id])
        }
        let rotating = try Fixture.keyring("rotating", next)
        #expect(rotating.state == .rotating && rotating.generation == 3)
        #expect(rotating.current.id == data.id)
        let finishing = try Fixture.keyring("finishing", next)
        #expect(finishing.state == .finishing)
        #expect(finishing.next?.id == rotating.next?.id && finishing.retired.count == 1)
        let retired = try Fixture.keyring("retired", next)
        #expect(retired.state == .settled && retired.generation == 1 << 40)
        #expect(retired.current.id == rotating.next?.id)
        #expect(retired.retired.map(\.id) == [data.id, finishing.retired[0].id])
    }

    @Test("each writing has a fresh id, a fresh keyring key and fresh nonces")
    func fresh() throws {
        let key = try MasterKey.random()
        let keyring = try KeyringSample.keyring(.settled)
        let (first, second) = (
            try keyring.sealed(for: [key]), try keyring.sealed(for: [key])
        )
        #expect(first.count == second.count)
        let parts = [4..<32, 49..<73, 73..<121, 125..<149, 149..<first.count]
        for part in parts { #expect(first[part] != second[part], "bytes \(part)") }
    }

    @Test("a keyring's size is that of its parts", arguments: [1, 2, 64])
    func size(keys: Int) throws {
        let file = try KeyringSample.keyring(.settled, retired: keys - 1)
            .sealed(for: [try MasterKey.random()])
        let body = 28 + 1 + 16 + 16 + 1 + 17 + 1 + 8 + 1 + 1 + 33 * keys
        #expect(file.count == 4 + 28 + 1 + 88 + 4 + 24 + body + 16)
    }

    private static let unsound: [Named<@Sendable (inout Keyring) throws -> Void>] = [
        Named("settled with a next key", { $0.next = try DataKey.random() }),
        Named("rotating without a next key", { $0.state = .rotating }),
        Named("finishing without a next key", { $0.state = .finishing }),
        Named("begun with one master key", { $0.state = .begun }),
        Named("generation 0", { $0.generation = 0 }),
        Named("65 data keys", { for _ in 0..<64 { $0.retired.append(try DataKey.random()) } }),
        Named("one data key twice", { $0.retired.append($0.current) }),
        Named("no app", { $0 = try KeyringSample.keyring(.settled, app: "") }),
        Named("an app with a slash", { $0 = try KeyringSample.keyring(.settled, app: "a/b") }),
        Named("an app with a leading dot", { $0 = try KeyringSample.keyring(.settled, app: ".a") }),
        Named("an app in other letters", { $0 = try KeyringSample.keyring(.settled, app: "é") }),
        Named(
            "an app of 129 characters",
            { $0 = try KeyringSample.keyring(.settled, app: String(repeating: "a", count: 129)) }),
        Named(
            "a vault id of 15 bytes",
            {
                $0 = Keyring(
                    vaultID: [UInt8](repeating: 1, count: 15), app: "a", layout: .files,
                    current: $0.current)
            }),
    ]

    @Test("a keyring whose parts do not go together is not written", arguments: unsound)
    func unwritable(change: Named<@Sendable (inout Keyring) throws -> Void>) throws {
        var keyring = try KeyringSample.keyring(.settled)
        try change.value(&keyring)
        #expect(throws: Self.cannotBeWritten) { try keyring.sealed(for: [.random()]) }
    }

    private static let cannotBeWritten = VaultError.notPossible(
        what: "a keyring of this state, app and keys cannot be written")

    @Test("a keyring is wrapped for the number of master keys that its state has")
    func masterKeyCount() throws {
        let keys = try (0..<3).map { _ in try MasterKey.random() }
        for count in [0, 2, 3] {
            #expect(throws: Self.cannotBeWritten) {
                try KeyringSample.keyring(.settled).sealed(for: Array(keys.prefix(count)))
            }
        }
        #expect(throws: Self.cannotBeWritten) {
            try KeyringSample.keyring(.begun).sealed(for: [keys[0], keys[0]])
        }
    }

    @Test("64 data keys and an app of 128 characters are written and read")
    func largest() throws {
        let keyring = try KeyringSample.keyring(
            .rotating, retired: 62, app: String(repeating: "Z", count: 128))
        let key = try MasterKey.random()
        let opened = try KeyringSample.open(keyring.sealed(for: [key]), key)
        #expect(opened.dataKeys.count == 64)
        #expect(opened.app.count == 128)
    }

    @Test("no description of a keyring or its keys shows a byte of a key")
    func redaction() throws {
        let key = try Fixture.masterKey("plain")
        let keyring = try Fixture.keyring("settled", key)
        var dumped = ""
        dump(keyring, to: &dumped)
        dump(key, to: &dumped)
        dump(try keyring.current.name("a"), to: &dumped)
        let secrets = try ["master", "master-2", "data", "data-1", "data-2", "data-3", "data-4"]
            .map { Array(try Fixture.vector($0).prefix(4)) }
        for secret in secrets {
            #expect(!dumped.contains(Hexadecimal.text(of: secret)))
            #expect(!"\(keyring) \(key)".contains("\(secret)".dropFirst().dropLast()))
            #expect(!dumped.contains(secret.map { "- \($0)" }.joined(separator: "\n")))
        }
        #expect("\(keyring)".contains("SecretKey(32 bytes, redacted)"))
    }
}
