// What a vault takes on the disk and in memory.
import Strongroom
import StrongroomSystem

extension Bench {
    mutating func measureSizes() throws {
        for (byteCount, limit) in [(1024, nil), (32, 320.0)] {
            progress.next("disk, \(byteCount) bytes")
            let vault = try BenchVault(
                filled: "vault", in: workplace, count: scale.usual, byteCount: byteCount)
            let allocated = try vault.allocatedByteCount() / Double(scale.usual)
            add(
                "disk-\(byteCount)", "disk an entry", .bytes, entryCount: scale.usual,
                byteCount: byteCount, rounds: [[allocated]])
            if let limit {
                compare(
                    "disk-\(byteCount)",
                    Comparison(
                        "\(Int(limit)) bytes", ours: [allocated], theirs: [limit], .atMost(1)))
            }
        }
        progress.next("memory")
        let full = try BenchVault(
            filled: "vault", in: workplace, count: scale.many, byteCount: 32)
        let empty = try BenchVault(filled: "empty", in: workplace, count: 1, byteCount: 32)
        var perEntry: [Double] = []
        for _ in 0..<3 {
            let used = try programs.work(["memory", full.root, String(scale.many), "32"])
            let least = try programs.work(["memory", empty.root, "1", "32"])
            perEntry.append((used - least) / Double(scale.many))
        }
        add(
            "memory", "memory an entry, opened", .bytes, entryCount: scale.many, byteCount: 32,
            rounds: [perEntry])
        compare(
            "memory",
            Comparison(
                "64 bytes", ours: Figure(perEntry), theirs: Figure(once: 64), .atMost(1)))
    }
}

extension BenchVault {
    /// Bytes that everything in the vault's directory has on the disk.
    func allocatedByteCount() throws -> Double {
        let directory = try OpenFile.open(
            Path(root + "/vault"), [.read, .directory], fileSystem: RealFileSystem())
        return Double(try Self.allocated(in: directory))
    }

    private static func allocated(in directory: OpenFile) throws -> Int64 {
        var sum: Int64 = 0
        for item in try directory.list() {
            sum += try directory.status(of: item.name)?.allocatedByteCount ?? 0
            if item.kind == .directory {
                sum += try allocated(in: try directory.openFile(item.name, [.read, .directory]))
            }
        }
        return sum
    }
}
