import StrongroomSystem
import Testing

/// Environment variables as bytes.
@Suite struct EnvironmentTests {
    @Test func `the process's own variables are seen`() throws {
        let path = try #require(Environment.current.value("PATH"))
        #expect(!path.bytes.isEmpty)
        #expect(Environment.current.value("STRONGROOM_NO_SUCH_VARIABLE") == nil)
    }

    @Test func `of two variables of one name the first counts, and setting leaves one`() {
        var environment = Environment([
            .init(name: "A", value: "1"), .init(name: "B", value: ""), .init(name: "A", value: "2"),
        ])
        #expect(environment.value("A") == "1")
        #expect(environment.value("B") == "")
        environment.set("A", to: "3=4")
        #expect(environment.variables.filter { $0.name == "A" }.map(\.value) == ["3=4"])
    }

    @Test func `values are bytes, not text`() {
        let bytes: [UInt8] = [0xff, 0xfe]
        let environment = Environment([.init(name: "X", value: Path(bytes: bytes))])
        #expect(environment.value("X")?.bytes == bytes)
        #expect(environment.value("X")?.text == nil)
    }

    @Test func `removing takes every variable that is meant`() {
        var environment = Environment(["STRONGROOM_A": "1", "STRONGROOM_B": "2", "C": "3"])
        environment.remove { $0.description.hasPrefix("STRONGROOM_") }
        #expect(environment == Environment(["C": "3"]))
    }

    @Test func `the boot has an id`() throws {
        let id = try #require(try Identity.bootID(fileSystem: RealFileSystem()))
        #expect(id.utf8.count == 36)
        #expect(try id == Identity.bootID(fileSystem: RealFileSystem()))
    }
}
