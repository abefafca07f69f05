import Strongroom
import Synchronization
import Testing

/// What every area promises of commits and updates.
@Suite struct `Commits and updates in every area` {
    @Test("A commit is made whole", arguments: AreaCase.allCases)
    func whole(_ kind: AreaCase) throws {
        try kind.withArea { (area) throws in
            try area.set("old", forKey: "db/old")
            try area.commit {
                $0.set("ann", forKey: "db/user")
                $0.set(Secret("pw"), forKey: "db/password")
                $0.del("db/old")
            }
            #expect(try area.keys() == ["db/password", "db/user"])
            #expect(try area.get("db/password", as: String.self) == "pw")
        }
    }

    @Test("Of two changes to one key the later counts", arguments: AreaCase.allCases)
    func laterCounts(_ kind: AreaCase) throws {
        try kind.withArea { (area) throws in
            try area.commit {
                $0.set(1, forKey: "caf\u{e9}")
                $0.set(2, forKey: "cafe\u{301}")
                $0.set(1, forKey: "gone")
                $0.del("gone")
            }
            #expect(try area.keys().count == 1)
            #expect(try area.get("caf\u{e9}", as: Int.self) == 2)
        }
    }

    @Test("A commit that expects another version writes nothing", arguments: AreaCase.allCases)
    func expectations(_ kind: AreaCase) throws {
        try kind.withArea { (area) throws in
            try area.set("1", forKey: "a")
            let version = try area.version(of: "a")
            #expect(version != nil)
            #expect(try area.entry("a")?.version == version)
            #expect(try area.version(of: "none") == nil)
            try area.set("2", forKey: "a")
            #expect(try area.version(of: "a") != version)
            for (key, expected) in [("a", version), ("a", nil), ("none", version)] {
                #expect(throws: StrongroomError.changed(key: key)) {
                    try area.commit {
                        $0.set("x", forKey: "a")
                        $0.set("x", forKey: "b")
                        $0.expect(expected, ofKey: key)
                    }
                }
            }
            #expect(try area.get("a", as: String.self) == "2")
            #expect(try area.keys() == ["a"])
            let current = try area.version(of: "a")
            try area.commit {
                $0.set("3", forKey: "b")
                $0.expect(current, ofKey: "a")
                $0.expect(nil, ofKey: "b")
            }
            #expect(try area.keys() == ["a", "b"])
        }
    }

    @Test("A body that throws changes nothing", arguments: AreaCase.allCases)
    func throwingBodies(_ kind: AreaCase) throws {
        try kind.withArea { (area) throws in
            try area.set(1, forKey: "n")
            #expect(throws: Boom()) {
                try area.commit { changes in
                    changes.set(2, forKey: "n")
                    throw Boom()
                }
            }
            #expect(throws: Boom()) {
                try area.update("n", default: 0) { n in
                    n = 2
                    throw Boom()
                }
            }
            #expect(throws: Boom()) {
                try area.update("n", as: Int.self) { n in
                    n = nil
                    throw Boom()
                }
            }
            #expect(throws: Boom()) {
                try area.write("n") { writer in
                    try writer.write([2])
                    throw Boom()
                }
            }
            #expect(try area.get("n") == 1)
            #expect(try area.keys() == ["n"])
        }
    }

    @Test("An update may use its area, and starts over when it lost", arguments: AreaCase.allCases)
    func startsOver(_ kind: AreaCase) throws {
        try kind.withArea { (area) throws in
            var callCount = 0
            let seen = try area.update("n", default: 0) { n in
                callCount += 1
                if callCount < 3 { try area.set(callCount * 10, forKey: "n") }
                n += 1
                return n - 1
            }
            #expect(callCount == 3)
            #expect(seen == 20)
            #expect(try area.get("n") == 21)
        }
    }

    @Test("An update that loses a hundred times is busy", arguments: AreaCase.allCases)
    func busy(_ kind: AreaCase) throws {
        try kind.withArea { (area) throws in
            var callCount = 0
            #expect(throws: StrongroomError.busy(at: "n")) {
                try area.update("n", default: 0) { n in
                    callCount += 1
                    try area.set(callCount, forKey: "n")
                    n = -1
                }
            }
            #expect(callCount == 100)
            #expect(try area.get("n") == 100)
        }
    }

    @Test("Updates from several threads lose none", arguments: AreaCase.allCases)
    func threads(_ kind: AreaCase) throws {
        try kind.withArea { (area) throws in
            let failures = Mutex<[String]>([])
            inParallel(4) { index in
                do {
                    for round in 0..<5 {
                        try area.update("n", default: 0) { $0 += 1 }
                        try area.set(round, forKey: "own/\(index)/\(round)")
                    }
                } catch { failures.withLock { $0.append("\(error)") } }
            }
            #expect(failures.withLock { $0 } == [])
            #expect(try area.get("n") == 20)
            #expect(try area.keys(under: "own").count == 20)
        }
    }

    @Test("del says whether there was one, to one of several at once", arguments: AreaCase.allCases)
    func del(_ kind: AreaCase) throws {
        try kind.withArea { (area) throws in
            #expect(try !area.del("a"))
            for _ in 0..<5 {
                try area.set("v", forKey: "a")
                let count = Mutex(0)
                inParallel(4) { _ in
                    let wasThere = (try? area.del("a")) ?? false
                    if wasThere { count.withLock { $0 += 1 } }
                }
                #expect(count.withLock { $0 } == 1)
            }
        }
    }

    @Test(
        "Readers see a whole value or the other, never a mixture (C065)",
        arguments: AreaCase.allCases)
    func wholeValues(_ kind: AreaCase) throws {
        let values = [UInt8(ascii: "a"), UInt8(ascii: "b")].map {
            [UInt8](repeating: $0, count: 300_000)
        }
        try kind.withArea { (area) throws in
            try area.set(values[0], forKey: "k")
            let faults = Mutex<[String]>([])
            inParallel(3) { index in
                do {
                    for round in 0..<30 {
                        if index == 0 {
                            try area.set(values[round % 2], forKey: "k")
                        } else {
                            let value = try area.get("k", as: [UInt8].self)
                            if value == nil || !values.contains(value ?? []) {
                                faults.withLock { $0.append("torn or missing") }
                            }
                        }
                    }
                } catch { faults.withLock { $0.append("\(error)") } }
            }
            #expect(faults.withLock { $0 } == [])
        }
    }
}
