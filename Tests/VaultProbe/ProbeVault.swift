import StrongroomCrypto
import StrongroomStores
import StrongroomSystem
import StrongroomVault

/// What the probe does with its vault.
struct ProbeVault {
    let root: Path
    let vault: Vault

    init(root: Path) {
        self.root = root
        var configuration = VaultConfiguration(
            app: "com.example.app", location: .directory(root.appending("vault")),
            masterKey: .file(root.appending("master.key"), isCredential: false),
            fileSystem: RealFileSystem(), now: { Clock.now() })
        configuration.waitSeconds = 60
        configuration.ownDirectories = [root]
        vault = Vault(configuration)
    }

    func firstOpen(_ key: String) throws {
        VaultProbe.say("ready")
        var byte: [UInt8] = [0]
        var span = byte.mutableSpan
        _ = try StandardStream.input.read(into: &span)
        try put(key, "value of \(key)")
        VaultProbe.say("done")
    }

    func setLoop(_ prefix: String, count: Int) throws {
        let end = try EndOfInput()
        var number = 0
        while !end.isReached {
            let key = "\(prefix)/\(number % count)"
            VaultProbe.say("setting \(key) \(number)")
            try put(key, "\(number)")
            VaultProbe.say("set \(key) \(number)")
            number += 1
        }
        VaultProbe.say("done \(number)")
    }

    func getLoop(_ prefix: String, count: Int) throws {
        let end = try EndOfInput()
        var seen: [String: Int] = [:]
        var number = 0
        while !end.isReached {
            let key = "\(prefix)/\(Int.random(in: 0..<count))"
            guard let text = try value(key), let found = Int(text) else {
                VaultProbe.say("error \(key) is not there, or is no number")
                ProcessExit.exit(1)
            }
            guard found >= seen[key] ?? 0 else {
                VaultProbe.say("error \(key) went back from \(seen[key] ?? 0) to \(found)")
                ProcessExit.exit(1)
            }
            seen[key] = found
            number += 1
        }
        VaultProbe.say("done \(number)")
    }

    func rotate() throws {
        VaultProbe.say("rotating")
        var options = RotationOptions()
        options.progress = { progress in
            if progress.done % 50 == 0 {
                VaultProbe.say("progress \(progress.done) \(progress.total)")
            }
        }
        let report = try vault.rotate(options)
        VaultProbe.say("rotated \(report.entryCount) \(report.damaged.count)")
    }

    func rewrap() throws {
        VaultProbe.say("rotating")
        _ = try vault.rewrap(RotationOptions())
        VaultProbe.say("rewrapped")
    }

    func get(_ key: String) throws {
        VaultProbe.say(try value(key).map { "value \($0)" } ?? "none")
    }

    func set(_ key: String, _ text: String) throws {
        try put(key, text)
        VaultProbe.say("done")
    }

    func keys() throws {
        for entry in try vault.list().entries { VaultProbe.say("key \(entry.key)") }
        VaultProbe.say("done")
    }

    func follow(_ key: String) throws {
        _ = try value(key)
        VaultProbe.say("ready")
        var line: [UInt8] = []
        while true {
            var byte: [UInt8] = [0]
            var span = byte.mutableSpan
            guard try StandardStream.input.read(into: &span) > 0 else { return }
            guard byte[0] == UInt8(ascii: "\n") else {
                line.append(byte[0])
                continue
            }
            try put(key, String(decoding: line, as: UTF8.self))
            line = []
            VaultProbe.say("done")
        }
    }

    private func value(_ key: String) throws -> String? {
        guard let entry = try vault.read(key) else { return nil }
        return String(decoding: entry.value.copyToArray(), as: UTF8.self)
    }

    private func put(_ key: String, _ text: String) throws {
        let bytes = SecretBytes(SecretBuffer(copying: Array(text.utf8).span))
        try vault.commit([.set(key: key, value: bytes, attributes: [:])], if: [:])
    }
}
