import Foundation
import Strongroom
import Testing

// The calls of ARCHITECTURE section 2, over `some Area` and `any Area`, typed throws included: they
// have to compile as they stand, and to run over every area.

struct Link: Codable, Identifiable, Sendable {
    var id = UUID()
    var title = ""
}

func typedCalls(_ area: some Area, _ boxed: any Area) throws(StrongroomError) {
    try area.set([1, 2, 3], forKey: "arr")
    let arr = try area.get("arr", as: [Int].self)
    try area.set("t", forKey: "s")
    try area.set(Secret("x"), forKey: "k")
    try area.set(Session(), forKey: .session)
    try area.set(Secret("x"), forKey: .token)
    try area.set(3, forKey: .launches)
    try area.set(Date(), forKey: "d")
    let s = try area.get(.session)
    let t = try area.get(.token)
    let u = try area[.session]?.user
    let n = try area.require(.launches)
    let v: String? = try area.get("s")
    let p = try area.get("port") ?? 8080
    let q = try boxed.get("x", as: Secret.self)
    let o: String? = nil
    try area.set(o, forKey: "s")
    let fl = try area.get("s", as: String?.self)
    try area.update("n", default: 0) { $0 += 1 }
    try area.update("list", default: [String]()) { $0.append("x") }
    let count = try area.update("n", default: 0) { n in
        n += 1
        return n
    }
    try area.update(.launches) { $0 = ($0 ?? 0) + 1 }
    try area.update("n", as: Int.self) { $0 = nil }
    try area.commit { changes in
        changes.set("a", forKey: "db/user")
        changes.set(Session(), forKey: .session)
        changes.del("db/old")
    }
    try area.commit {
        $0.set("a", forKey: "db/user")
        $0.del(.token)
    }
    var changes = Changes()
    changes.set(1, forKey: "a")
    try area.commit(changes)
    try boxed.set(1, forKey: "drafts")
    try area.del(.session)
    try area.delAll(under: "db")
    for a in [area, boxed] as [any Area] {
        try a.set(1, forKey: "x")
        try a.update("n", default: 0) { $0 += 1 }
    }
    var total = 0
    try area.read("arr") { piece in total += piece.count }
    try area.read("arr") { total += $0.count }
    _ = (arr, s, t, u, n, v, p, q, fl, count)
}

func untypedCalls(_ area: some Area) throws {
    try area.update("n", default: 0) { n in
        if n > 3 { throw Boom() }
        n += 1
    }
    try area.update("n", as: Int.self) { n in n = try area.get("m", as: Int.self) }
    try area.write("w") { writer in try writer.write([1, 2]) }
    try area.write("w") { try $0.write([1, 2]) }
}

func handledCalls(_ area: any Area) -> Session? {
    do {
        return try area.get(.session)
    } catch .masterKeyMissing(let path) {
        print(path)
    } catch .damaged(let key) {
        print(key)
    } catch {
        print(error)
    }
    return nil
}

actor Client {
    let area: any Area
    init(_ area: any Area) { self.area = area }

    func run() throws(StrongroomError) -> Int {
        try area.set(Session(), forKey: .session)
        let session = try area.get(.session)
        return try area.update("n", default: 0) { n in
            n += session == nil ? 0 : 1
            return n
        }
    }
}

@Suite struct `Calls as the guide writes them` {
    @Test("They run over every area", arguments: AreaCase.allCases)
    func run(_ kind: AreaCase) throws {
        try kind.withArea { (area) throws in
            try typedCalls(area, area)
            try untypedCalls(area)
            #expect(handledCalls(area) == nil)
            #expect(try area.get("a") == 1)
            #expect(try area.get("w", as: [UInt8].self) == [1, 2])
        }
    }

    @Test("They run over the areas' own types") func concrete() throws {
        let app = try AppContainer.inMemory("com.example.tests")
        try typedCalls(app.storage, app.vault)
        try typedCalls(app.vault, app.cache)
        #expect(try app.storage.get("x") == 1)
    }

    @Test("An actor holds an area") func actorClient() async throws {
        let client = Client(try AppContainer.inMemory("com.example.tests").vault)
        #expect(try await client.run() == 1)
        #expect(try await client.run() == 2)
    }

    @Test("What is an area can be written, what is readable cannot (D06)") func conformances()
        throws
    {
        let app = try AppContainer.inMemory("com.example.tests", assets: ["a.txt": [65]])
        let readable: [any ReadableArea] = [
            app.assets, app.storage, app.cache, app.temporary, app.vault,
        ]
        let writable = readable.filter { $0 is any Area }
        #expect(writable.count == 4)
        #expect(!(app.assets as any ReadableArea is any Area))
        #expect(try readable[0].get("a.txt", as: String.self) == "A")
    }
}
