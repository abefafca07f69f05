import StrongroomStores
import StrongroomSystem
import Testing

/// Several processes on one directory, and processes that are killed.
@Suite(.timeLimit(.minutes(5))) struct ProcessTests {
    let temporary: TemporaryDirectory

    init() throws { temporary = try TemporaryDirectory() }

    private static let kinds: [StoreKind] = [.plainArea, .vault, .log]

    @Test(arguments: kinds)
    func `a process finds what another one set`(kind: StoreKind) throws {
        let store = try kind.make(in: temporary)
        try store.put("value", "https://example.com/a b")
        let probe = try Probe(kind, temporary, "get", "https://example.com/a b")
        #expect(probe.line() == "value")
        #expect(probe.end().status == 0)
    }

    @Test(arguments: kinds)
    func `two processes that set 200 keys each lose none`(kind: StoreKind) throws {
        let store = try kind.make(in: temporary)
        let probes = [
            try Probe(kind, temporary, "set", "first", "200"),
            try Probe(kind, temporary, "set", "second", "200"),
        ]
        for probe in probes { #expect(probe.end() == (0, "")) }
        #expect(try store.ids().count == 400)
    }

    @Test(arguments: kinds)
    func `a reader beside a writer of a large value always sees one value whole`(
        kind: StoreKind
    ) throws {
        _ = try kind.make(in: temporary)
        let writer = try Probe(kind, temporary, "alternate", "1048576")
        #expect(writer.line() == "ready")
        let reader = try Probe(kind, temporary, "watch", "2000", "1048576")
        #expect(reader.line() == "2")
        #expect(reader.end() == (0, ""))
        writer.kill()
    }

    @Test(arguments: kinds)
    func `a writer that is killed leaves all of a commit or nothing, and no lock`(
        kind: StoreKind
    ) throws {
        let store = try kind.make(in: temporary)
        var random = SplitMix(state: 7)
        var acknowledged = -1
        for _ in 0..<25 {
            let probe = try Probe(kind, temporary, "commit", String(acknowledged + 1))
            for _ in 0...Int.random(in: 0...6, using: &random) {
                acknowledged = Int(probe.line() ?? "") ?? acknowledged
            }
            // Somewhere in the next commit.
            for _ in 0..<Int.random(in: 0...20_000, using: &random) {}
            probe.kill()
            while let line = probe.line() { acknowledged = Int(line) ?? acknowledged }

            let again = try kind.reopen(in: temporary, waitSeconds: 5)
            let one = try #require(try again.text("one").flatMap { Int($0) })
            #expect(one == acknowledged || one == acknowledged + 1)
            #expect(try again.text("folder/two") == String(one))
            #expect(try again.text("even/odd") == (one % 2 == 0 ? nil : String(one)))
            try again.put("after", "after")
            // A log's next writer takes up what the killed one wrote whole and did not live to tell.
            let now = try #require(try again.text("one").flatMap { Int($0) })
            #expect(now == one || kind == .log && now == acknowledged + 1)
            #expect(try again.text("folder/two") == String(now))
            acknowledged = now
        }
        let count = acknowledged % 2 == 0 ? 3 : 4
        #expect(try store.ids().count == count)
        let files = try temporary.paths(below: "store").filter { !$0.hasSuffix("/") }
        if kind == .log {
            #expect(Set(files).isSubset(of: ["log", "lock", "gate", "index", "job"]))
        } else {
            #expect(files.count == count + (kind == .vault ? 3 : 2))
        }
    }

    @Test func `a rewriter that is killed leaves one generation whole, and readers never notice`()
        throws
    {
        let kind = StoreKind.vault
        let store = try kind.make(in: temporary)
        for number in 0..<30 { try store.put("value \(number)", "key \(number)") }
        var expected: [String: String] = [:]
        for number in 0..<30 { expected["key \(number)"] = "value \(number)" }
        var random = SplitMix(state: 11)
        for round in 0..<8 {
            let probe = try Probe(kind, temporary, "rewrite")
            for _ in 0..<Int.random(in: 1...3, using: &random) { _ = probe.line() }
            for _ in 0..<20 {
                let number = Int.random(in: 0..<30, using: &random)
                #expect(try store.text("key \(number)") == "value \(number)")
            }
            expected["round"] = "\(round)"
            while true {
                do {
                    try store.put("\(round)", "round")
                    break
                } catch {
                    guard case .ownerChanged? = error as? StoreError else { throw error }
                }
            }
            probe.kill()
            #expect(try kind.reopen(in: temporary).contents() == expected)
        }
        let again = try kind.reopenDirectory(in: temporary, waitSeconds: 5)
        try again.sweepLeftovers()
        #expect(try again.leftovers() == [])
        #expect(try again.contents() == expected)
        // lock, gate, entries, one directory, its 31 files.
        #expect(try temporary.paths(below: "store").count == 3 + 1 + 31)
    }

    @Test(arguments: kinds, ["000", "022", "077", "777"])
    func `files are 0600 and folders 0700, whatever the umask`(
        kind: StoreKind, umask: String
    ) throws {
        _ = try kind.make(in: temporary)
        #expect(try Probe(kind, temporary, "modes", umask).end() == (0, ""))
        var names = [["store"]]
        names += try temporary.paths(below: "store").map { path in
            ["store"] + path.split(separator: "/").map(String.init)
        }
        #expect(names.count > (kind == .log ? 3 : 8))
        for name in names {
            let path = name.reduce(temporary.path) { $0.appending(Path($1)) }
            let status = try RealFileSystem().status(path, at: nil, followLink: false)
            #expect(status.mode == (status.kind == .directory ? 0o700 : 0o600), "\(path)")
        }
    }

    @Test(.enabled(if: Identity.isRoot), arguments: kinds)
    func `who is neither root nor the directory's owner only reads`(kind: StoreKind) throws {
        let store = try kind.make(in: temporary)
        try store.put("value", "key")
        // All may go in and read; and write too, were it not for the rule.
        try temporary.directory.changeMode(to: 0o755)
        for path in [""] + (try temporary.paths(below: "store")) {
            let names = ["store"] + path.split(separator: "/").map(String.init)
            let isFolder = path.isEmpty || path.hasSuffix("/")
            let file = try temporary.file(names.map { Path($0) }, [.read])
            try file.changeMode(to: isFolder ? 0o777 : 0o666)
        }
        let before = try temporary.paths(below: "store")
        let reader = try Probe(kind, temporary, "as", "65534", "get", "key")
        #expect(reader.line() == "value")
        #expect(reader.end() == (0, ""))
        let writer = try Probe(kind, temporary, "as", "65534", "set", "key", "1").end()
        #expect(writer.status == 1)
        #expect(writer.errors.contains("notOwner"), "\(writer.errors)")
        #expect(try temporary.paths(below: "store") == before)
    }

    @Test(.enabled(if: Identity.isRoot), arguments: kinds)
    func `what root makes belongs to the directory's owner`(kind: StoreKind) throws {
        _ = try kind.make(in: temporary)
        for path in [""] + (kind == .plainArea ? [] : try temporary.paths(below: "store")) {
            let names = ["store"] + path.split(separator: "/").map(String.init)
            if path.isEmpty { _ = try temporary.folder(["store"]) }
            try temporary.file(names.map { Path($0) }, [.read]).changeOwner(to: 65534, group: 65533)
        }
        #expect(try Probe(kind, temporary, "modes", "022").end() == (0, ""))
        for path in try temporary.paths(below: "store") {
            let names = ["store"] + path.split(separator: "/").map(String.init)
            let status = try temporary.file(names.map { Path($0) }, [.read]).status()
            #expect(status.owner == 65534, "\(path)")
            #expect(status.group == 65533, "\(path)")
        }
    }
}
