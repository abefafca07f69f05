import Foundation
import Strongroom
import Testing

/// What every area promises of values.
@Suite struct `Values in every area` {
    @Test(
        "A value is stored as the same bytes whatever way it comes in", arguments: AreaCase.allCases
    )
    func sameBytesEveryWay(_ kind: AreaCase) throws {
        try kind.withArea { (area) throws in
            try Self.check([1, 2, 250] as [UInt8], is: [1, 2, 250], in: area)
            try Self.check([] as [UInt8], is: [], in: area)
            try Self.check(Data([0, 255]), is: [0, 255], in: area)
            try Self.check(Data(), is: [], in: area)
            try Self.check("text", is: Array("text".utf8), in: area)
            try Self.check("", is: [], in: area)
            try Self.check([Int](), is: Array("[]".utf8), in: area)
            try Self.check([1, 2, 3], is: Array("[1,2,3]".utf8), in: area)
            try Self.check([65, 66] as [UInt16], is: Array("[65,66]".utf8), in: area)
            try Self.check(42, is: Array("42".utf8), in: area)
            try Self.check(true, is: Array("true".utf8), in: area)
            try Self.check(["b": 1, "a": 2], is: Array(#"{"a":2,"b":1}"#.utf8), in: area)
            try Self.check(["t"], is: Array(#"["t"]"#.utf8), in: area)
            try Self.check(Session(), is: Array(#"{"user":"ann"}"#.utf8), in: area)
            try Self.check(
                URL(fileURLWithPath: "/a/b"), is: Array(#""file:///a/b""#.utf8), in: area)
        }
    }

    /// Stores `value` in each way and looks at the bytes each time.
    private static func check<Value: Codable & Equatable & Sendable>(
        _ value: Value, is bytes: [UInt8], in area: any Area
    ) throws {
        let key = TypedKey<Value>("value")
        let optionalKey = TypedKey<Value?>("value")
        let existential: any Encodable = value
        let ways: [(String, () throws -> Void)] = [
            ("directly", { try area.set(value, forKey: "value") }),
            ("as an optional", { try area.set(Optional(value), forKey: "value") }),
            (
                "as an optional's optional",
                { try area.set(Optional(Optional(value)), forKey: "value") }
            ),
            ("as an existential", { try area.set(existential, forKey: "value") }),
            ("by a typed key", { try area.set(value, forKey: key) }),
            (
                "by a typed key of an optional",
                { try area.set(Optional(value), forKey: optionalKey) }
            ),
            ("by update", { try area.update("value", as: Value.self) { $0 = value } }),
            (
                "by update of an optional",
                { try area.update("value", as: Value?.self) { $0 = value } }
            ),
            ("by update with a default", { try area.update("value", default: value) { _ in } }),
            ("by update of a typed key", { try area.update(key) { $0 = value } }),
            ("by commit", { try area.commit { $0.set(value, forKey: "value") } }),
            ("by commit of a typed key", { try area.commit { $0.set(value, forKey: key) } }),
            (
                "by commit of an optional",
                { try area.commit { $0.set(Optional(value), forKey: "value") } }
            ),
        ]
        for (way, store) in ways {
            try area.del("value")
            try store()
            #expect(try area.get("value", as: [UInt8].self) == bytes, "\(value) \(way)")
            #expect(try area.get("value", as: Value.self) == value, "\(value) \(way)")
            #expect(try area.get("value", as: Value?.self) == value, "\(value) \(way)")
            #expect(try area.get(key) == value, "\(value) \(way)")
            #expect(try area.get(optionalKey) == value, "\(value) \(way)")
            #expect(try area[key] == value, "\(value) \(way)")
            #expect(try area.require("value") == value, "\(value) \(way)")
        }
    }

    @Test("Setting nil, in whatever way, removes the entry", arguments: AreaCase.allCases)
    func nilIsAbsent(_ kind: AreaCase) throws {
        let none: Int? = nil
        let key = TypedKey<Int>("n")
        let optionalKey = TypedKey<Int?>("n")
        try kind.withArea { (area) throws in
            let ways: [() throws -> Void] = [
                { try area.set(none, forKey: "n") },
                { try area.set(Int??.some(nil), forKey: "n") },
                { try area.set(none, forKey: key) },
                { try area.set(Int??.some(nil), forKey: optionalKey) },
                { try area.set(nil as Secret?, forKey: "n") },
                { try area.update("n", as: Int.self) { $0 = nil } },
                { try area.update("n", as: Int?.self) { $0 = .some(nil) } },
                { try area.update(key) { $0 = nil } },
                { try area.commit { $0.set(none, forKey: "n") } },
                { try area.commit { $0.set(none, forKey: key) } },
                { try area.commit { $0.del(key) } },
                { try area.del(key) },
            ]
            for remove in ways {
                try area.set(1, forKey: "n")
                try remove()
                #expect(try area.get("n", as: Int.self) == nil)
                #expect(try !area.contains("n"))
                try remove()
                #expect(try area.keys().isEmpty)
            }
        }
    }

    @Test("An empty value is a value (C026)", arguments: AreaCase.allCases)
    func emptyValue(_ kind: AreaCase) throws {
        try kind.withArea { (area) throws in
            try area.set(Data(), forKey: "d")
            #expect(try area.get("d", as: Data.self) == Data())
            #expect(try area.get("d", as: String.self) == "")
            #expect(try area.contains("d"))
            #expect(try area.get("d", as: Secret.self)?.byteCount == 0)
            #expect(throws: StrongroomError.cannotDecode(key: "d", at: "")) {
                try area.get("d", as: Int.self)
            }
        }
    }

    @Test(
        "Bytes that are no text are a decoding error of that key alone (C029)",
        arguments: AreaCase.allCases)
    func noText(_ kind: AreaCase) throws {
        try kind.withArea { (area) throws in
            try area.set(Data([0xff, 0xfe]), forKey: "bytes")
            try area.set("text", forKey: "text")
            var read: [String] = []
            for key in try area.keys() {
                do throws(StrongroomError) {
                    read.append(try area.require(key, as: String.self))
                } catch {
                    #expect(error == .cannotDecode(key: "bytes", at: ""))
                }
            }
            #expect(read == ["text"])
            #expect(try area.get("bytes", as: [UInt8].self) == [0xff, 0xfe])
        }
    }

    @Test("Text that looks like escapes stays as it is (C031)", arguments: AreaCase.allCases)
    func escapes(_ kind: AreaCase) throws {
        try kind.withArea { (area) throws in
            let text = #"\u0142u\u017c"# + "\n"
            try area.set(text, forKey: "t")
            #expect(try area.get("t", as: String.self) == text)
            try area.set([text], forKey: "t")
            #expect(try area.get("t", as: [String].self) == [text])
        }
    }

    @Test(
        "Integers are exact to their limits, alone and nested (C053)", arguments: AreaCase.allCases)
    func integers(_ kind: AreaCase) throws {
        try kind.withArea { (area) throws in
            for number in [UInt64.max, UInt64.max - 1023, (1 << 53) + 1, 0] as [UInt64] {
                try area.set(number, forKey: "n")
                #expect(try area.get("n") == number)
                try area.set([[number]], forKey: "n")
                #expect(try area.get("n") == [[number]])
            }
            for number in [Int64.min, Int64.max, -1] as [Int64] {
                try area.set(number, forKey: "n")
                #expect(try area.get("n") == number)
                try area.set(["a": number], forKey: "n")
                #expect(try area.get("n") == ["a": number])
            }
            for number in [Double.greatestFiniteMagnitude, .leastNonzeroMagnitude, -0.0, 0.1] {
                try area.set(number, forKey: "n")
                #expect(try area.get("n", as: Double.self)?.bitPattern == number.bitPattern)
            }
        }
    }

    @Test(
        "A number that is none is refused and the old value stays (C055)",
        arguments: AreaCase.allCases)
    func notFinite(_ kind: AreaCase) throws {
        try kind.withArea { (area) throws in
            try area.set(1.0, forKey: "k")
            for number in [Double.nan, .infinity, -.infinity] {
                #expect(throws: StrongroomError.cannotEncode(key: "k", at: "")) {
                    try area.set(number, forKey: "k")
                }
                #expect(throws: StrongroomError.cannotEncode(key: "k", at: "levels.1")) {
                    try area.set(Levels(levels: [1, number]), forKey: "k")
                }
                #expect(throws: StrongroomError.cannotEncode(key: "k", at: "")) {
                    try area.update("k", default: 0.0) { $0 = number }
                }
                #expect(throws: StrongroomError.cannotEncode(key: "k", at: "")) {
                    try area.commit {
                        $0.set(2.0, forKey: "other")
                        $0.set(number, forKey: "k")
                    }
                }
            }
            #expect(try area.get("k") == 1.0)
            #expect(try area.keys() == ["k"])
        }
    }

    @Test(
        "What cannot be decoded throws, says where, and keeps the bytes",
        arguments: AreaCase.allCases)
    func undecodable(_ kind: AreaCase) throws {
        try kind.withArea { (area) throws in
            try area.set(#"{"levels":[1,"two"]}"#, forKey: "k")
            #expect(throws: StrongroomError.cannotDecode(key: "k", at: "levels.1")) {
                try area.get("k", as: Levels.self)
            }
            #expect(throws: StrongroomError.cannotDecode(key: "k", at: "user")) {
                try area.get("k", as: Session.self)
            }
            #expect(throws: StrongroomError.cannotDecode(key: "k", at: "")) {
                try area.update("k", default: 1) { $0 += 1 }
            }
            #expect(try area.get("k", as: String.self) == #"{"levels":[1,"two"]}"#)
        }
    }

    @Test(
        "A coding of one's own is used both ways, and its errors hold no value",
        arguments: AreaCase.allCases)
    func ownCoding(_ kind: AreaCase) throws {
        let key = TypedKey<Int>("n", coding: Tally())
        try kind.withArea { (area) throws in
            try area.set(3, forKey: key)
            #expect(try area.get("n", as: String.self) == "|||")
            try area.update(key) { $0 = ($0 ?? 0) + 1 }
            #expect(try area.get(key) == 4)
            #expect(throws: StrongroomError.cannotEncode(key: "n", at: "")) {
                try area.set(-1, forKey: key)
            }
            try area.set("||x", forKey: "n")
            #expect(throws: StrongroomError.cannotDecode(key: "n", at: "")) { try area.get(key) }
        }
    }

    @Test(
        "require gives value, else default, else says that there is none",
        arguments: AreaCase.allCases)
    func require(_ kind: AreaCase) throws {
        try kind.withArea { (area) throws in
            #expect(throws: StrongroomError.noValue(key: "launches")) {
                try area.require("launches", as: Int.self)
            }
            #expect(throws: StrongroomError.noValue(key: "session")) { try area.require(.session) }
            #expect(throws: StrongroomError.noValue(key: "s")) {
                try area.require("s", as: Secret.self)
            }
            #expect(try area.get(.launches) == nil)
            #expect(try area.require(.launches) == 0)
            try area.set(7, forKey: .launches)
            #expect(try area.require(.launches) == 7)
            #expect(try area.contains(.launches))
        }
    }

    @Test("A secret is exactly its bytes, in and out", arguments: AreaCase.allCases)
    func secrets(_ kind: AreaCase) throws {
        try kind.withArea { (area) throws in
            try area.set(Secret([0, 255, 10]), forKey: "s")
            #expect(try area.get("s", as: [UInt8].self) == [0, 255, 10])
            try area.set(Secret("line\n"), forKey: .token)
            #expect(try area.get(.token)?.copyText() == "line\n")
            #expect(try area.require(.token).copyBytes() == Array("line\n".utf8))
            try area.update(.token) { $0 = Secret(($0?.copyText() ?? "") + "more") }
            #expect(try area.get("github/token", as: String.self) == "line\nmore")
        }
    }
}
