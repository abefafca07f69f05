import Strongroom
import Testing

/// What every area promises of keys.
@Suite struct `Keys in every area` {
    @Test("Any text that is a key keeps a value of its own", arguments: AreaCase.allCases)
    func oddKeys(_ kind: AreaCase) throws {
        try kind.withArea { (area) throws in
            for key in Self.oddKeys { try area.set("value of \(key)", forKey: key) }
            for key in Self.oddKeys {
                #expect(try area.get(key, as: String.self) == "value of \(key)")
                #expect(try area.contains(key))
            }
            #expect(try area.keys().count == Self.oddKeys.count)
            #expect(Set(try area.keys()) == Set(Self.oddKeys))
            for key in Self.oddKeys { #expect(try area.del(key), "del \(key)") }
            #expect(try area.keys().isEmpty)
        }
    }

    /// C006, C008, C009, C013, C015, D04: none of them lies below another.
    static let oddKeys: [String] = [
        "x/y/z", "a/b", "a%2Fb", "a%2fb", "%", "%00", "100%", "a b", " lead", "trail ", "dot.",
        ".", "...", ".hidden", "-", "-n", "--help", "https://api.x/",
        "https:/api.x/", "../../escaped/pwned", "/etc/x", "///", "tab\there", "line\nbreak",
        "\r\n", "\u{1}", "\u{7f}", "back\\slash", "a:b", "star*", "what?", "\"quoted\"", "<in>",
        "|",
        "~tilde", "tilde~", "#hash#", "emoji 🔐", "日本語/キー", "\u{202e}turned", "CON", "nul",
        "master.key", "master.key.next", "keyring", "entries", "entries.0", "lock", "gate", "job",
        "log",
        ".lock", "index.json", ".tmp-1", "vault", "storage", "cache", "Case", "case", "K",
        String(repeating: "long", count: 50), String(repeating: "x", count: 240),
        String(repeating: "y", count: 255), String(repeating: "z", count: 256),
        String(repeating: "p", count: 1023) + "a", String(repeating: "p", count: 1023) + "b",
        String(repeating: "🔑", count: 80),
        String(repeating: "d/", count: 20) + "leaf",
    ]

    @Test(
        "A key that could be taken for a path keeps a value of its own",
        arguments: AreaCase.allCases)
    func pathLikeKeys(_ kind: AreaCase) throws {
        for key in ["..", "../..", "/", "//", "a/../b", "a/./b", "a//b", "a/", "/a", "~", "C:\\a"] {
            try kind.withArea { (area) throws in
                try area.set("v", forKey: key)
                #expect(try area.get(key, as: String.self) == "v")
                #expect(try area.keys() == [key])
                for other in ["a", "b", "a/b", "../b", "...", "./"] {
                    #expect(try !area.contains(other), "\(key) answers to \(other)")
                }
                #expect(try area.del(key))
                #expect(try area.keys().isEmpty)
            }
        }
    }

    @Test(
        "Addresses that differ by a slash are different keys (C008)", arguments: AreaCase.allCases)
    func slashes(_ kind: AreaCase) throws {
        let keys = ["https://api.x/", "https://api.x", "https:/api.x/"]
        try kind.withArea { (area) throws in
            var kept: [String] = []
            for key in keys {
                do throws(StrongroomError) {
                    try area.set(key, forKey: key)
                    kept.append(key)
                } catch {
                    #expect(!kind.isVault && error == .keyConflict(key: key))
                }
            }
            #expect(kept.count == (kind.isVault ? 3 : 2))
            for key in keys {
                #expect(try area.get(key, as: String.self) == (kept.contains(key) ? key : nil))
            }
        }
    }

    @Test("An entry lists once, spelled as given (C005)", arguments: AreaCase.allCases)
    func listsDeep(_ kind: AreaCase) throws {
        try kind.withArea { (area) throws in
            try area.set(1, forKey: "x/y/z")
            #expect(try area.keys() == ["x/y/z"])
        }
    }

    @Test("What is no key is refused by every function (C011, C015)", arguments: AreaCase.allCases)
    func invalidKeys(_ kind: AreaCase) throws {
        try kind.withArea { (area) throws in
            try area.set("kept", forKey: "kept")
            for key in ["", "nul\0inside", String(repeating: "k", count: 1025), Self.growing] {
                let refusal = StrongroomError.invalidKey(key: key)
                #expect(throws: refusal) { try area.set("v", forKey: key) }
                #expect(throws: refusal) { try area.get(key, as: String.self) }
                #expect(throws: refusal) { try area.contains(key) }
                #expect(throws: refusal) { try area.version(of: key) }
                #expect(throws: refusal) { try area.del(key) }
                #expect(throws: refusal) { try area.keys(under: key) }
                #expect(throws: refusal) { try area.delAll(under: key) }
                #expect(throws: refusal) { try area.update(key, default: 0) { $0 += 1 } }
                #expect(throws: refusal) { try area.commit { $0.del(key) } }
                #expect(throws: refusal) { try area.commit { $0.expect(nil, ofKey: key) } }
                #expect(throws: refusal) { try area.write(key) { try $0.write([1]) } }
                #expect(throws: refusal) { try area.read(key) { (_: Span<UInt8>) in } }
            }
            #expect(try area.keys() == ["kept"])
        }
    }

    /// 1,023 bytes as given and more in normal form: each U+0344 becomes two characters of two
    /// bytes each.
    static let growing = String(repeating: "\u{344}", count: 511) + "a"

    @Test("Keys of one normal form are one key (C018)", arguments: AreaCase.allCases)
    func normalForms(_ kind: AreaCase) throws {
        let pairs = [("caf\u{e9}", "cafe\u{301}"), ("\u{212b}", "\u{c5}"), ("\u{212a}", "K")]
        for (one, other) in pairs {
            try kind.withArea { (area) throws in
                try area.set(1, forKey: one)
                try area.set(2, forKey: other)
                #expect(try area.get(one, as: Int.self) == 2)
                #expect(try area.get(other, as: Int.self) == 2)
                #expect(try area.keys().count == 1)
                #expect(try area.commit { $0.expect(nil, ofKey: "none") } == ())
                #expect(try area.del(one))
                #expect(try !area.contains(other))
                #expect(try area.keys().isEmpty)
            }
        }
    }

    @Test("A folder holds itself and what is below it", arguments: AreaCase.allCases)
    func folders(_ kind: AreaCase) throws {
        try kind.withArea { (area) throws in
            for key in ["ab", "b/a", "a.b", "a-b", "A/b"] { try area.set("-", forKey: key) }
            let below = ["a/b", "a/b c", "a/c/d", "a/\u{301}x"]
            for key in below { try area.set("+", forKey: key) }
            #expect(try area.keys(under: "a") == below.sorted())
            #expect(try area.keys(under: "a/c") == ["a/c/d"])
            #expect(try area.keys(under: "b/a") == ["b/a"])
            #expect(try area.keys(under: "nothing").isEmpty)
            #expect(try area.keys(under: "a/").isEmpty)
            #expect(try area.delAll(under: "a") == below.count)
            #expect(try area.keys() == ["A/b", "a-b", "a.b", "ab", "b/a"])
            #expect(try area.delAll() == 5)
            #expect(try area.delAll() == 0)
        }
    }

    @Test(
        "A vault's key may be a folder of others too (C001)",
        arguments: [AreaCase.vault, .vaultInMemory])
    func keyAndFolder(_ kind: AreaCase) throws {
        for (first, second) in [("a", "a/b"), ("a/b", "a")] {
            try kind.withArea { (area) throws in
                try area.set("1", forKey: first)
                try area.set("2", forKey: second)
                #expect(try area.get(first, as: String.self) == "1")
                #expect(try area.get(second, as: String.self) == "2")
                #expect(try area.keys(under: "a") == ["a", "a/b"])
            }
        }
    }

    @Test(
        "A plain area refuses a file that would be a folder, and loses nothing (C001)",
        arguments: AreaCase.plain)
    func conflict(_ kind: AreaCase) throws {
        for (first, second) in [("a", "a/b"), ("a/b", "a"), ("a", "a/b/c"), ("a/b/c", "a")] {
            try kind.withArea { (area) throws in
                try area.set("1", forKey: first)
                #expect(throws: StrongroomError.keyConflict(key: second)) {
                    try area.set("2", forKey: second)
                }
                #expect(throws: StrongroomError.keyConflict(key: second)) {
                    try area.commit {
                        $0.set("2", forKey: "other")
                        $0.set("2", forKey: second)
                    }
                }
                #expect(try area.get(first, as: String.self) == "1")
                #expect(try area.get(second, as: String.self) == nil)
                #expect(try area.keys() == [first])
                try area.commit {
                    $0.del(first)
                    $0.set("2", forKey: second)
                }
                #expect(try area.keys() == [second])
            }
        }
    }
}
