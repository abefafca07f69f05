import StrongroomStores

/// Which keys lie below a folder: the folder itself, and what follows it after a slash.
///
/// Compared as bytes of the normal
/// form, since a combining mark after the slash would make one character with it.
struct KeyFolder {
    /// The folder's bytes; nil holds every key.
    private let bytes: [UInt8]?

    /// The folder `text`; nil holds every key.
    init(_ text: String?) throws(StrongroomError) {
        guard let text else {
            bytes = nil
            return
        }
        guard let folder = KeyText(text) else { throw .invalidKey(key: text) }
        bytes = folder.bytes
    }

    /// Whether the key of these bytes, in normal form, lies below the folder.
    func holds(_ key: [UInt8]) -> Bool {
        guard let bytes else { return true }
        guard key.starts(with: bytes) else { return false }
        return key.count == bytes.count || key[bytes.count] == UInt8(ascii: "/")
    }
}
