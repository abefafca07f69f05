import StrongroomFormats
import Testing

/// Descriptions of git, read and written.
@Suite struct GitCredentialTests {
    private func read(_ text: String) throws(GitCredential.Refusal) -> GitCredential {
        let bytes = Array(text.utf8)
        let span = bytes.span
        return try GitCredential(reading: span)
    }

    private func text(_ bytes: [UInt8]?) -> String? {
        bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `every field is read and written`() throws {
        let text = """
            protocol=https
            host=example.com:8443
            path=a/b.git
            username=me
            password=p=w= d\u{20}
            password_expiry_utc=1700000000
            oauth_refresh_token=r=1

            """
        let read = try read(text)
        #expect(read.passwordExpiry == 1_700_000_000)
        #expect(self.text(read.password) == "p=w= d ")
        #expect(try self.text(read.written()) == text)
    }

    @Test(arguments: [
        ("empty", ""), ("an empty line", "\n"), ("no =", "host"), ("no name", "=host"),
        ("a longer name", "hosts=h"), ("a shorter name", "hos=h"), ("another case", "Host=h"),
        ("a space before", " host=h"), ("a space after", "host =h"), ("a list", "host[]=h"),
        ("after an empty line", "\nhost=h"), ("after the description", "foo=bar\n\nhost=h\n"),
        ("a carriage return in what is unknown", "foo=\r"), ("a NUL in what is unknown", "a=\0"),
    ])
    func `nothing is read`(_ name: String, _ text: String) throws {
        #expect(try read(text) == GitCredential())
    }

    @Test(arguments: [
        ("a value", "host=h\n", "h"), ("without an end", "host=h", "h"), ("empty", "host=\n", ""),
        ("the later", "host=a\nhost=b\n", "b"), ("with =", "host==a=\n", "=a="),
        ("a tab", "host=\t\n", "\t"), ("before a blank line", "host=h\n\nhost=g\n", "h"),
        ("among others", "capability[]=authtype\nx\nhost=h\nstate[]=1\n", "h"),
    ])
    func `a host is read`(_ name: String, _ input: String, _ host: String) throws {
        #expect(try text(read(input).host) == host)
    }

    @Test(arguments: [
        ("protocol", "protocol=a\r\n"), ("host", "host=a\0b"), ("path", "path=\r"),
        ("username", "username=a\rb\n"), ("password", "password=\0\n"),
        ("password_expiry_utc", "password_expiry_utc=1\r\n"),
        ("oauth_refresh_token", "oauth_refresh_token=\0"),
    ])
    func `a field is refused`(_ field: String, _ input: String) {
        #expect(throws: GitCredential.Refusal.control(field: field)) { try read(input) }
    }

    @Test(arguments: [
        ("a NUL", UInt8(0)), ("a line feed", UInt8(10)), ("a carriage return", UInt8(13)),
    ])
    func `a field is not written`(_ name: String, _ byte: UInt8) {
        var credential = GitCredential()
        credential.password = [0x61, byte]
        #expect(throws: GitCredential.Refusal.control(field: "password")) {
            try credential.written()
        }
    }

    @Test(arguments: ["", "0", "-1", "+1", " 1", "1 ", "1.0", "x", "18446744073709551616", "٣"])
    func `an expiry is none`(_ value: String) throws {
        #expect(try read("password_expiry_utc=\(value)\n") == GitCredential())
    }

    @Test func `bytes that are no text stay as they are`() throws {
        let bytes: [UInt8] = Array("password=".utf8) + [0xFF, 0xC0, 0x80, 0x3D, 0x0A]
        let span = bytes.span
        let read = try GitCredential(reading: span)
        #expect(read.password == [0xFF, 0xC0, 0x80, 0x3D])
        #expect(try read.written() == bytes)
    }

    @Test(arguments: [
        ("", false), ("\n", true), ("a=b", false), ("a=b\n", false), ("a=b\n\n", true),
        ("a=b\n\nc", true), ("\n\n", true), ("a\nb\n", false), ("a=b\n\r\n", false),
    ])
    func `a description is complete or not`(_ text: String, _ isComplete: Bool) {
        let bytes = Array(text.utf8)
        let span = bytes.span
        let found = GitCredential.isComplete(span)
        #expect(found == isComplete)
    }
}
