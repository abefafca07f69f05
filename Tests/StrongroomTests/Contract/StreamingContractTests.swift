import Strongroom
import Testing

/// What every area promises of values larger than memory.
@Suite struct `Streaming in every area` {
    /// Sizes about the limits of pieces, and one of many pieces.
    static let sizes = [0, 1, 65_535, 65_536, 65_537, 131_072, 1_000_003]

    /// Bytes that differ from place to place.
    static func bytes(_ count: Int) -> [UInt8] {
        var state: UInt64 = 1
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 33)
        }
    }

    @Test("What is streamed in comes out, streamed or whole", arguments: AreaCase.allCases)
    func roundTrip(_ kind: AreaCase) throws {
        let all = Self.bytes(Self.sizes.max() ?? 0)
        try kind.withArea { (area) throws in
            for size in Self.sizes {
                let value = Array(all.prefix(size))
                try area.write("k") { writer in
                    var start = 0
                    for step in [1, 7, 70_000, 200_000, size] {
                        let end = min(size, start + step)
                        try writer.write(value[start..<end].span)
                        start = end
                    }
                    try writer.write([])
                    #expect(writer.byteCount == Int64(size))
                }
                #expect(try area.get("k", as: [UInt8].self) == value, "\(size) whole")
                var read: [UInt8] = []
                var largest = 0
                let isThere = try area.read("k") { piece in
                    largest = max(largest, piece.count)
                    for index in piece.indices { read.append(piece[index]) }
                }
                #expect(isThere)
                #expect(read == value, "\(size) in pieces")
                #expect(largest <= 65_536)
                try area.set(value, forKey: "whole")
                read = []
                try area.read("whole") { piece in
                    for index in piece.indices { read.append(piece[index]) }
                }
                #expect(read == value, "\(size) set whole, in pieces")
            }
        }
    }

    @Test("A missing entry has no piece", arguments: AreaCase.allCases)
    func missing(_ kind: AreaCase) throws {
        try kind.withArea { (area) throws in
            #expect(
                try !area.read("none") { (_: Span<UInt8>) in Issue.record("a piece of nothing") })
        }
    }

    @Test("A reader may stop, by false or by throwing", arguments: AreaCase.allCases)
    func stops(_ kind: AreaCase) throws {
        try kind.withArea { (area) throws in
            try area.set(Self.bytes(300_000), forKey: "k")
            var count = 0
            #expect(
                try area.readPieces(
                    "k",
                    while: { _ in
                        count += 1
                        return count < 2
                    }))
            #expect(count == 2)
            #expect(throws: Boom()) {
                try area.read("k") { _ in
                    count += 1
                    throw Boom()
                }
            }
            #expect(count == 3)
        }
    }

    @Test("What is being written is out of sight until it is done", arguments: AreaCase.allCases)
    func outOfSight(_ kind: AreaCase) throws {
        try kind.withArea { (area) throws in
            try area.set("old", forKey: "k")
            try area.write("k") { writer in
                try writer.write(Self.bytes(200_000))
                #expect(try area.get("k", as: String.self) == "old")
                #expect(try area.keys() == ["k"])
                try area.set("other", forKey: "other")
            }
            #expect(try area.get("k", as: [UInt8].self) == Self.bytes(200_000))
            #expect(try area.keys() == ["k", "other"])
        }
    }

    @Test(
        "A value that is replaced while it is read is read to its end", arguments: AreaCase.allCases
    )
    func replacedWhileRead(_ kind: AreaCase) throws {
        let old = [UInt8](repeating: 1, count: 200_000)
        try kind.withArea { (area) throws in
            try area.set(old, forKey: "k")
            var read: [UInt8] = []
            try area.read("k") { piece in
                if read.isEmpty { try area.set([UInt8](repeating: 2, count: 200_000), forKey: "k") }
                for index in piece.indices { read.append(piece[index]) }
            }
            #expect(read == old)
        }
    }
}
