import StrongroomCrypto
import StrongroomSystem
import StrongroomVault

/// How long a vault takes for its work, beside the least that a disk takes: one line for each.
struct ProbeMeasure {
    let root: Path
    let count: Int
    private let value = SecretBytes(SecretBuffer(byteCount: 1024))

    init(root: Path, count: Int) {
        self.root = root
        self.count = count
    }

    private func key(_ index: Int) -> String {
        let digits = String(index)
        return "service/" + String(repeating: "0", count: 16 - digits.count) + digits
    }

    private func vault() -> Vault { ProbeVault(root: root).vault }

    func run() throws {
        let vault = vault()
        let all = (0..<count).map {
            VaultChange.set(key: key($0), value: value, attributes: [:])
        }
        _ = try vault.create(passphrase: nil)
        try once("batch of \(count)") { try vault.commit(all, if: [:]) }
        try once("open, get") { _ = try self.vault().read(key(1)) }
        try many("get", 20_000) { index in _ = try vault.read(key(index * 7919 % count)) }
        try once("list, cold") { _ = try vault.list().keys.count }
        try many("list, warm", 1000) { _ in _ = try vault.list().keys.count }
        try many("set", 400) { index in
            let change = VaultChange.set(
                key: key(index * 7919 % count), value: value, attributes: [:])
            try vault.commit([change], if: [:])
        }
        try once("list, 400 set anew") { _ = try vault.list().keys.count }
        try many("list, one set anew", 100) { index in
            let change = VaultChange.set(key: key(index), value: value, attributes: [:])
            try vault.commit([change], if: [:])
            _ = try vault.list().keys.count
        }
        try floor()
        try once("rotation of \(count)") { _ = try vault.rotate(RotationOptions()) }
        try many("rewrap", 20) { _ in _ = try vault.rewrap(RotationOptions()) }
        try once("compaction") { try vault.compact() }
        try once("check") { _ = try vault.check(progress: nil) }
    }

    /// A write of what a set writes, into space that is written, its sync, and a write of 64 bytes.
    private func floor() throws {
        let directory = try OpenFile.open(
            root, [.read, .directory], fileSystem: RealFileSystem())
        let file = try directory.openFile("floor", [.write, .create])
        let hint = try directory.openFile("hint", [.write, .create])
        try file.write([UInt8](repeating: 0, count: 1 << 20).span, at: 0)
        try file.sync()
        let bytes = [UInt8](repeating: 1, count: 1340)
        try many("floor of a set", 400) { index in
            try file.write(bytes.span, at: Int64(index * 1344))
            try file.syncData()
            try hint.write([UInt8](repeating: UInt8(index % 256), count: 64).span, at: 0)
        }
        let next: Path = "floor.%new"
        try many("floor of a rewrap", 20) { _ in
            let new = [UInt8](repeating: 1, count: 300)
            try AtomicFile.replace("floor", in: directory, with: new.span, temporaryName: next)
        }
    }

    private func once(_ name: String, _ body: () throws -> Void) throws {
        let start = Clock.monotonic()
        try body()
        VaultProbe.say("\(name): \((Clock.monotonic() - start) / 1000) µs")
    }

    /// The median and the mean of single calls.
    private func many(_ name: String, _ times: Int, _ body: (Int) throws -> Void) throws {
        var spans: [Int64] = []
        for index in 0..<times {
            let start = Clock.monotonic()
            try body(index)
            spans.append(Clock.monotonic() - start)
        }
        let mean = spans.reduce(0, +) / Int64(times)
        spans.sort()
        VaultProbe.say("\(name): \(spans[times / 2]) ns median, \(mean) ns mean")
    }
}
