import Strongroom
import StrongroomSystem

/// The bench as one process of several: it does one thing for a while and prints a number.
enum Worker {
    /// What the first argument of such a process is.
    static let command = "worker"

    /// What another process of the bench does.
    ///
    /// `worker KIND ROOT COUNT BYTES START SECONDS`: gets or sets until the time is over, beginning at the moment START
    /// of the clock that all processes share; prints how many. `worker memory ROOT COUNT BYTES`: opens, reads one entry,
    /// and prints how many bytes of memory of its own the process has.
    static func run(_ arguments: [String]) throws {
        guard arguments.count >= 4, let count = Int(arguments[2]), let byteCount = Int(arguments[3])
        else { throw BenchFailure("a worker's arguments are wrong") }
        switch arguments[0] {
        case "memory":
            // Without the names of all entries, which would take twice what the vault does.
            let vault = try BenchVault(root: arguments[1], count: 0, byteCount: byteCount)
            let entry = try vault.area.entry(BenchVault.key(0))
            guard (entry != nil) == (count > 0) else {
                throw BenchFailure("an entry is missing, or too many are there")
            }
            print(try residentByteCount())
            withExtendedLifetime(vault) {}
        case let kind:
            var vault = try BenchVault(root: arguments[1], count: count, byteCount: byteCount)
            guard arguments.count == 6, let start = Int64(arguments[4]),
                let seconds = Double(arguments[5])
            else { throw BenchFailure("a worker's arguments are wrong") }
            let value = BenchVault.value(byteCount)
            _ = try vault.get(1)
            while Clock.monotonic() < start {}
            let end = max(start, Clock.monotonic()) + Int64(seconds * 1_000_000_000)
            var done = 0
            while Clock.monotonic() < end {
                _ = try kind == "get" ? vault.get(1) : vault.set(value, 1)
                done += 1
            }
            print(done)
        }
    }

    /// Memory that is no file's, in bytes (`RssAnon` of `/proc/self/status`).
    private static func residentByteCount() throws -> Int {
        let file = try OpenFile.open(
            "/proc/self/status", [.read], fileSystem: RealFileSystem())
        let text = String(decoding: try file.read(at: 0, count: 1 << 16), as: UTF8.self)
        for line in text.split(separator: "\n") where line.hasPrefix("RssAnon:") {
            let digits = line.filter { $0.isNumber }
            if let kibibytes = Int(digits) { return kibibytes << 10 }
        }
        throw BenchFailure("the kernel does not say how much memory a process has")
    }
}
