import StrongroomStores
import StrongroomSystem
import Testing

/// Keys to paths and back (STORE.md, "Keys to paths").
struct KeyEscapingTests {
    /// A key and the path that it must have.
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let key: String
        let path: String

        init(_ name: String, _ key: String, _ path: String) {
            testDescription = name
            self.key = key
            self.path = path
        }
    }

    static let rows = [
        Row("plain", "folder/image.png", "folder/image.png"),
        Row("capitals stay", "README.md", "README.md"),
        Row("spaces inside", "two words", "two words"),
        Row("trailing space", "a /b ", "a%20/b%20"),
        Row("leading dot", ".DS_Store", "%2EDS_Store"),
        Row("trailing dot", "a.", "a%2E"),
        Row("only a dot", ".", "%2E"),
        Row("parent folder", "../../escaped/pwned", "%2E%2E/%2E%2E/escaped/pwned"),
        Row("three dots", "...", "%2E.%2E"),
        Row("absolute", "/etc/x", "%00/etc/x"),
        Row("trailing slash", "https://api.x/", "https%3A/%00/api.x/%00"),
        Row("no trailing slash", "https://api.x", "https%3A/%00/api.x"),
        Row("one slash", "https:/api.x/", "https%3A/api.x/%00"),
        Row("only slashes", "//", "%00/%00/%00"),
        Row("percent", "a%2Fb", "a%252Fb"),
        Row("percent alone", "%", "%25"),
        Row("swap file", ".k.swp", "%2Ek.swp"),
        Row("backup", "k~", "k%7E"),
        Row("lock of an editor", "#k#", "%23k#"),
        Row("tilde first", "~user", "%7Euser"),
        Row("tilde and hash inside", "a~b#c", "a~b#c"),
        Row("what Windows forbids", "\\:*?\"<>|", "%5C%3A%2A%3F%22%3C%3E%7C"),
        Row("control characters", "a\nb\u{7F}c\u{85}", "a%0Ab%7Fc%C2%85"),
        Row("leading dash", "--help", "--help"),
        Row("the store's own names", "%lock", "%25lock"),
        Row("emoji", "🗝/🔒", "🗝/🔒"),
        Row("decomposed is composed", "cafe\u{301}", "café"),
        Row("Kelvin is K", "\u{212A}", "K"),
    ]

    private func path(_ names: [Path]) -> String {
        names.map(\.description).joined(separator: "/")
    }

    private func names(_ path: String) -> [Path] {
        path.split(separator: "/", omittingEmptySubsequences: false).map { Path(String($0)) }
    }

    @Test(arguments: rows)
    func `a key has its path and the path its key`(row: Row) throws {
        let key = try #require(KeyText(row.key))
        let escaping = KeyEscaping()
        #expect(path(escaping.names(of: key)) == row.path)
        #expect(escaping.key(of: names(row.path)) == key)
    }

    static let foreign = [
        ("hidden file", ".DS_Store"), ("backup", "k~"), ("lock of an editor", "#k#"),
        ("lower-case hex", "a%2fb"), ("needless escape", "%61"), ("bare percent", "50%"),
        ("our temporary file", "%new.1.2"), ("our lock", "%lock"), ("our record", "%commit"),
        ("percent and one digit", "a%2"), ("NUL", "a%00"), ("slash escaped", "a%2Fb"),
        ("cut short for no reason", "a%/b"), ("not normal", "cafe\u{301}"),
        ("trailing space", "a "), ("colon", "a:b"), ("empty name", "a//b"), ("parent", "a/../b"),
        ("not UTF-8", "%FF"),
    ]

    @Test(arguments: foreign)
    func `a path that is written otherwise is no key's`(what: String, path: String) {
        #expect(KeyEscaping().key(of: names(path)) == nil)
    }

    @Test func `bytes that are not UTF-8 are no key's`() {
        #expect(KeyEscaping().key(of: [Path(bytes: [0xFF, 0xFE])]) == nil)
        #expect(KeyEscaping().key(of: []) == nil)
    }

    @Test(arguments: [
        1, 2, 200, 239, 240, 241, 242, 250, 254, 255, 256, 479, 480, 481, 719, 1023, 1024,
    ])
    func `a long component is cut into folders that a disk takes`(byteCount: Int) throws {
        let (first, second) = (
            String(repeating: "k", count: byteCount - 1) + "1",
            String(repeating: "k", count: byteCount - 1) + "2"
        )
        let escaping = KeyEscaping()
        var paths: [[Path]] = []
        for text in [first, second] {
            let key = try #require(KeyText(text))
            let names = escaping.names(of: key)
            #expect(names.allSatisfy { (1...240).contains($0.bytes.count) })
            #expect(names.count == (byteCount <= 240 ? 1 : (byteCount + 238) / 239))
            #expect(escaping.key(of: names) == key)
            paths.append(names)
        }
        #expect(paths[0] != paths[1])
    }

    @Test func `what a cut leaves at the front of a folder's name is escaped there`() throws {
        let key = try #require(KeyText(String(repeating: "k", count: 239) + ".DS_Store"))
        let names = KeyEscaping().names(of: key)
        #expect(
            names.map(\.description) == [
                String(repeating: "k", count: 239) + "%", "%2EDS_Store",
            ])
        #expect(KeyEscaping().key(of: names) == key)
    }

    @Test func `80 emoji come back`() throws {
        let key = try #require(KeyText(String(repeating: "🗝", count: 80)))
        let names = KeyEscaping().names(of: key)
        #expect(names.count == 2)
        #expect(KeyEscaping().key(of: names) == key)
    }

    @Test func `the longest keys of every kind come back`() throws {
        for unit in ["/", "%", ".", "é", "~", "a/", "\u{85}", "A", "🗝"] {
            let count = KeyText.byteCountLimit / unit.utf8.count
            let key = try #require(KeyText(String(repeating: unit, count: count)))
            for escaping in [KeyEscaping(), KeyEscaping(foldsCase: true)] {
                let names = escaping.names(of: key)
                #expect(names.allSatisfy { (1...240).contains($0.bytes.count) })
                #expect(escaping.key(of: names) == key)
            }
        }
    }

    @Test func `10,000 random keys come back, each from a path of its own`() throws {
        var random = SplitMix(state: 42)
        let alphabet = Array("ab/.%~# :\\A\u{1}é%2Ø🗝\u{301}")
        var seen: [String: KeyText] = [:]
        for _ in 0..<10_000 {
            let length = Int.random(in: 1...12, using: &random)
            var text = ""
            for _ in 0..<length {
                text.append(alphabet[Int.random(in: 0..<alphabet.count, using: &random)])
            }
            guard let key = KeyText(text) else { continue }
            for escaping in [KeyEscaping(), KeyEscaping(foldsCase: true)] {
                let names = escaping.names(of: key)
                #expect(escaping.key(of: names) == key)
                if escaping.foldsCase { continue }
                let other = seen.updateValue(key, forKey: path(names))
                #expect(other == nil || other == key)
            }
        }
        #expect(seen.count > 5_000)
    }

    @Test func `on a disk that folds case no two keys share a folded path`() throws {
        let escaping = KeyEscaping(foldsCase: true)
        #expect(path(escaping.names(of: try #require(KeyText("aB.Md")))) == "a%42.%4Dd")
        let keys = [
            "readme", "README", "ReadMe", "é", "É", "ß", "ss", "ẞ", "ſ", "s", "ı", "i", "I",
            "İ", "a\u{200D}", "a", "σ", "ς", "Σ",
        ]
        var folded: Set<String> = []
        for text in keys {
            let key = try #require(KeyText(text))
            let names = escaping.names(of: key)
            #expect(escaping.key(of: names) == key)
            folded.insert(path(names).lowercased().uppercased())
        }
        #expect(folded.count == keys.count)
        #expect(escaping.key(of: ["README"]) == nil)
        #expect(KeyEscaping().key(of: ["%52EADME"]) == nil)
    }
}

/// Random numbers that are the same in every run.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
