import StrongroomCrypto
import StrongroomStores
import StrongroomSystem

@testable import StrongroomVault

/// Something that is done to a vault, and what it makes of the values in it.
enum CrashStep: Hashable, Sendable {
    case set(String, Int)
    case del(String)
    case commit(set: [String], Int, del: String)
    case update(String)
    case rotate, rewrap, setPassphrase, removePassphrase, compact

    typealias Values = [String: String]

    /// Values of less than a sector, and of some.
    private static func value(_ number: Int) -> String {
        String(repeating: "\(number).", count: [2, 150, 700][number % 3])
    }

    /// Does it, in the vault that is there then.
    func run(_ vault: Vault) throws {
        switch self {
        case .set(let key, let number): try vault.set(key, Self.value(number))
        case .del(let key): try vault.del(key)
        case .commit(let keys, let number, let gone):
            try vault.commit(
                keys.map { VaultChange.set($0, Self.value(number)) } + [.del(key: gone)], if: [:])
        case .update(let key):
            let version = try vault.readVersion(key)
            let value = try vault.get(key) ?? ""
            try vault.commit([.set(key, value + "+")], if: [key: version])
        case .rotate: _ = try vault.rotate(RotationOptions())
        case .rewrap: _ = try vault.rewrap(RotationOptions())
        case .setPassphrase: try vault.setPassphrase(try .text("secret"))
        case .removePassphrase: try vault.removePassphrase()
        case .compact: try vault.compact()
        }
    }

    /// What it makes of `values`.
    func changed(_ values: Values) -> Values {
        var values = values
        switch self {
        case .set(let key, let number): values[key] = Self.value(number)
        case .del(let key): values[key] = nil
        case .commit(let keys, let number, let gone):
            for key in keys { values[key] = Self.value(number) }
            values[gone] = nil
        case .update(let key): values[key, default: ""] += "+"
        case .rotate, .rewrap, .setPassphrase, .removePassphrase, .compact: break
        }
        return values
    }
}

/// Steps that are done one after the other.
struct CrashScript: Sendable, CustomStringConvertible {
    var steps: [CrashStep]
    /// How many of them are durable before power may be lost.
    var preparedCount = 0
    var layout = VaultLayout.log
    /// Whether one process does them all, or each a new one.
    var isOneProcess = false

    /// A script that a seed gives, of a first set and some more steps.
    init(layout: VaultLayout, _ random: inout Seeded) {
        self.layout = layout
        isOneProcess = Bool.random(using: &random)
        steps = [.set("a", Int.random(in: 0..<9, using: &random))]
        for _ in 0..<Int.random(in: 2...4, using: &random) {
            steps.append(Self.step(&random))
        }
    }

    init(_ steps: [CrashStep], preparedCount: Int) {
        self.steps = steps
        self.preparedCount = preparedCount
    }

    private static func step(_ random: inout Seeded) -> CrashStep {
        let key = ["a", "b", "c"][Int.random(in: 0..<3, using: &random)]
        let number = Int.random(in: 0..<9, using: &random)
        return switch Int.random(in: 0..<12, using: &random) {
        case 0...2: .set(key, number)
        case 3, 4: .del(key)
        case 5: .commit(set: ["b", "d"], number, del: "a")
        case 6: .update(key)
        case 7: .rotate
        case 8: .rewrap
        case 9: .setPassphrase
        case 10: .removePassphrase
        default: .compact
        }
    }

    var description: String {
        "\(layout), \(isOneProcess ? "one process" : "a process each"): \(steps)"
            + (preparedCount == 0 ? "" : ", the first \(preparedCount) durable")
    }

    /// The script of the first step alone.
    var first: CrashScript {
        var script = self
        script.steps = [steps[0]]
        return script
    }

    /// The scripts that lack one step more, but not the first, without which there is no vault.
    var shorter: [CrashScript] {
        steps.indices.dropFirst(max(preparedCount, 1)).map { index in
            var script = self
            script.steps.remove(at: index)
            return script
        }
    }
}
