import Strongroom
import Testing

@Suite struct `A secret` {
    private static let needle = "NEEDLE-9f3c"

    @Test("It shows nothing in any description, mirror or dump") func redacted() {
        let secret = Secret(Self.needle)
        var dumped = ""
        dump(secret, to: &dumped)
        var nested = ""
        dump((["key": secret], Optional(secret)), to: &nested)
        var changes = Changes()
        changes.set(secret, forKey: "k")
        changes.set(Self.needle, forKey: "plain")
        var changed = ""
        dump(changes, to: &changed)
        let shown = [
            "\(secret)", String(describing: secret), String(reflecting: secret), dumped, nested,
            "\([secret])", "\(TypedKey<Secret>("k"))", "\(changes)", changed,
            "\(Mirror(reflecting: secret).children.map { "\($0)" })",
        ]
        for text in shown { #expect(!text.contains(Self.needle)) }
        #expect("\(secret)" == "Secret(redacted)")
        #expect(String(reflecting: secret) == "Secret(redacted)")
        #expect(Mirror(reflecting: secret).children.isEmpty)
    }

    @Test("It gives its bytes only to who asks") func bytes() {
        let secret = Secret(Self.needle)
        #expect(secret.byteCount == 11)
        #expect(secret.copyText() == Self.needle)
        #expect(secret.copyBytes() == Array(Self.needle.utf8))
        #expect(secret.withBytes { bytes in bytes.count } == 11)
        #expect(Secret([0xff]).copyText() == nil)
        #expect(Secret([]).byteCount == 0)
        #expect(throws: Boom.self) { try secret.withBytes { _ in throw Boom() } }
    }

    @Test("It is not Codable") func notCodable() {
        #expect(!(Secret("x") as Any is any Encodable))
        #expect(!(Secret.self as Any.Type is any Decodable.Type))
    }
}
