import Glibc
import StrongroomStores
import StrongroomSystem

/// A process of its own for the tests of the stores: `StoreProbe KIND DIRECTORY WORK [ARGUMENT…]`.
///
/// KIND is `area`, `vault` or `log`. It ends with 0, or with 1 and the reason on standard error.
@main
enum StoreProbe {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count >= 3 else { exit(2) }
        do {
            let path = Path(arguments[1])
            if arguments[2] == "stress" {
                let store = try open(arguments[0], path)
                return try ProbeStress.run(store, at: path, Array(arguments.dropFirst(3)))
            }
            try run(arguments[2], Array(arguments.dropFirst(3))) {
                try open(arguments[0], path)
            }
        } catch {
            say("\(error)\n", on: 2)
            exit(1)
        }
    }

    private static func open(_ kind: String, _ path: Path) throws(StoreError) -> any Store {
        switch kind {
        case "vault":
            try DirectoryStore.open(
                vaultAt: path, fileSystem: RealFileSystem(), idByteCounts: 1...150)
        case "log":
            try LogStore.open(at: path, keys: ProbeLogKeys(), fileSystem: RealFileSystem())
        default: DirectoryStore(areaAt: path, fileSystem: RealFileSystem())
        }
    }

    private static func run(
        _ work: String, _ arguments: [String], _ open: () throws -> any Store
    ) throws {
        switch work {
        case "set": try set(try open(), arguments[0], Int(arguments[1]) ?? 0)
        case "get": try get(try open(), arguments)
        case "alternate": try alternate(try open(), Int(arguments[0]) ?? 0)
        case "watch": try watch(try open(), Int(arguments[0]) ?? 0, Int(arguments[1]) ?? 0)
        case "commit": try commit(try open(), Int(arguments[0]) ?? 0)
        case "rewrite": try rewrite(try open())
        case "compact": try compact(try open())
        case "modes":
            umask(mode_t(arguments[0], radix: 8) ?? 0)
            try everything(try open())
        case "as":
            guard setgid(gid_t(arguments[0]) ?? 0) == 0, setuid(uid_t(arguments[0]) ?? 0) == 0
            else { throw Failure(what: "setuid") }
            try run(arguments[1], Array(arguments.dropFirst(2)), open)
        default: throw Failure(what: work)
        }
    }

    /// Sets `count` keys of its own.
    private static func set(_ store: any Store, _ prefix: String, _ count: Int) throws {
        for number in 0..<count { try put(store, "\(prefix)/\(number)", [UInt8](prefix.utf8)) }
    }

    /// Prints the values of keys, one a line.
    private static func get(_ store: any Store, _ keys: [String]) throws {
        for key in keys {
            guard let entry = try store.read(id(key)) else { throw Failure(what: "no \(key)") }
            say(String(decoding: entry.bytes, as: UTF8.self) + "\n")
        }
    }

    /// Replaces one value by another for ever.
    private static func alternate(_ store: any Store, _ byteCount: Int) throws {
        var letter = UInt8(ascii: "a")
        while true {
            try put(store, "key", [UInt8](repeating: letter, count: byteCount))
            if letter == UInt8(ascii: "a") { say("ready\n") }
            letter = letter == UInt8(ascii: "a") ? UInt8(ascii: "b") : UInt8(ascii: "a")
        }
    }

    /// Reads that value `count` times: it is always one of the two, whole.
    private static func watch(_ store: any Store, _ count: Int, _ byteCount: Int) throws {
        let memory = MemoryStore()
        try put(memory, "a", [UInt8](repeating: UInt8(ascii: "a"), count: byteCount))
        try put(memory, "b", [UInt8](repeating: UInt8(ascii: "b"), count: byteCount))
        let whole = [try memory.read(id("a"))?.version, try memory.read(id("b"))?.version]
        var seen: Set<Version> = []
        for _ in 0..<count {
            guard let entry = try store.read(id("key")) else { throw Failure(what: "no value") }
            let version = try ContentHash.version(of: entry.bytes)
            guard whole.contains(version) else { throw Failure(what: "torn") }
            seen.insert(version)
        }
        say("\(seen.count)\n")
    }

    /// Commits a number under several keys for ever, from `start` on, and prints it once it is acknowledged.
    private static func commit(_ store: any Store, _ start: Int) throws {
        var number = start
        while true {
            let bytes = Array(String(number).utf8)
            try store.commit(
                [
                    .put(id("one"), .bytes(bytes)), .put(id("folder/two"), .bytes(bytes)),
                    number % 2 == 0
                        ? .remove(id("even/odd")) : .put(id("even/odd"), .bytes(bytes)),
                ], if: [:], owner: try store.owner())
            say("\(number)\n")
            number += 1
        }
    }

    /// Rewrites for ever; an owner that comes and goes.
    private static func rewrite(_ store: any Store) throws {
        var number: UInt8 = 0
        while true {
            let owner = try store.owner().map { _ in OwnerID([0, 0, 0, 0, 0, 0, 0, number & 1]) }
            try store.rewrite(owner: owner) { id, entry, _ in
                .put(id, .bytes(try entry.read(at: 0, count: Int(entry.byteCount))))
            }
            say("\(number)\n")
            number &+= 1
        }
    }

    /// Compacts a log for ever, as one that holds the lock for it.
    private static func compact(_ store: any Store) throws {
        guard let log = store as? LogStore else { throw Failure(what: "no log") }
        while true {
            try log.compact()
            say("compacted\n")
        }
    }

    /// Every way to write.
    private static func everything(_ store: any Store) throws {
        try put(store, "plain", [1])
        try put(store, "plain", [2])
        try put(store, "new/folder/deep", [3])
        try store.commit(
            [.put(id("several/one"), .bytes([4])), .put(id("two"), .bytes([]))], if: [:],
            owner: try store.owner())
        let staged = try store.stage()
        let bytes: [UInt8] = [5]
        try staged.write(bytes.span, at: 0)
        try store.commit([.put(id("staged"), .staged(staged))], if: [:], owner: try store.owner())
        try store.rewrite(owner: try store.owner()) { id, entry, _ in
            .put(id, .bytes(try entry.read(at: 0, count: Int(entry.byteCount))))
        }
    }

    private static func put(_ store: any Store, _ key: String, _ bytes: [UInt8]) throws {
        try store.commit([.put(id(key), .bytes(bytes))], if: [:], owner: try store.owner())
    }

    private static func id(_ key: String) -> EntryID { EntryID(Array(key.utf8)) }

    private static func say(_ text: String, on stream: Int32 = 1) {
        let bytes = Array(text.utf8)
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe _ = write(stream, bytes.baseAddress, bytes.count)
        }
    }

    private struct Failure: Error {
        let what: String
    }
}
