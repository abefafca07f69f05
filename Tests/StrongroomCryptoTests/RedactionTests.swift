import Testing

@testable import StrongroomCrypto

struct RedactionTests {
    private struct Holder {
        let key: SecretKey
    }

    private func dumped(_ value: Any) -> String {
        var text = ""
        dump(value, to: &text)
        return text
    }

    @Test func `a key shows its length and nothing else`() throws {
        let secret = Array("correct horse battery staple....".utf8)
        let key = try SecretKey(copying: secret.span)
        let text = "SecretKey(32 bytes, redacted)"
        #expect(key.description == text)
        #expect(key.debugDescription == text)
        #expect("\(key)" == text)
        #expect(String(reflecting: key) == text)
        #expect("\(Optional(key) as Any)" == "Optional(\(text))")
        #expect("\([key])" == "[\(text)]")
        #expect("\(Holder(key: key))" == "Holder(key: \(text))")
        #expect(Mirror(reflecting: key).children.isEmpty)
        #expect(Mirror(reflecting: key).superclassMirror == nil)
        #expect(dumped(key) == "- \(text) #0\n")
        #expect(dumped([key]).contains("- \(text) #0\n"))
        #expect(!dumped(Holder(key: key)).contains("horse"))
        #expect(!dumped(Holder(key: key)).contains("region"))
    }

    @Test(
        "an error says what was wrong and shows no byte",
        arguments: [
            (
                .wrongLength(what: "box key", byteCount: 31),
                #"wrongLength(what: "box key", byteCount: 31)"#
            ),
            (.cannotOpen, "cannotOpen"), (.costOutOfRange, "costOutOfRange"),
            (.unavailable(operation: "sodium_init"), #"unavailable(operation: "sodium_init")"#),
            (.sealingFinished, "sealingFinished"),
        ] as [(CryptoError, String)])
    func errors(error: CryptoError, text: String) {
        #expect("\(error)" == text)
    }

    @Test func `an error about a key does not hold the key`() throws {
        let secret = Array("correct horse battery staple".utf8)
        let key = try SecretKey(copying: secret.span)
        let error = try #require(
            #expect(throws: CryptoError.self) { _ = try SecretBox.seal(key.bytes, key: key.bytes) })
        #expect(dumped(error).contains("28"))
        #expect(!dumped(error).contains("horse"))
        #expect("\(error)" == #"wrongLength(what: "box key", byteCount: 28)"#)
    }
}
