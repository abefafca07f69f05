import StrongroomCrypto
import StrongroomSystem

/// Passphrases as they come from files, descriptors, commands and people.
enum PassphraseText {
    /// The longest passphrase, in bytes.
    static let byteCountLimit = 4_096

    /// What a source gives, without one final newline (LF or CRLF); an empty one is none.
    static func read(
        _ source: SecretSource, _ reader: SecretReader
    ) throws(Failure) -> SecretKey {
        let text = try reader.read(source, limit: byteCountLimit + 2)
        let bytes = text.bytes
        var count = bytes.count
        if count > 0, bytes[count - 1] == UInt8(ascii: "\n") {
            count -= 1
            if count > 0, bytes[count - 1] == UInt8(ascii: "\r") { count -= 1 }
        }
        return try key(bytes.extracting(0..<count), from: source.name)
    }

    /// What a person types on the controlling terminal; nil without one.
    static func typed(_ prompt: String, _ reader: SecretReader) throws(Failure) -> SecretKey? {
        guard
            let text = try reader.typed(prompt, limit: byteCountLimit, orEndWith: .masterKey)
        else { return nil }
        return try key(text.bytes, from: "the terminal")
    }

    /// A new passphrase that a person types twice.
    static func typedTwice(_ reader: SecretReader) throws(Failure) -> SecretKey {
        let text = try reader.typedTwice(
            "New passphrase of the master key: ", limit: byteCountLimit, orEndWith: .masterKey)
        return try key(text.bytes, from: "the terminal")
    }

    private static func key(_ bytes: Span<UInt8>, from name: String) throws(Failure) -> SecretKey {
        guard bytes.count > 0 else {
            throw Failure(.masterKey, name, "the passphrase is empty", advice: "give one")
        }
        guard bytes.count <= byteCountLimit else {
            throw Failure(
                .masterKey, name, "the passphrase has more than \(byteCountLimit) bytes")
        }
        do throws(CryptoError) {
            return try SecretKey(copying: bytes)
        } catch { throw Failure(.failed, name, "no locked memory can be had") }
    }
}
