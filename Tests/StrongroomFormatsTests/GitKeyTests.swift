import StrongroomFormats
import Testing

/// Keys of credentials of git, and which description means which.
@Suite struct GitKeyTests {
    private func made(_ host: String, _ username: String, _ path: String? = nil) -> GitKey? {
        GitKey(
            protocolName: Array("https".utf8), host: Array(host.utf8),
            username: Array(username.utf8), path: path.map { Array($0.utf8) })
    }

    @Test(arguments: [
        ("example.com", "me", nil, "git/https/example.com/me"),
        ("EXAMPLE.com:3000", "me", nil, "git/https/example.com%3A3000/me"),
        ("[::1]:8080", "a=b", nil, "git/https/%5B%3A%3A1%5D%3A8080/a%3Db"),
        ("h", "", nil, "git/https/h/"), ("h", "", "p", "git/https/h//p"),
        ("h", "a/b", "c/d.git", "git/https/h/a%2Fb/c%2Fd.git"),
        ("h", "..", "../../x", "git/https/h/../..%2F..%2Fx"),
        ("h", "é %", "~_-.", "git/https/h/%C3%A9%20%25/~_-."),
        ("h", "Me", "A", "git/https/h/Me/A"),
    ])
    func `a credential has a key, and the key tells it`(
        _ host: String, _ username: String, _ path: String?, _ text: String
    ) throws {
        let key = try #require(made(host, username, path))
        #expect(key.text == text)
        #expect(GitKey(text) == key)
        #expect(key.text.hasPrefix(key.folder + "/"))
    }

    @Test(arguments: [
        ("no host", "", "me", nil), ("an empty path", "h", "me", ""),
    ])
    func `there is no key`(_ name: String, _ host: String, _ username: String, _ path: String?) {
        #expect(made(host, username, path) == nil)
    }

    @Test(arguments: [
        "", "git", "git/", "git/https", "git/https/h", "git/https//u", "git//h/u", "git/https/h/u/",
        "git/https/h/u/p/q", "Git/https/h/u", "docker/https/h/u", "/git/https/h/u",
        "git/https/H/u", "git/https/h:1/u", "git/https/h/u%", "git/https/h/u%2", "git/https/h/%2f",
        "git/https/h/%41", "git/https/h/a b", "git/https/h/é", "git/https/h/%GG", "git/https/h/%2é",
        "git/https/%48/u",
    ])
    func `a text is no key`(_ text: String) { #expect(GitKey(text) == nil) }

    @Test func `every byte comes back`() throws {
        let bytes = Array(UInt8.min...UInt8.max)
        let key = try #require(
            GitKey(protocolName: bytes, host: [0x68], username: bytes, path: bytes))
        #expect(GitKey(key.text) == key)
        #expect(key.text.utf8.allSatisfy { (0x21...0x7E).contains($0) })
    }

    @Test(arguments: [
        ("protocol and host", "protocol=https\nhost=h\n", true),
        ("the host in another case", "protocol=https\nhost=H\n", true),
        ("all", "protocol=https\nhost=h\nusername=u\npath=p\n", true),
        ("the password is not looked at", "protocol=https\nhost=h\npassword=x\n", true),
        ("no protocol", "host=h\n", false), ("no host", "protocol=https\n", false),
        ("another protocol", "protocol=http\nhost=h\n", false),
        ("another host", "protocol=https\nhost=hh\n", false),
        ("a port", "protocol=https\nhost=h:443\n", false),
        ("another account", "protocol=https\nhost=h\nusername=U\n", false),
        ("the empty account", "protocol=https\nhost=h\nusername=\n", false),
        ("another path", "protocol=https\nhost=h\npath=p/q\n", false),
        ("an empty path", "protocol=https\nhost=h\npath=\n", true),
    ])
    func `a description means a key or not`(
        _ name: String, _ text: String, _ isMeant: Bool
    ) throws {
        let bytes = Array(text.utf8)
        let span = bytes.span
        let described = try GitCredential(reading: span)
        #expect(try described.matches(#require(made("h", "u", "p"))) == isMeant)
    }

    @Test func `one without a path is not meant by who names one`() throws {
        var described = GitCredential()
        described.protocolName = Array("https".utf8)
        described.host = [0x68]
        #expect(try described.matches(#require(made("h", "u"))))
        described.path = [0x70]
        #expect(try !described.matches(#require(made("h", "u"))))
    }
}
