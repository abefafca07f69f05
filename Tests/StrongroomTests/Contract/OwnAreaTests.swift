import Strongroom
import Synchronization
import Testing

/// An area as an app may write one: the four functions that must be written, and no more.
private final class OwnArea: Area {
    private let values = Mutex<[String: (version: UInt64, bytes: [UInt8])]>([:])

    func entry(_ key: String) throws(StrongroomError) -> Entry? {
        guard let value = values.withLock({ $0[key] }) else { return nil }
        return Entry(copying: value.bytes.span, version: value.version)
    }

    func contains(_ key: String) throws(StrongroomError) -> Bool {
        values.withLock { $0[key] } != nil
    }

    func keys(under folder: String?) throws(StrongroomError) -> [String] {
        values.withLock { values in
            values.keys.filter { key in
                folder.map { key == $0 || key.hasPrefix($0 + "/") } ?? true
            }
        }.sorted()
    }

    func commit(_ changes: Changes) throws(StrongroomError) {
        let steps = try changes.steps()
        try values.withLock { (values) throws(StrongroomError) in
            for (key, version) in changes.expectations where values[key]?.version != version {
                throw .changed(key: key)
            }
            for step in steps {
                switch step {
                case .set(let key, let value):
                    values[key] = ((values[key]?.version ?? 0) + 1, value.copyBytes())
                case .del(let key): values[key] = nil
                }
            }
        }
    }
}

@Suite struct `An area of one's own` {
    @Test("Everything is written on what it must have") func everything() throws {
        let area = OwnArea()
        try typedCalls(area, area)
        try untypedCalls(area)
        #expect(try area.get("a") == 1)
        #expect(try area.version(of: "a") != nil)
        #expect(try area.version(of: "none") == nil)
        let value = [UInt8](repeating: 5, count: 200_000)
        try area.write("w") { writer in
            try writer.write(Array(value.prefix(70_000)))
            try writer.write(Array(value[70_000...]))
        }
        var pieces: [Int] = []
        #expect(try area.read("w") { piece in pieces.append(piece.count) })
        #expect(pieces == [65_536, 65_536, 65_536, 3392])
        #expect(try area.get("w", as: [UInt8].self) == value)
        #expect(try area.readPieces("w") { _ in false })
        #expect(try !area.read("none") { (_: Span<UInt8>) in })
        #expect(throws: Boom()) { try area.read("w") { _ in throw Boom() } }
        #expect(throws: Boom()) { try area.write("w") { _ in throw Boom() } }
        var changes = Changes()
        #expect(changes.isEmpty)
        changes.set(Double.nan, forKey: "first")
        changes.set(Double.nan, forKey: "second")
        changes.set(1, forKey: "third")
        #expect(throws: StrongroomError.cannotEncode(key: "first", at: "")) {
            try area.commit(changes)
        }
        #expect(try !area.contains("third"))
        #expect(try area.delAll() > 3)
        #expect(try area.keys().isEmpty)
    }
}
