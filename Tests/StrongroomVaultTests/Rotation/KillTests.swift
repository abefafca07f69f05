import StrongroomCrypto
import StrongroomSystem
import Testing

@testable import StrongroomVault

/// What is done to a vault while it is killed, and again afterwards.
struct KilledOperation: Sendable {
    let run: @Sendable (Vault, TemporaryVault) throws -> Void
    /// True if the old key file opens nothing any more once it was run to its end.
    var endsOldKey = true
    /// The passphrase of the key file before.
    var passphrase: String?
    /// Prepares a vault that holds values already.
    var prepare: @Sendable (Vault, TemporaryVault) throws -> Void = { _, _ in }
    /// The key file that is in use while it runs, and after it.
    var key: @Sendable (TemporaryVault) -> Path = { $0.key }
}

@Suite(.bothLayouts) struct KillTests {
    static let values = ["a": "one", "folder/b": "two", "c": String(repeating: "x", count: 3000)]

    static let operations: [Named<KilledOperation>] = [
        Named("rotate", KilledOperation { vault, _ in _ = try vault.rotate(RotationOptions()) }),
        Named(
            "rotate, sealed",
            KilledOperation(
                run: { vault, _ in _ = try vault.rotate(RotationOptions()) }, passphrase: "old")),
        Named("rewrap", KilledOperation { vault, _ in _ = try vault.rewrap(RotationOptions()) }),
        Named(
            "rotate and keep the old key",
            KilledOperation { vault, place in
                var options = RotationOptions()
                options.keepOldKey = place.root.appending("old.key")
                do {
                    _ = try vault.rotate(options)
                } catch VaultError.exists {
                    // Kept by a run that was finished before: this one starts another rotation.
                    _ = try vault.rotate(RotationOptions())
                }
            }),
        Named(
            "begin",
            KilledOperation(
                run: { vault, place in
                    do {
                        try vault.beginRotation(
                            newKeyFile: place.root.appending("new.key"), RotationOptions())
                    } catch VaultError.exists {
                        // Begun by the one who was killed.
                    }
                }, endsOldKey: false)),
        Named(
            "finish",
            KilledOperation(
                run: { vault, _ in
                    do {
                        _ = try vault.finishRotation(RotationOptions())
                    } catch VaultError.notPossible {
                        // Finished by the one who was killed.
                    }
                },
                prepare: { vault, place in
                    try vault.beginRotation(
                        newKeyFile: place.root.appending("new.key"), RotationOptions())
                },
                key: { $0.root.appending("new.key") })),
        Named(
            "abort",
            KilledOperation(
                run: { vault, _ in
                    do {
                        try vault.abortRotation()
                    } catch VaultError.notPossible {
                        // Aborted by the one who was killed.
                    }
                }, endsOldKey: false,
                prepare: { vault, place in
                    try vault.beginRotation(
                        newKeyFile: place.root.appending("new.key"), RotationOptions())
                })),
        Named(
            "set a passphrase",
            KilledOperation(
                run: { vault, _ in try vault.setPassphrase(try .text("old")) },
                endsOldKey: false)),
        Named(
            "remove the passphrase",
            KilledOperation(
                run: { vault, _ in try vault.removePassphrase() }, endsOldKey: false,
                passphrase: "old")),
        Named(
            "import a key",
            KilledOperation(
                run: { vault, place in
                    let text = try Tree.read(place.root.appending("copy.key"))
                    try vault.importKey(text: try SecretKey(copying: text.span), force: true)
                }, endsOldKey: false,
                prepare: { _, place in
                    try Tree.write(
                        try Tree.read(place.key), to: place.root.appending("copy.key"))
                })),
    ]

    @Test(arguments: operations)
    func `a process killed at any call loses nothing, and what it began can be run again`(
        _ named: Named<KilledOperation>
    ) throws {
        let operation = named.value
        let template = try Self.template(operation)
        let tree = try Tree.files(template.root)
        var count = 0
        while true {
            let killing = KillingFileSystem(after: count)
            try Self.kill(operation, tree, killing, "killed after \(count) calls")
            if !killing.isKilled { break }
            if killing.diedWriting {
                let tearing = KillingFileSystem(after: count, tears: true)
                try Self.kill(operation, tree, tearing, "torn after \(count) calls")
            }
            count += 1
        }
        #expect(count > 3)
    }

    /// Runs the operation on a copy of `tree` until it is killed, and judges what is left; `original` is what there was
    /// before the operation was first run.
    static func kill(
        _ operation: KilledOperation, _ tree: [Path: [UInt8]], _ killing: KillingFileSystem,
        original: [Path: [UInt8]]? = nil, _ comment: Comment
    ) throws {
        let place = try TemporaryVault()
        try Tree.restore(tree, to: place.root)
        do {
            try operation.run(vault(place, killing, operation), place)
        } catch {
            guard killing.isKilled else { throw error }
        }
        try judge(operation, place, comment)
        try operation.run(vault(place, KillingFileSystem.unsynced, operation), place)
        let vault = vault(place, KillingFileSystem.unsynced, operation)
        for (key, value) in values { #expect(try vault.get(key) == value, comment) }
        #expect(try vault.get("later") == "late", comment)
        #expect(try vault.check(progress: nil).findings == [], comment)
        for path in try Tree.files(place.root).keys {
            // The user's own place for the new key is swept when that is in use.
            if path == "new.key.%new" { continue }
            #expect(!path.bytes.contains(UInt8(ascii: "%")), comment)
            #expect(path != "master.key.next", comment)
        }
        if operation.endsOldKey {
            let old = place.root.appending("stolen.key")
            try Tree.write(try #require((original ?? tree)["master.key"]), to: old)
            #expect(throws: VaultError.wrongMasterKey(path: old.description), comment) {
                try place.vault { configuration in
                    configuration.masterKey = .file(old, isCredential: false)
                    configuration.passphrase = { try .text("old") }
                }.get("a")
            }
        }
    }

    /// What must hold at once, with the files as they lie: every value is there, and reading it writes nothing.
    private static func judge(
        _ operation: KilledOperation, _ place: TemporaryVault, _ comment: Comment
    ) throws {
        let left = try Tree.files(place.root)
        let reader = vault(place, KillingFileSystem.unsynced, operation)
        for (key, value) in values { #expect(try reader.get(key) == value, comment) }
        #expect(try reader.keyList.sorted() == values.keys.sorted(), comment)
        #expect(try Tree.files(place.root) == left, comment)
        let writer = vault(place, KillingFileSystem.unsynced, operation)
        try writer.set("later", "late")
        #expect(try reader.get("later") == "late", comment)
    }

    static func template(_ operation: KilledOperation) throws -> TemporaryVault {
        let place = try TemporaryVault()
        let vault = place.vault { configuration in
            configuration.passphraseCost = .init(passes: 1, memoryByteCount: 8 << 20)
        }
        _ = try vault.create(passphrase: try operation.passphrase.map { try .text($0) })
        for (key, value) in values { try vault.set(key, value) }
        try operation.prepare(vault, place)
        return place
    }

    static func vault(
        _ place: TemporaryVault, _ fileSystem: any FileSystem, _ operation: KilledOperation
    ) -> Vault {
        place.vault { configuration in
            configuration.fileSystem = fileSystem
            configuration.masterKey = .file(operation.key(place), isCredential: false)
            configuration.passphraseCost = .init(passes: 1, memoryByteCount: 8 << 20)
            configuration.passphrase = { try .text("old") }
        }
    }
}
