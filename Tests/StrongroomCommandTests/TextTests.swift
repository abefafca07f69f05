import StrongroomCrypto
import Testing

@testable import StrongroomCommand

struct EscapingCase: CustomTestStringConvertible, Sendable {
    var name: String
    var bytes: [UInt8]
    var shown: String
    var testDescription: String { name }

    init(_ name: String, _ text: String, _ shown: String) {
        self.init(name, bytes: Array(text.utf8), shown)
    }
    init(_ name: String, bytes: [UInt8], _ shown: String) {
        self.name = name
        self.bytes = bytes
        self.shown = shown
    }

    static let all = [
        EscapingCase("plain text", "a b/c.d", "a b/c.d"),
        EscapingCase("other scripts", "é 日本 😀", "é 日本 😀"),
        EscapingCase("the backslash", #"a\n"#, #"a\\n"#),
        EscapingCase("a newline", "a\nb", #"a\nb"#),
        EscapingCase("CRLF is two", "\r\n", #"\r\n"#),
        EscapingCase("C's letters", "\u{7}\u{8}\t\u{B}\u{C}", #"\a\b\t\v\f"#),
        EscapingCase("escape before a digit", "\u{1B}1", #"\0331"#),
        EscapingCase("DEL", "\u{7F}", #"\177"#),
        EscapingCase("C1", "\u{85}\u{9B}", #"\u0085\u009b"#),
        EscapingCase(
            "direction marks", "\u{202E}\u{2066}\u{200F}\u{61C}", #"\u202e\u2066\u200f\u061c"#),
        EscapingCase("bytes that are no UTF-8", bytes: [0x61, 0xFF, 0x62], #"a\377b"#),
        EscapingCase("a character cut short", bytes: [0xC3], #"\303"#),
        EscapingCase(
            "a character cut short in the middle", bytes: [0xE2, 0x82, 0x61], #"\342\202a"#),
        EscapingCase("an overlong slash", bytes: [0xC0, 0xAF], #"\300\257"#),
        EscapingCase("a surrogate", bytes: [0xED, 0xA0, 0x80], #"\355\240\200"#),
        EscapingCase("beyond Unicode", bytes: [0xF4, 0x90, 0x80, 0x80], #"\364\220\200\200"#),
    ]
}

struct TimeCase: CustomTestStringConvertible, Sendable {
    var nanoseconds: Int64
    var text: String
    var testDescription: String { text }

    static let all = [
        TimeCase(nanoseconds: 0, text: "1970-01-01T00:00:00.000000000Z"),
        TimeCase(nanoseconds: -1, text: "1969-12-31T23:59:59.999999999Z"),
        TimeCase(nanoseconds: 951_782_400_000_000_001, text: "2000-02-29T00:00:00.000000001Z"),
        TimeCase(nanoseconds: 1_078_012_800_000_000_000, text: "2004-02-29T00:00:00.000000000Z"),
        TimeCase(nanoseconds: 1_772_323_199_500_000_000, text: "2026-02-28T23:59:59.500000000Z"),
        TimeCase(nanoseconds: .max, text: "2262-04-11T23:47:16.854775807Z"),
        TimeCase(nanoseconds: .min, text: "1677-09-21T00:12:43.145224192Z"),
    ]
}

@Suite struct `Text for people and programs` {
    @Test("a key is shown", arguments: EscapingCase.all)
    func escaping(_ example: EscapingCase) {
        #expect(Escaping.shown(bytes: example.bytes) == example.shown)
        if let text = String(validating: example.bytes, as: UTF8.self) {
            #expect(Escaping.shown(text) == example.shown)
        }
    }

    @Test("a time is shown", arguments: TimeCase.all)
    func times(_ example: TimeCase) {
        #expect(Timestamp.text(example.nanoseconds, isExact: true) == example.text)
        let short = String(example.text.prefix(19)) + "Z"
        #expect(Timestamp.text(example.nanoseconds, isExact: false) == short)
    }

    @Test func `JSON is written in order, with its characters escaped`() {
        var json = JSONText()
        json.array { json in
            json.object { json in
                json.field("a\"\\\n\u{1B}\u{202E}é", "b\t\u{7F}")
                json.field("n", -5)
                json.field("none", nil as Int?)
                json.field("yes", true)
                json.name("list")
                json.array { json in
                    json.string("x")
                    json.string(nil)
                    json.array { _ in }
                    json.integer(Int64.max)
                }
            }
            json.object { _ in }
        }
        #expect(
            json.text == #"""
                [{"a\"\\\n\u001b\u202eé":"b\t\u007f","n":-5,"none":null,"yes":true,"list":["x",null,[],9223372036854775807]},{}]
                """#)
    }

    @Test func `a stream of UTF-8 is judged the same however it is cut`() {
        let text: [UInt8] = Array("aé日😀".utf8) + [0xE2, 0x28, 0xA1, 0xF0, 0x9F]
        var events: [UTF8StreamDecoder.Event] = []
        var decoder = UTF8StreamDecoder()
        for byte in text { decoder.feed(byte) { events.append($0) } }
        #expect(
            events == [
                .scalar("a"), .scalar("é"), .scalar("日"), .scalar("😀"), .invalid([0xE2]),
                .scalar("("), .invalid([0xA1]),
            ])
        #expect(decoder.pending == [0xF0, 0x9F])
    }
}

@Suite struct `Generated values` {
    @Test("have their length and alphabet", arguments: ValueGenerator.Alphabet.allCases)
    func alphabet(_ alphabet: ValueGenerator.Alphabet) throws {
        let count = 20_000
        let value = try ValueGenerator.value(count: count, alphabet: alphabet).copyToArray()
        #expect(value.count == count)
        var found: [UInt8: Int] = [:]
        for byte in value { found[byte, default: 0] += 1 }
        #expect(Set(found.keys) == Set(alphabet.characters))
        // Without bias every character is as likely as another; seven deviations of a
        // binomial count leave one run in a billion to chance.
        let expected = Double(count) / Double(alphabet.characters.count)
        for number in found.values {
            #expect(abs(Double(number) - expected) < 7 * expected.squareRoot())
        }
    }

    @Test func `are not the same twice`() throws {
        let first = try ValueGenerator.value(count: 32, alphabet: .hex).copyToArray()
        let second = try ValueGenerator.value(count: 32, alphabet: .hex).copyToArray()
        #expect(first != second)
    }
}
