import StrongroomFormats
import Testing

/// Names of variables, and what keys give (C122).
@Suite struct VariableNameTests {
    @Test(arguments: [
        ("db.password", "DB_PASSWORD"), ("api-key", "API_KEY"), ("a b", "A_B"), ("a=b", "A_B"),
        ("a/b//c", "A_B_C"), ("é", "_"), ("_x", "_X"), ("__x", "_X"), ("x..", "X_"), ("Ab9", "AB9"),
        ("a\nb", "A_B"), ("tokenß1", "TOKEN_1"),
    ])
    func `a key gives a name`(_ key: String, _ name: String) {
        #expect(VariableName(mapping: key)?.text == name)
    }

    @Test(arguments: ["", "1X", "9", "0-a"])
    func `a key gives no name`(_ key: String) {
        #expect(VariableName(mapping: key) == nil)
    }

    @Test(arguments: ["A", "_", "a_b", "Z9", "_9", "lower"])
    func `a name is one`(_ text: String) {
        #expect(VariableName(text)?.description == text)
    }

    @Test(arguments: ["", "9A", "A-B", "A B", "A=B", "é", "A\0", "A\n", "Ａ"])
    func `a text is no name`(_ text: String) {
        #expect(VariableName(text) == nil)
    }

    @Test(arguments: [
        "LD_PRELOAD", "DYLD_X", "PATH", "BASH_ENV", "PYTHONPATH", "PYTHON", "PERL5LIB", "GIT_SSH",
        "HTTPS_PROXY", "NODE_OPTIONS", "STRONGROOM_KEY", "TMPDIR", "_JAVA_OPTIONS", "ENV", "IFS",
    ])
    func `a name is reserved`(_ text: String) throws {
        #expect(try #require(VariableName(text)).isReserved)
    }

    @Test(arguments: ["LD", "PATHS", "PROXY", "TOKEN", "MY_PATH", "GITHUB_TOKEN", "HOMES", "ENVY"])
    func `a name is not reserved`(_ text: String) throws {
        #expect(try !#require(VariableName(text)).isReserved)
    }

    @Test func `only what we read is our own`() throws {
        #expect(try #require(VariableName("STRONGROOM_X")).isOwn)
        #expect(try !#require(VariableName("LD_X")).isOwn)
    }
}
