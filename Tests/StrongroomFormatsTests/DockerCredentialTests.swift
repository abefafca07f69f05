import StrongroomFormats
import Testing

/// What docker sends and reads.
@Suite struct DockerCredentialTests {
    private func stored(_ text: String) throws(DockerRefusal) -> DockerCredential {
        let bytes = Array(text.utf8)
        let span = bytes.span
        return try DockerCredential(storing: span)
    }

    private func string(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func `a credential is stored, kept and answered`() throws {
        let given = try stored(
            #"{"ServerURL":"https://index.docker.io/v1/","Username":"a/b","Secret":"p\n\"\\"}"#
                + "\n")
        #expect(given.serverURL == "https://index.docker.io/v1/")
        #expect(given.username == "a/b")
        #expect(string(given.secret) == "p\n\"\\")
        #expect(string(given.stored) == #"{"Username":"a/b","Secret":"p\n\"\\"}"#)
        #expect(
            string(given.answer)
                == #"{"ServerURL":"https://index.docker.io/v1/","Username":"a/b","Secret":"p\n\"\\"}"#
                + "\n")
        let kept = given.stored
        let span = kept.span
        #expect(try DockerCredential(stored: span, serverURL: given.serverURL) == given)
    }

    @Test(arguments: [
        ("every escape", #"\"\\\/\b\f\n\r\t"#, "\"\\/\u{8}\u{c}\n\r\t"),
        ("hexadecimal", #"\u0041\u00e9\u00E9"#, "Aéé"), ("a pair", #"\ud83d\ude00"#, "😀"),
        ("a NUL", #"\u0000"#, "\0"), ("DEL", "\u{7f}", "\u{7f}"), ("UTF-8", "é😀", "é😀"),
        ("what Go escapes", #"\u003c\u003e\u0026"#, "<>&"), ("empty", "", ""),
        ("what is no escape", "/'`", "/'`"),
    ])
    func `a secret is read, and comes back`(
        _ name: String, _ written: String, _ secret: String
    ) throws {
        let read = try stored(#"{"ServerURL":"r","Username":"u","Secret":"\#(written)"}"#)
        #expect(string(read.secret) == secret)
        #expect(try stored(string(read.answer)) == read)
    }

    @Test(arguments: [
        (
            "others",
            #"{"a":[],"b":{"c":[1,-0.5E+3,true,false,null,"x"]},"ServerURL":"r","Username":"u","Secret":"s","d":0}"#
        ),
        (
            "the later counts",
            #"{"ServerURL":"x","Secret":"y","ServerURL":"r","Username":"u","Secret":"s"}"#
        ),
        ("spaces", " \t\r\n{ \"ServerURL\" : \"r\" ,\n\"Username\":\"u\",\"Secret\":\"s\" } \n"),
        ("an escaped name", #"{"ServerUR\u004c":"r","Username":"u","Secret":"s"}"#),
    ])
    func `what is beside the fields does not count`(_ name: String, _ text: String) throws {
        let expected = DockerCredential(serverURL: "r", username: "u", secret: [0x73])
        #expect(try stored(text) == expected)
    }

    private static let noJSON = DockerRefusal.malformed("the text is no JSON object")

    @Test(arguments: [
        ("nothing", ""), ("a word", "garbage"), ("a list", "[]"), ("a text", #""x""#),
        ("null", "null"), ("no end", "{"), ("no colon", #"{"a"}"#), ("no value", #"{"a":}"#),
        ("a comma at the end", #"{"a":1,}"#), ("a comma before", #"{,"a":1}"#),
        ("two objects", "{}{}"), ("something after", "{} x"), ("a name that is none", "{a:1}"),
        ("single quotes", "{'a':1}"), ("a leading zero", #"{"a":01}"#), ("a plus", #"{"a":+1}"#),
        ("a fraction of nothing", #"{"a":1.}"#), ("no digits", #"{"a":-}"#),
        ("an exponent of nothing", #"{"a":1e}"#), ("half a word", #"{"a":tru}"#),
        ("an open text", #"{"a":"x}"#), ("a line in a text", "{\"a\":\"x\ny\"}"),
        ("an unknown escape", #"{"a":"\x"}"#), ("a backslash at the end", "{\"a\":\"\\"),
        ("half an escape", #"{"a":"\u00"}"#), ("no hexadecimal", #"{"a":"\u00g0"}"#),
        ("half a pair", #"{"a":"\ud800"}"#), ("the other half", #"{"a":"\udc00"}"#),
        ("a pair of halves", #"{"a":"\ud800\ud800"}"#), ("a mark", "\u{feff}{}"),
        ("a comment", "{}//"), ("a list that is open", #"{"a":[1"#), ("wrong ends", #"{"a":[1}}"#),
        ("too deep", #"{"a":"# + String(repeating: "[", count: 100_000)),
    ])
    func `a request is refused`(_ name: String, _ text: String) {
        #expect(throws: Self.noJSON) { try stored(text) }
    }

    @Test(arguments: [
        ("no URL", #"{"Username":"u","Secret":"s"}"#, "no credentials server URL"),
        (
            "an empty URL", #"{"ServerURL":"","Username":"","Secret":"s"}"#,
            "no credentials server URL"
        ),
        (
            "URL null", #"{"ServerURL":null,"Username":"u","Secret":"s"}"#,
            "no credentials server URL"
        ),
        ("no account", #"{"ServerURL":"r","Secret":"s"}"#, "no credentials username"),
        ("an empty account", #"{"ServerURL":"r","Username":""}"#, "no credentials username"),
        (
            "no secret", #"{"ServerURL":"r","Username":"u"}"#,
            "no docker credential: there is no Secret"
        ),
        ("a number", #"{"Secret":1}"#, "no docker credential: Secret is no text"),
        ("a list", #"{"Username":[]}"#, "no docker credential: Username is no text"),
        ("an object", #"{"ServerURL":{}}"#, "no docker credential: ServerURL is no text"),
    ])
    func `what is missing is told`(_ name: String, _ text: String, _ message: String) {
        do {
            _ = try stored(text)
            Issue.record("it was taken")
        } catch { #expect(error.description == message) }
    }

    @Test func `a text that is not UTF-8 is refused`() {
        let bytes = Array(#"{"Secret":""#.utf8) + [0xFF] + Array(#""}"#.utf8)
        #expect(throws: DockerRefusal.malformed("a text is not UTF-8")) {
            let span = bytes.span
            _ = try DockerCredential(storing: span)
        }
    }

    @Test(arguments: [
        ("r", "r"), (" \t\n\u{b}\u{c}\rr\r\n", "r"), ("a b", "a b"), ("https://é/", "https://é/"),
    ])
    func `a URL is read`(_ text: String, _ url: String) throws {
        let bytes = Array(text.utf8)
        let span = bytes.span
        let read = try DockerServer.url(reading: span)
        #expect(read == url)
        #expect(DockerServer.url(ofKey: DockerServer.key(url)) == url)
    }

    @Test(
        arguments: [
            ("nothing", [], DockerRefusal.noServerURL), ("spaces", [0x20, 0x0A], .noServerURL),
            ("no UTF-8", [0xFF], .malformed("the server URL is not UTF-8")),
        ] as [(String, [UInt8], DockerRefusal)])
    func `a URL is refused`(_ name: String, _ bytes: [UInt8], _ refusal: DockerRefusal) {
        #expect(throws: refusal) {
            let span = bytes.span
            _ = try DockerServer.url(reading: span)
        }
    }

    @Test(arguments: [
        "docker", "docker/", "docker/a/b", "docker/a:1", "docker/%3a", "docker/%41", "docker/%FF",
        "git/a", "Docker/a", "docker/ ",
    ])
    func `a text is no key of a registry`(_ text: String) {
        #expect(DockerServer.url(ofKey: text) == nil)
    }

    @Test func `a list is an object`() {
        #expect(string(DockerServer.list([])) == "{}\n")
        #expect(
            string(DockerServer.list([("https://a/\"", "b\\"), ("c", "d")]))
                == #"{"https://a/\"":"b\\","c":"d"}"# + "\n")
    }

    @Test func `what docker looks for is said in its words`() {
        #expect(DockerRefusal.notFound.description == "credentials not found in native keychain")
    }
}
