import SimulatedDisk
import StrongroomCrypto
import StrongroomSystem
import Testing

@testable import StrongroomVault

/// The machine loses power between any two calls, on a disk that forgets whatever was not synced.
@Suite struct PowerLossTests {
    static let key: Path = "/home/app/config/master.key"
    static let newKey: Path = "/home/app/config/new.key"
    static let crashesPerMoment = TestLength.count(2, long: 8)

    struct Operation: Sendable {
        /// Readies the vault, in which there are values unless it `begins`.
        var prepare: @Sendable (SimulatedDisk) throws -> Void = { _ in }
        /// Runs it, also where it was begun or even finished before.
        var run: @Sendable (SimulatedDisk) throws -> Void
        var begins = false
        var key = PowerLossTests.key
        var endsOldKey = false
    }

    /// What a vault that is made has.
    @TaskLocal static var layout = VaultLayout.log

    static let values = ["a": "one", "b": "two"]

    static func vault(
        _ disk: SimulatedDisk, key: Path = PowerLossTests.key, through door: (any FileSystem)? = nil
    ) -> Vault {
        var configuration = VaultConfiguration(
            app: "com.example.app", location: .directory("/home/app/data/vault"),
            masterKey: .file(key, isCredential: false), fileSystem: door ?? disk, now: { 1 })
        configuration.layout = layout
        configuration.passphraseCost = .init(passes: 1, memoryByteCount: 8 << 20)
        configuration.passphrase = { try .text("secret") }
        return Vault(configuration)
    }

    static let operations: [Named<Operation>] = [
        Named("init", Operation(run: { try begin($0) }, begins: true)),
        Named(
            "a first set", Operation(run: { try vault($0).set("a", "one") }, begins: true)),
        Named("a set", Operation(run: { try vault($0).set("a", "one") })),
        Named(
            "rotate",
            Operation(run: { _ = try vault($0).rotate(RotationOptions()) }, endsOldKey: true)),
        Named(
            "rewrap",
            Operation(run: { _ = try vault($0).rewrap(RotationOptions()) }, endsOldKey: true)),
        Named(
            "begin",
            Operation(run: { disk in
                try unless({ if case .exists = $0 { true } else { false } }) {
                    try vault(disk).beginRotation(newKeyFile: newKey, RotationOptions())
                }
            })),
        Named(
            "finish",
            Operation(
                prepare: {
                    try vault($0).beginRotation(newKeyFile: newKey, RotationOptions())
                },
                run: { disk in
                    try unless({ if case .notPossible = $0 { true } else { false } }) {
                        _ = try vault(disk, key: newKey).finishRotation(RotationOptions())
                    }
                }, key: newKey, endsOldKey: true)),
        Named(
            "abort",
            Operation(
                prepare: {
                    try vault($0).beginRotation(newKeyFile: newKey, RotationOptions())
                },
                run: { disk in
                    try unless({ if case .notPossible = $0 { true } else { false } }) {
                        try vault(disk).abortRotation()
                    }
                })),
        Named(
            "a passphrase",
            Operation(run: { try vault($0).setPassphrase(try SecretKey.text("secret")) })),
    ]

    /// `init`, unless it was done.
    private static func begin(_ disk: SimulatedDisk) throws {
        try unless({ if case .exists = $0 { true } else { false } }) {
            _ = try vault(disk).create(passphrase: nil)
        }
    }

    /// Runs `body`, whose error may be one that says that it was done before.
    private static func unless(
        _ isDone: (VaultError) -> Bool, _ body: () throws -> Void
    ) throws {
        do {
            try body()
        } catch {
            guard let error = error as? VaultError, isDone(error) else { throw error }
        }
    }

    /// A disk with the vault on it, durable.
    static func start(_ operation: Operation) throws -> SimulatedDisk {
        let disk = SimulatedDisk()
        for path in ["/home", "/home/app"] {
            try disk.makeDirectory(Path(path), at: nil, mode: 0o700)
        }
        if !operation.begins {
            for (key, value) in values { try vault(disk).set(key, value) }
            try operation.prepare(disk)
        }
        disk.syncAll()
        return disk
    }

    static func expectValues(
        _ operation: Operation, _ disk: SimulatedDisk, and more: [String: String] = [:],
        _ comment: Comment
    ) throws {
        let vault = vault(disk, key: operation.key)
        for (key, value) in operation.begins ? more : values.merging(more, uniquingKeysWith: { $1 })
        {
            #expect(try vault.get(key) == value, comment)
        }
        #expect(try vault.list().damaged == [], comment)
    }

    /// The old key opens nothing, once the rotation was said to be done.
    static func expectOldKeyEnded(
        _ operation: Operation, _ oldKey: [UInt8]?, _ disk: SimulatedDisk, _ comment: Comment
    ) throws {
        guard operation.endsOldKey, let oldKey else { return }
        let stolen: Path = "/home/app/stolen.key"
        let file = try OpenFile.open(stolen, [.write, .create], fileSystem: disk)
        try file.write(oldKey.span, at: 0)
        #expect(
            failure { _ = try vault(disk, key: stolen).get("a") }
                == .wrongMasterKey(path: stolen.description), comment)
    }

    static func bytes(_ path: Path, _ disk: SimulatedDisk) -> [UInt8]? {
        do {
            return try OpenFile.open(path, [.read], fileSystem: disk).readAll(limit: 1 << 16)
        } catch {
            return nil
        }
    }

    @Test(arguments: operations, VaultLayout.allCases)
    func `power may be lost between any two calls`(
        _ named: Named<Operation>, _ layout: VaultLayout
    ) throws {
        try Self.$layout.withValue(layout) { try Self.losePower(named.value) }
    }

    static func losePower(_ operation: Operation) throws {
        let disk = try Self.start(operation)
        let oldKey = Self.bytes(Self.key, disk)
        disk.record()
        try operation.run(disk)
        let moments = disk.moments
        #expect(moments.count > 3)
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = Seeded(seed)
        for (index, moment) in moments.enumerated() {
            let comment: Comment = "call \(index) of \(moments.count), seed \(seed)"
            for _ in 0..<Self.crashesPerMoment {
                let after = SimulatedDisk(crashedAt: moment, losing: .some, &random)
                try Self.expectValues(operation, after, comment)
                if index == moments.count - 1 {
                    try Self.expectOldKeyEnded(operation, oldKey, after, comment)
                }
                try operation.run(after)
                try Self.vault(after, key: operation.key).set("later", "late")
                // What is acknowledged now outlasts the next crash at once.
                let again = SimulatedDisk(crashedAt: after.now, losing: .some, &random)
                try Self.expectValues(operation, again, and: ["later": "late"], comment)
                try Self.expectOldKeyEnded(operation, oldKey, again, comment)
                #expect(
                    try Self.vault(again, key: operation.key).check(progress: nil).findings
                        .allSatisfy { $0.kind == .leftover }, comment)
            }
        }
    }

    @Test(arguments: operations, VaultLayout.allCases)
    func `one is killed, another goes on from what he sees, and then power is lost`(
        _ named: Named<Operation>, _ layout: VaultLayout
    ) throws {
        try Self.$layout.withValue(layout) { try Self.killAndLosePower(named.value) }
    }

    static func killAndLosePower(_ operation: Operation) throws {
        let disk = try Self.start(operation)
        let oldKey = Self.bytes(Self.key, disk)
        disk.record()
        try operation.run(disk)
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = Seeded(seed)
        for (index, moment) in disk.moments.enumerated() {
            let comment: Comment = "call \(index), seed \(seed)"
            for _ in 0..<Self.crashesPerMoment {
                // He only sets a value.
                let seen = SimulatedDisk(killedAt: moment)
                try Self.vault(seen, key: operation.key).set("later", "late")
                let after = SimulatedDisk(crashedAt: seen.now, losing: .some, &random)
                try Self.expectValues(operation, after, and: ["later": "late"], comment)
                // He goes on with what was begun, and power is lost at any of his calls.
                let resumed = SimulatedDisk(killedAt: moment)
                resumed.record()
                try operation.run(resumed)
                for late in resumed.moments {
                    guard Int.random(in: 0..<8, using: &random) == 0 else { continue }
                    let crashed = SimulatedDisk(crashedAt: late, losing: .some, &random)
                    try Self.expectValues(operation, crashed, comment)
                    try operation.run(crashed)
                    try Self.expectValues(operation, crashed, comment)
                }
                let done = SimulatedDisk(crashedAt: resumed.now, losing: .some, &random)
                try Self.expectValues(operation, done, comment)
                try Self.expectOldKeyEnded(operation, oldKey, done, comment)
            }
        }
    }
}
