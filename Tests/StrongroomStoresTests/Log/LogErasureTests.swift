import SimulatedDisk
import StrongroomStores
import StrongroomSystem
import Testing

/// After compacting, or a rewrite, the bytes of what was removed, replaced or sealed anew are in no file of the log's
/// directory: not in the log, nor behind its end, nor in what killed processes left.
struct LogErasureTests {
    /// What ends with the bytes of what is gone.
    enum Work: String, CaseIterable, Sendable {
        case compact, rewrite

        func run(_ store: any Store, _ kind: StoreKind) throws {
            switch self {
            case .compact: try store.logBelow?.compact()
            case .rewrite:
                let owner = try store.owner() == kind.owner ? kind.nextOwner : kind.owner
                try store.rewrite(owner: owner) { id, entry, _ in
                    // What is sealed anew has other bytes.
                    let bytes = try entry.read(at: 0, count: Int(entry.byteCount))
                    return .put(id, .bytes(bytes.map { $0 ^ 1 }))
                }
            }
        }
    }

    /// Who is killed while he does something that leaves bytes.
    enum Victim: String, CaseIterable, Sendable {
        case commits, stages, compacts, rewrites

        func run(_ store: any Store, _ kind: StoreKind) throws {
            switch self {
            case .commits:
                try store.commit(
                    [
                        .put(EntryID("victim"), .bytes(LogErasureTests.secret("victim", 3000))),
                        .remove(EntryID("old")),
                    ], if: [:], owner: kind.owner)
            case .stages:
                let staged = try store.stage()
                let bytes = LogErasureTests.secret("victim", 3000)
                try staged.write(bytes.span, at: 0)
                try store.commit(
                    [.put(EntryID("victim"), .staged(staged))], if: [:], owner: kind.owner)
            case .compacts: try Work.compact.run(store, kind)
            case .rewrites: try Work.rewrite.run(store, kind)
            }
        }
    }

    /// A disk without unnamed files, so that what is staged lies in a folder.
    private struct Named: FileSystemWrapper {
        let inner: any FileSystem

        func open(
            _ path: Path, at directory: Descriptor?, _ options: OpenOptions, mode: UInt16
        ) throws(SystemError) -> Descriptor {
            guard !options.contains(.unnamed) else {
                throw SystemError(operation: "open", path: "", code: ErrorCode.notSupported)
            }
            return try inner.open(path, at: directory, options, mode: mode)
        }
    }

    /// A value with bytes that tell it from every other one, often enough that some are whole wherever it is cut.
    static func secret(_ name: String, _ byteCount: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < byteCount { bytes += Array("<secret of \(name)>".utf8) }
        return bytes
    }

    /// The files in which a secret is, as it was or sealed anew; no file may be too strange to be read.
    private static func files(
        holding name: String, in temporary: TemporaryDirectory
    ) throws -> [String] {
        let needle = Array("<secret of \(name)>".utf8)
        let sealedAnew = needle.map { $0 ^ 1 }
        return try temporary.paths(below: "store").filter { path in
            guard !path.hasSuffix("/") else { return false }
            let names = ["store"] + path.split(separator: "/").map(String.init)
            let bytes = try temporary.file(names.map { Path($0) }, [.read]).readAll(limit: 1 << 30)
            return contains(bytes, needle) || contains(bytes, sealedAnew)
        }
    }

    private static func contains(_ bytes: [UInt8], _ needle: [UInt8]) -> Bool {
        guard bytes.count >= needle.count else { return false }
        var start = 0
        while let found = bytes[start...].firstIndex(of: needle[0]) {
            if bytes[found...].starts(with: needle) { return true }
            start = found + 1
        }
        return false
    }

    /// Removes and replaces everything but `kept`.
    private static func end(_ store: any Store) throws {
        for change: StoreChange in [
            .remove(EntryID("victim")), .remove(EntryID("old")), .put(EntryID("new"), .bytes([1])),
        ] {
            do {
                try store.commit([change], if: [:], owner: try store.owner())
            } catch StoreError.ownerChanged {
                try store.commit([change], if: [:], owner: try store.owner())
            }
        }
    }

    @Test(arguments: StoreKind.logs, Work.allCases)
    func `bytes of what is removed or replaced are gone`(kind: StoreKind, work: Work) throws {
        let temporary = try TemporaryDirectory(inMemory: true)
        let store = try kind.make(in: temporary)
        let names = ["removed", "replaced", "old"]
        for name in names {
            // Not so much that the log is compacted by itself.
            let bytes = Self.secret(name, name == "removed" ? 100_000 : 500)
            try store.commit([.put(EntryID(name), .bytes(bytes))], if: [:], owner: kind.owner)
        }
        let kept = Self.secret("kept", 500)
        try store.commit([.put(EntryID("kept"), .bytes(kept))], if: [:], owner: kind.owner)
        try store.remove("removed")
        try store.put("1", "replaced")
        try Self.end(store)
        for name in names { #expect(try Self.files(holding: name, in: temporary) == ["log"]) }
        try work.run(store, kind)
        for name in names { #expect(try Self.files(holding: name, in: temporary) == [], "\(name)") }
        #expect(try Self.files(holding: "kept", in: temporary) == ["log"])
        let expected = work == .rewrite ? kept.map { $0 ^ 1 } : kept
        #expect(try store.read(EntryID("kept"))?.bytes == expected)
    }

    @Test(arguments: StoreKind.logs, Victim.allCases)
    func `bytes that a killed process left are gone`(kind: StoreKind, victim: Victim) throws {
        for isNamed in victim == .stages ? [false, true] : [false] {
            var call = 0
            var hasFailed = true
            var leftCount = 0
            while hasFailed {
                call += 1
                let temporary = try TemporaryDirectory(inMemory: true)
                var fileSystem: any FileSystem = RealFileSystem()
                if isNamed { fileSystem = Named(inner: fileSystem) }
                let store = try kind.make(in: temporary)
                let old = Self.secret("old", 3000)
                try store.commit([.put(EntryID("old"), .bytes(old))], if: [:], owner: kind.owner)
                let faulty = FaultyFileSystem(.killed, on: fileSystem)
                do {
                    // Its files are closed with it.
                    let killed = try kind.reopen(in: temporary, fileSystem: faulty)
                    faulty.arm(at: call)
                    try victim.run(killed, kind)
                } catch {
                    // It was killed.
                }
                hasFailed = faulty.hasFailed
                if try Self.files(holding: "victim", in: temporary) != [] { leftCount += 1 }
                try Self.end(store)
                let work: Work = call % 2 == 0 ? .compact : .rewrite
                try work.run(store, kind)
                for name in ["old", "victim"] {
                    #expect(
                        try Self.files(holding: name, in: temporary) == [],
                        "\(kind) \(victim) killed at \(call): \(name)")
                }
                #expect(try store.names() == ["new"])
            }
            #expect(call > 10)
            #expect(leftCount > 0 || victim == .compacts || victim == .rewrites)
        }
    }

    @Test(arguments: StoreKind.logs)
    func `bytes of commits that failed are gone`(kind: StoreKind) throws {
        for fault in [FaultyFileSystem.Fault.error, .errorAfterwards] {
            var call = 0
            var hasFailed = true
            while hasFailed {
                call += 1
                let temporary = try TemporaryDirectory(inMemory: true)
                let store = try kind.make(in: temporary)
                let faulty = FaultyFileSystem(fault)
                do {
                    let broken = try kind.reopen(in: temporary, fileSystem: faulty)
                    faulty.arm(at: call)
                    try Victim.commits.run(broken, kind)
                } catch {
                    // It failed.
                }
                hasFailed = faulty.hasFailed
                try Self.end(store)
                try Work.compact.run(store, kind)
                #expect(
                    try Self.files(holding: "victim", in: temporary) == [],
                    "\(kind) \(fault) at \(call)")
            }
            #expect(call > 10)
        }
    }
}
