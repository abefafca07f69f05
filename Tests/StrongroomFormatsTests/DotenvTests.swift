import StrongroomFormats
import Testing

/// Files of variables, written and read.
@Suite struct DotenvTests {
    @Test(arguments: [
        "", "plain", "two words", "it's", "\"quoted\"", "$HOME", "`x`", "back\\slash", "\\n",
        "a\nb\tc",
        "'\"\\$`'", " spaces ", "#no comment", "é", "=", "\\", "'",
    ])
    func `what is written is read back`(_ value: String) throws {
        let name = try #require(VariableName("NAME"))
        let line = try #require(Dotenv.line(name, Array(value.utf8)))
        let found = try Dotenv.variables(parsing: line + line)
        #expect(found.map(\.name) == [name, name])
        #expect(found.map(\.value) == [Array(value.utf8), Array(value.utf8)])
    }

    @Test(arguments: [[0], [0xFF], [0x1B], [0x0D], [0xC2, 0x85], [0x7F]] as [[UInt8]])
    func `what readers differ in is not written`(_ value: [UInt8]) throws {
        #expect(Dotenv.line(try #require(VariableName("NAME")), value) == nil)
    }

    @Test(arguments: [
        ("A", 1), ("=x", 1), ("A=1\n\nB B=2", 3), ("A='x\n\n", 1), ("A=\"$B\"", 1),
        ("A=\"\\n\"", 1),
        ("A='x' y", 1), ("# c\nA=x#y", 2), ("A=$B", 1), ("A=\\", 1),
    ])
    func `what cannot be read is refused by line`(_ text: String, _ line: Int) {
        do {
            let found = try Dotenv.variables(parsing: Array(text.utf8))
            Issue.record("\(found.count) were read")
        } catch {
            #expect(error.line == line)
        }
    }

    @Test func `what others write is read`() throws {
        let text = "# comment\n\nexport A=plain \r\n  B='x' # c\nC=\n\nD=\"\\\"\\\\\\$\\`\""
        let found = try Dotenv.variables(parsing: Array(text.utf8))
        #expect(found.map(\.name.text) == ["A", "B", "C", "D"])
        #expect(
            found.map { String(decoding: $0.value, as: UTF8.self) } == ["plain", "x", "", "\"\\$`"])
    }
}
