import StrongroomSystem
import Testing

/// Paths as bytes.
@Suite struct PathTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var parent: Path
        var last: Path
    }

    @Test(arguments: [
        Case(testDescription: "a/b", parent: "a", last: "b"),
        Case(testDescription: "/a/b", parent: "/a", last: "b"),
        Case(testDescription: "/a", parent: "/", last: "a"),
        Case(testDescription: "a", parent: ".", last: "a"),
        Case(testDescription: "a/b/", parent: "a", last: "b"),
        Case(testDescription: "/", parent: "/", last: ""),
        Case(testDescription: "a//b", parent: "a/", last: "b"),
    ])
    func `a path falls apart at its last slash`(_ row: Case) {
        let path = Path(row.testDescription)
        #expect(path.parent == row.parent)
        #expect(path.lastComponent == row.last)
    }

    @Test func `a path that ends in a slash names no regular file`() throws {
        #expect(try Path("a/b").fileName() == "b")
        for path: Path in ["a/b/", "new//", "/"] {
            let error = #expect(throws: SystemError.self) { try path.fileName() }
            #expect(error?.code == ErrorCode.isDirectory)
            #expect(error?.path == path.description)
        }
    }

    @Test func `a name is appended with one slash`() {
        #expect(Path("a").appending("b") == "a/b")
        #expect(Path("a/").appending("b") == "a/b")
        #expect(Path("/").appending("b") == "/b")
        #expect(Path(bytes: []).appending("b") == "b")
    }

    @Test func `bytes that are no text stay as they are`() {
        let path = Path(bytes: [0xff, 0x2f, 0xfe])
        #expect(path.text == nil)
        #expect(path.lastComponent.bytes == [0xfe])
        #expect(path.description == "\u{fffd}/\u{fffd}")
        #expect(!path.isInvalid && !path.isAbsolute)
        #expect(Path(bytes: [0x61, 0]).isInvalid && Path(bytes: []).isInvalid)
    }
}
