import Strongroom
import Testing

/// What every area promises of bodies that may throw: all that they wanted, or nothing.
@Suite struct `Bodies that may throw` {
    private static func check(_ number: Int) throws {
        if number < 0 { throw Boom() }
    }

    @Test("A commit whose body may throw is made whole or not at all", arguments: AreaCase.allCases)
    func commit(_ kind: AreaCase) throws {
        try kind.withArea { (area) throws in
            func commit(_ number: Int) throws {
                try area.commit { (changes) throws in
                    changes.set(number, forKey: "a")
                    try Self.check(number)
                    changes.set(number, forKey: "b")
                }
            }
            try commit(1)
            #expect(throws: Boom()) { try commit(-1) }
            #expect(try area.get("a", as: Int.self) == 1)
            #expect(try area.get("b", as: Int.self) == 1)
        }
    }

    @Test(
        "An update of a typed key whose body may throw is made, or leaves the value",
        arguments: AreaCase.allCases)
    func update(_ kind: AreaCase) throws {
        try kind.withArea { (area) throws in
            let key = TypedKey<Int>("count", default: 7)
            func add(_ number: Int) throws -> Int {
                try area.update(key) { (value) throws -> Int in
                    // The default is not looked at.
                    let sum = (value ?? 0) + number
                    value = sum
                    try Self.check(number)
                    return sum
                }
            }
            #expect(try add(2) == 2)
            #expect(try add(3) == 5)
            #expect(throws: Boom()) { try add(-1) }
            #expect(try area.get(key) == 5)
        }
    }

    @Test("An entry says how many bytes it has", arguments: AreaCase.allCases)
    func byteCount(_ kind: AreaCase) throws {
        try kind.withArea { (area) throws in
            for count in [0, 1, 70_000] {
                try area.set(Secret([UInt8](repeating: 7, count: count)), forKey: "k")
                guard let entry = try area.entry("k") else {
                    Issue.record("it is not there")
                    continue
                }
                #expect(entry.byteCount == count)
            }
        }
    }
}
