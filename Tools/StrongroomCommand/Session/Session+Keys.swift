import StrongroomStores

extension Session {
    /// The operand at `index` as a key.
    func key(at index: Int) throws(Failure) -> String {
        let bytes = invocation.operands[index]
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(
                .usage, Escaping.shown(bytes: bytes) + ": this is no key",
                advice: "a key is UTF-8 text")
        }
        return try Self.key(text)
    }

    /// `text` as a key, in normal form C.
    static func key(_ text: String) throws(Failure) -> String {
        guard let key = KeyText(text) else { throw Failure.invalidKey(text) }
        return key.text
    }

    /// `bytes` as a folder, in normal form C; nil stays nil, which is all.
    func folder(_ bytes: [UInt8]?, named name: String) throws(Failure) -> String? {
        guard let bytes else { return nil }
        guard !bytes.isEmpty else {
            throw Failure(.usage, name, "is empty", advice: "to mean all, leave it out")
        }
        guard let text = String(validating: bytes, as: UTF8.self), let key = KeyText(text) else {
            throw Failure(
                .usage, Escaping.shown(bytes: bytes) + ": this is no folder",
                advice: "a folder is UTF-8 text of at most \(KeyText.byteCountLimit) bytes")
        }
        return key.text
    }
}
