import StrongroomFormats
import Testing

/// What `export --format json` writes, read back.
@Suite struct ExportedEntryTests {
    private func time(_ text: String) -> Int64? {
        let json = #"[{"key":"k","value":"","modified":"\#(text)"}]"#
        do {
            return try ExportedEntry.list(parsing: Array(json.utf8)).first?.modified
        } catch {
            return nil
        }
    }

    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:01.5Z", 1_500_000_000),
        ("2026-03-09T12:34:56.123456789Z", 1_773_059_696_123_456_789),
        ("2000-02-29T23:59:59Z", 951_868_799_000_000_000), ("1969-12-31T23:59:59Z", -1_000_000_000),
    ])
    func `a time is nanoseconds since 1970`(_ text: String, _ nanoseconds: Int64) {
        #expect(time(text) == nanoseconds)
    }

    @Test(arguments: [
        "", "now", "1970-01-01", "1970-01-01T00:00:00", "1970-01-01T00:00:00+00:00",
        "1970-13-01T00:00:00Z", "1970-02-29T00:00:00Z", "1970-01-01T24:00:00Z",
        "1970-01-01T00:60:00Z",
        "1970-01-01 00:00:00Z", "1970-01-01T00:00:00.Z", "1970-01-01T00:00:00.1234567890Z",
        "9999-01-01T00:00:00Z", "0000-01-01T00:00:00Z", "197a-01-01T00:00:00Z",
    ])
    func `another text is no time`(_ text: String) {
        #expect(time(text) == nil)
    }

    @Test func `fields may be left out but for key and value`() throws {
        let found = try ExportedEntry.list(parsing: Array(#"[{"key":"k","value":"AP8="}]"#.utf8))
        #expect(found.map(\.key) == ["k"])
        #expect(found.first?.value == [0, 255])
        #expect(found.first?.attributes == [:])
    }
}
